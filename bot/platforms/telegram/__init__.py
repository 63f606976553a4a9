"""Telegram, by way of python-telegram-bot."""
