"""A Telegram Bot API of our own: real HTTP, real refusals, no Telegram."""
