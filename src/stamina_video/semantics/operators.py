"""The eight counting operators and what each needs. Knows nothing of models or storage."""

from dataclasses import dataclass
from enum import StrEnum

from stamina_video.semantics.errors import InvalidInput


class Measure(StrEnum):
    """The running number an operator reads: N, U or C of the paper."""

    VISIBLE = "visible"
    UNIQUE = "unique"
    COMPLETED = "completed"


class Metric(StrEnum):
    GPA = "gpa"
    MOC = "moc"
    UDA = "uda"


@dataclass(frozen=True, slots=True)
class OperatorSpec:
    """What an operator reads and how its answers are scored."""

    measure: Measure
    windowed: bool
    cumulative: bool
    metrics: frozenset[Metric]


class Operator(StrEnum):
    O1_SNAP = "O1-Snap"
    O1_DELTA = "O1-Delta"
    O2_UNIQUE = "O2-Unique"
    O2_GAIN = "O2-Gain"
    E1_ACTION = "E1-Action"
    E1_TRANSIT = "E1-Transit"
    E2_EPISODE = "E2-Episode"
    E2_PERIODIC = "E2-Periodic"

    @property
    def spec(self) -> OperatorSpec:
        return _SPECS[self]

    @property
    def measure(self) -> Measure:
        return self.spec.measure

    @property
    def windowed(self) -> bool:
        return self.spec.windowed

    @property
    def cumulative(self) -> bool:
        return self.spec.cumulative

    @property
    def metrics(self) -> frozenset[Metric]:
        return self.spec.metrics

    @property
    def is_event(self) -> bool:
        return self.measure is Measure.COMPLETED

    @classmethod
    def parse(cls, value: "str | Operator") -> "Operator":
        """The operator of this name; case and the separator do not matter."""
        operator = _BY_FOLDED_NAME.get(_fold(value)) if isinstance(value, str) else None
        if operator is None:
            raise InvalidInput(f"expected an operator ({', '.join(cls)}), got {value!r}")
        return operator


def _fold(name: str) -> str:
    return name.strip().lower().replace("_", "-").replace(" ", "-")


_POINT = frozenset({Metric.GPA})
_TREND = frozenset({Metric.GPA, Metric.UDA})
_CUMULATIVE = frozenset({Metric.GPA, Metric.MOC, Metric.UDA})

_SPECS = {
    Operator.O1_SNAP: OperatorSpec(Measure.VISIBLE, False, False, _TREND),
    Operator.O1_DELTA: OperatorSpec(Measure.VISIBLE, True, False, _POINT),
    Operator.O2_UNIQUE: OperatorSpec(Measure.UNIQUE, False, True, _CUMULATIVE),
    Operator.O2_GAIN: OperatorSpec(Measure.UNIQUE, True, False, _POINT),
    Operator.E1_ACTION: OperatorSpec(Measure.COMPLETED, False, True, _CUMULATIVE),
    Operator.E1_TRANSIT: OperatorSpec(Measure.COMPLETED, False, True, _CUMULATIVE),
    Operator.E2_EPISODE: OperatorSpec(Measure.COMPLETED, False, True, _CUMULATIVE),
    Operator.E2_PERIODIC: OperatorSpec(Measure.COMPLETED, False, True, _CUMULATIVE),
}

_BY_FOLDED_NAME = {_fold(operator): operator for operator in Operator}
