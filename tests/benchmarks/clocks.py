"""A clock that only moves when told to, so that what is measured is known."""

from collections.abc import Callable, Iterable


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def work(self, seconds: Iterable[float]) -> Callable[[], None]:
        """Work that takes this long, call by call."""
        left = iter(seconds)

        def call() -> None:
            self.now += next(left)

        return call
