"""SmolLM2 (135M parameters) behind llama.cpp's own OpenAI-compatible server: a real model with real tokens."""
