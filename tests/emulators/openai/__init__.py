"""An OpenAI-compatible endpoint for tests: real HTTP, scripted answers, and the quirks of real endpoints."""
