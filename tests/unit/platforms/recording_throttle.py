"""A throttle that holds nobody back."""

from bot.ports.throttle import Rate


class RecordingThrottle:
    """Counts, also what is done at other rates."""

    def __init__(self, rate: Rate | None = None) -> None:
        self.rate = rate
        self.count = 0
        self.others: list[RecordingThrottle] = []

    async def wait(self) -> None:
        self.count += 1

    def another(self, rate: Rate) -> "RecordingThrottle":
        self.others.append(RecordingThrottle(rate))
        return self.others[-1]
