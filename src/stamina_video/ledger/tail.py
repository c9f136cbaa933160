"""The end of one stream: what the next commit must follow, and the numbers it continues.

The rules of order, running totals, segments and the digest chain stand here and nowhere else;
appending and verifying both go through `Tail.place`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from stamina_video.ledger.names import check_lengths
from stamina_video.ledger.rows import FACTS, GENESIS, Point, Row, digest_of, encode_evidence, measure_of
from stamina_video.semantics import Commit, InvalidInput, Kind, Operator, OutOfOrder
from stamina_video.semantics.flow import shortened

_LARGEST = 2**63 - 1


@dataclass(slots=True)
class Tail:
    digest: bytes = GENESIS
    segment: int = 0
    origin: float = 0.0
    last: dict[str, float] = field(default_factory=dict)  # by target
    observations: dict[str, int] = field(default_factory=dict)  # the last of the segment, by target
    numbers: dict[tuple[str, str], Point] = field(default_factory=dict)  # by target and measure
    operators: dict[str, frozenset[Operator]] = field(default_factory=dict)  # registered, by target

    @classmethod
    def after(
        cls, heads: Iterable[Row], origins: Sequence[float], operators: Mapping[str, Iterable[Operator]]
    ) -> "Tail":
        """The tail behind the last row of every track, given where segments began and what was registered."""
        tail = cls(segment=len(origins), origin=origins[-1] if origins else 0.0)
        tail.operators = {target: frozenset(registered) for target, registered in operators.items()}
        for row in sorted(heads, key=lambda row: row.id):
            tail.digest = row.digest
            tail._note(row)
        return tail

    def fork(self) -> "Tail":
        return Tail(
            self.digest,
            self.segment,
            self.origin,
            self.last.copy(),
            self.observations.copy(),
            self.numbers.copy(),
            self.operators.copy(),
        )

    def number(self, target: str, measure: str) -> Point | None:
        """The track's numbers in the current segment, None before its first commit there."""
        return self.numbers.get((target, measure))

    def is_ahead(self, commit: Commit) -> bool:
        """Whether it is later than everything recorded of its target."""
        return commit.time > self.last.get(commit.target, -1.0)

    def place(self, commit: Commit) -> Row:
        """The row of the next commit; the tail moves behind it."""
        self._check_order(commit)
        _check_storable(commit)
        self._check_operator(commit)
        if commit.kind is Kind.SEGMENT:
            self.segment, self.origin = self.segment + 1, commit.time
            self.numbers.clear()
            self.observations.clear()
        total, gained = self._sums(commit)
        evidence = encode_evidence(commit.evidence)
        self.digest = digest_of(self.digest, commit, self.segment, total, gained, evidence)
        row = Row(commit, self.segment, total, gained, self.digest, evidence=evidence)
        self._note(row)
        return row

    def _note(self, row: Row) -> None:
        target = row.commit.target
        self.last[target] = max(row.commit.time, self.last.get(target, 0.0))
        if row.segment == self.segment and row.measure != FACTS:
            self.numbers[target, row.measure] = row.point
        if row.segment == self.segment and row.commit.kind is not Kind.SEGMENT:
            self.observations[target] = row.commit.observation

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
        if commit.kind is not Kind.SEGMENT and commit.observation < self.observations.get(commit.target, 0):
            raise OutOfOrder(
                f"expected {commit.kind} of {commit.target!r} in stream {commit.stream!r} from observation "
                f"{self.observations[commit.target]} on, got observation {commit.observation}"
            )

    def _check_operator(self, commit: Commit) -> None:
        """Events have one running number under a description, so one operator; objects are never events."""
        known = self.operators.get(commit.target, frozenset())
        if commit.kind is Kind.TARGET and "operator" in commit.evidence:
            operator = Operator.parse(commit.evidence["operator"])
            others = sorted(other for other in known if other.is_event and other is not operator)
            if operator.is_event and others:
                raise InvalidInput(
                    f"expected one event operator for {commit.target!r} in stream {commit.stream!r}, "
                    f"which has {others[0]}, got {operator} too: describe it in other words"
                )
            self.operators[commit.target] = known | {operator}
        elif commit.kind.measure is not None and known:
            is_event = commit.kind is Kind.EVENT
            if all(operator.is_event is not is_event for operator in known):
                raise InvalidInput(
                    f"expected what {', '.join(sorted(known))} of {commit.target!r} counts, got {commit.kind}"
                )


def _check_storable(commit: Commit) -> None:
    if commit.observation > _LARGEST:
        raise InvalidInput(f"expected an observation index below 2**63, got {shortened(commit.observation)}")
    if commit.kind is Kind.SEGMENT and commit.target:
        raise InvalidInput(f"expected no target for a segment of the whole stream, got {commit.target!r}")
    check_lengths(commit)
