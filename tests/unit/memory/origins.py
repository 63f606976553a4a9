"""Whose edits the tests make."""

from bot.domain.memory import EditOrigin
from bot.testing.factories import ADA

ORIGIN = EditOrigin(actor="person:ada", reason="a test", author=ADA)
