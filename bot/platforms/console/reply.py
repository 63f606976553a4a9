"""Writing an answer piece by piece while it grows."""

from collections.abc import Callable

from bot.platforms.console.convert import visible


class GrowingReply:
    """One answer on the screen. Only what is new is written; a draft that was taken back is written anew below."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._written = ""

    @property
    def begun(self) -> bool:
        """Say whether something of it stands on the screen."""
        return bool(self._written)

    def show_draft(self, text: str) -> None:
        """Bring the screen up to a draft. One that starts again waits until it says something else, or more."""
        shown = visible(text).strip()
        if not self._written.startswith(shown):
            self._bring_up_to(shown)

    def finish(self, text: str) -> None:
        """Bring the screen to the final text and end the line."""
        shown = visible(text).strip()
        if shown != self._written:
            self._bring_up_to(shown)
        self._write("\n")

    def _bring_up_to(self, shown: str) -> None:
        if shown.startswith(self._written):
            self._write(shown[len(self._written) :])
        else:
            self._write(f"\n{shown}")
        self._written = shown
