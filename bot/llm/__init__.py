"""Models: any OpenAI-compatible endpoint, fallbacks for it, and an offline model of our own."""
