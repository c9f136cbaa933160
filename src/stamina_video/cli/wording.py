"""What a target's number is called, in few words."""

from stamina_video.semantics import Measure, Target

_SHORT = {Measure.VISIBLE: " visible", Measure.UNIQUE: " seen", Measure.COMPLETED: ""}
_LONG = {
    Measure.VISIBLE: "visible now",
    Measure.UNIQUE: "different ones so far",
    Measure.COMPLETED: "completed so far",
}


def in_short(target: Target) -> str:
    """Beside a number: "3 red mugs visible", "5 red mugs seen", "4 squats"."""
    return target.description + _SHORT[target.operator.measure]


def in_full(target: Target) -> str:
    """Above a curve."""
    return f"{target.description}: {_LONG[target.operator.measure]} ({target.operator})"
