from typing import Any

from stamina_video.ledger.caveats import warnings_of
from stamina_video.semantics import Commit


def fact(kind: str, time: float, target: str = "", **evidence: Any) -> Commit:
    return Commit("door", target, kind, 0, int(time), time, f"{kind}{time}{target}", evidence)


def test_a_gap_says_when_and_why() -> None:
    assert warnings_of(
        [
            fact("gap", 4.0, since=1.5, reason="reconnected"),
            fact("gap", 5.0, since=5.0, reason="no timestamps: times assume 25 frames a second", missed=0),
            fact("gap", 6.06666666666),
        ]
    ) == [
        "gap from 1.5 to 4.0 s in the whole stream: reconnected; how much it hides is not known",
        "gap at 5.0 s in the whole stream: no timestamps: times assume 25 frames a second; at most 0 missed",
        "gap at 6.067 s in the whole stream: how much it hides is not known",
    ]


def test_what_repeats_is_one_line_for_each_target() -> None:
    facts = [fact("overflow", time, "mugs", missed=2) for time in (1.0, 2.0, 3.5)]
    (line, other) = warnings_of([*facts, fact("overflow", 2.0, "cups")])
    assert line.startswith("overflow at 3 observations from 1.0 to 3.5 s for 'mugs': more were there at once")
    assert line.endswith("; at most 6 missed")
    assert other.startswith("overflow at 2.0 s for 'cups'")
    assert other.endswith("; how much it hides is not known")


def test_someone_taken_for_new_may_be_counted_twice() -> None:
    (line,) = warnings_of([fact("retrieval-miss", time, "mugs", missed=0, doubled=1) for time in (2.0, 3.0)])
    assert line.endswith("look alike; at most 2 counted twice")
