from stamina_video.cli.caveats import at_ceiling, caveats
from stamina_video.semantics import Commit


def fact(kind: str, time: float, **evidence: object) -> Commit:
    return Commit("door", "", kind, 0, int(time), time, f"{kind}{time}", evidence)


def test_a_gap_says_when_and_why() -> None:
    assert caveats(
        [
            fact("gap", 4.0, since=1.5, reason="reconnected"),
            fact("gap", 0.0, since=0.0, reason="no timestamps: times assume 25 frames a second"),
        ]
    ) == [
        "gap from 1.5 to 4 s: reconnected",
        "gap at 0 s: no timestamps: times assume 25 frames a second",
    ]


def test_what_repeats_is_one_line() -> None:
    (line,) = caveats([fact("overflow", time) for time in (1.0, 2.0, 3.5)])
    assert line.startswith("overflow at 3 observations from 1 to 3.5 s: more took part at once")
    (single,) = caveats([fact("retrieval-miss", 2.0)])
    assert single.startswith("retrieval-miss at 2 s")


def test_the_ceiling_warns_where_it_is_reached() -> None:
    assert at_ceiling(4, 5, 10, "more") == []
    assert at_ceiling(5, 5, 10, "a higher --fps") == [
        "capacity: 5 is all that 10 observations can count; a higher --fps may count more"
    ]
