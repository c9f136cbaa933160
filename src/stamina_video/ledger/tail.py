"""The end of one stream: what the next commit must follow, and the numbers it continues.

The rules of order, running totals, segments and the digest chain stand here and nowhere else;
appending and verifying both go through `Tail.place`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from stamina_video.ledger.rows import FACTS, GENESIS, Point, Row, digest_of, measure_of
from stamina_video.semantics import Commit, InvalidInput, Kind, Operator, OutOfOrder

_LARGEST = 2**63 - 1


@dataclass(slots=True)
class Tail:
    digest: bytes = GENESIS
    segment: int = 0
    origin: float = 0.0
    last: dict[str, float] = field(default_factory=dict)  # by target
    numbers: dict[tuple[str, str], Point] = field(default_factory=dict)  # by target and measure

    @classmethod
    def after(cls, heads: Iterable[Row], origins: list[float]) -> "Tail":
        """The tail behind the last row of every track."""
        tail = cls(segment=len(origins), origin=origins[-1] if origins else 0.0)
        for row in sorted(heads, key=lambda row: row.id):
            tail.digest = row.digest
            tail._note(row)
        return tail

    def fork(self) -> "Tail":
        return replace(self, last=dict(self.last), numbers=dict(self.numbers))

    def number(self, target: str, measure: str) -> Point | None:
        """The track's numbers in the current segment, None before its first commit there."""
        return self.numbers.get((target, measure))

    def place(self, commit: Commit) -> Row:
        """The row of the next commit; the tail moves behind it."""
        self._check_order(commit)
        _check_storable(commit)
        if commit.kind is Kind.SEGMENT:
            self.segment, self.origin = self.segment + 1, commit.time
            self.numbers.clear()
        total, gained = self._sums(commit)
        self.digest = digest_of(self.digest, commit, self.segment, total, gained)
        row = Row(commit, self.segment, total, gained, self.digest)
        self._note(row)
        return row

    def _note(self, row: Row) -> None:
        target = row.commit.target
        self.last[target] = max(row.commit.time, self.last.get(target, 0.0))
        if row.segment == self.segment and row.measure != FACTS:
            self.numbers[target, row.measure] = row.point

    def _sums(self, commit: Commit) -> tuple[int, int]:
        if commit.kind.measure is None:
            return 0, 0
        before = self.number(commit.target, measure_of(commit)) or Point(self.origin, 0, 0)
        total, gained = before.total + commit.delta, before.gained + max(commit.delta, 0)
        if total < 0:
            raise InvalidInput(
                f"expected at most {before.total} to leave at {commit.time} s, where {before.total} "
                f"of {commit.target!r} are visible, got {-commit.delta}"
            )
        if gained > _LARGEST:
            raise InvalidInput(f"expected a running count below 2**63, got {gained} at {commit.time} s")
        return total, gained

    def _check_order(self, commit: Commit) -> None:
        if commit.kind is Kind.SEGMENT:
            # A segment that began before a stored commit would change what that commit's time reads.
            earliest, what = max(self.last.values(), default=0.0), "the last commit of the stream"
        elif commit.target in self.last and self.last[commit.target] >= self.origin:
            earliest, what = self.last[commit.target], "the last commit of its target"
        else:
            earliest, what = self.origin, "the segment's origin"
        if commit.time < earliest:
            raise OutOfOrder(
                f"expected {commit.kind} of {commit.target!r} in stream {commit.stream!r} "
                f"at {earliest} s or later ({what}), got {commit.time} s"
            )


def _check_storable(commit: Commit) -> None:
    if commit.observation > _LARGEST:
        raise InvalidInput(f"expected an observation index below 2**63, got {commit.observation}")
    if commit.kind is Kind.TARGET and "operator" in commit.evidence:
        Operator.parse(commit.evidence["operator"])
