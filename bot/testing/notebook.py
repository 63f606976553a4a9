"""A turn's memory without a store."""


class Notebook:
    """MemoryEdits that keep what they are asked, and know the memories they are given by their names."""

    def __init__(self, **known: str) -> None:
        self.known = {name.removeprefix("m"): text for name, text in known.items()}
        """Texts by name; `Notebook(m3="Likes tea")` knows the memory 3."""
        self.remembered: list[tuple[str, float | None, str]] = []
        """Text, importance and group of each new fact."""
        self.revised: list[tuple[str, str]] = []
        self.forgotten: list[str] = []
        self.tagged: list[str] = []

    @property
    def untouched(self) -> bool:
        """Say whether nothing was changed."""
        return not (self.remembered or self.revised or self.forgotten or self.tagged)

    async def remember(self, text: str, *, importance: float | None = None, group: str = "") -> int:
        """Keep a new fact and return its number."""
        self.remembered.append((text, importance, group))
        return len(self.remembered)

    async def revise(self, name: str, text: str) -> bool:
        """Keep that a text is to change; return whether there is one."""
        if name in self.known:
            self.revised.append((name, text))
        return name in self.known

    async def forget(self, name: str) -> bool:
        """Keep that a memory is to go; return whether there is one."""
        if name in self.known:
            self.forgotten.append(name)
        return name in self.known

    async def tag(self, name: str) -> bool:
        """Keep that a memory was used; return whether there is one."""
        if name in self.known:
            self.tagged.append(name)
        return name in self.known

    async def load(self, name: str) -> str | None:
        """Return the text of a memory."""
        return self.known.get(name)
