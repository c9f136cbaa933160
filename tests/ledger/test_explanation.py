from collections.abc import Iterator
from typing import Any

import pytest

from stamina_video.ledger import Commit, Ledger
from stamina_video.semantics import Answer, InvalidInput, Kind, Operator
from tests.ledger.commits import CAMERA, MUGS, commit, entry, exit_, identity, registered, segment


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.open(":memory:") as ledger:
        yield ledger


def gap(time: float, target: str = "", kind: Kind = Kind.GAP, **evidence: Any) -> Commit:
    return commit(kind, time, target=target, evidence=evidence or {"why": "reconnect"})


def test_the_commits_that_make_up_the_number(ledger: Ledger) -> None:
    first, second = identity(1.0, evidence={"score": 0.9}), identity(2.0)
    for step in [registered(0.0, Operator.O2_UNIQUE), first, entry(1.5), second, identity(9.0)]:
        ledger.append(step)
    assert ledger.explain(CAMERA, MUGS, 5.0) == Answer(MUGS, 5.0, 2, commits=(first, second))
    assert ledger.explain(CAMERA, MUGS, 5.0, since=1.0) == Answer(MUGS, 5.0, 1, 1.0, (second,))
    assert ledger.explain(CAMERA, MUGS).at == 9.0


def test_visible_counts_list_entries_and_exits(ledger: Ledger) -> None:
    steps = [entry(1.0, 2), exit_(2.0), entry(3.0)]
    for step in steps:
        ledger.append(step)
    assert ledger.explain(CAMERA, MUGS, 3.0) == Answer(MUGS, 3.0, 2, commits=tuple(steps))


def test_only_the_segment_that_is_read(ledger: Ledger) -> None:
    old, new = identity(1.0), identity(4.0)
    for step in [gap(0.5), old, segment(4.0), new]:
        ledger.append(step)
    assert ledger.explain(CAMERA, MUGS, 4.0) == Answer(MUGS, 4.0, 1, commits=(new,))
    assert ledger.explain(CAMERA, MUGS, 3.0).commits == (old,)
    assert len(ledger.explain(CAMERA, MUGS, 3.0).warnings) == 1
    with pytest.raises(InvalidInput, match=r"segment origin at 4\.0"):
        ledger.explain(CAMERA, MUGS, 5.0, since=2.0)


def test_a_warning_for_every_gap_in_range(ledger: Ledger) -> None:
    for step in [
        gap(1.0),
        identity(2.0),
        gap(3.0, MUGS, Kind.OVERFLOW, missed=3),
        gap(4.0, "boxes", Kind.RETRIEVAL_MISS),
        gap(5.0, MUGS, Kind.RETRIEVAL_MISS),
        gap(8.0),
    ]:
        ledger.append(step)
    assert ledger.explain(CAMERA, MUGS, 7.0).warnings == (
        "gap at 1.0 s in the whole stream: how much it hides is not known",
        "overflow at 3.0 s for 'red mugs': more were there at once than can be followed; at most 3 missed",
        "retrieval-miss at 5.0 s for 'red mugs': someone known may have been taken for new among many who "
        "look alike; how much it hides is not known",
    )
    assert len(ledger.explain(CAMERA, MUGS, 7.0, since=3.0).warnings) == 1
    assert len(ledger.explain(CAMERA, "boxes", 7.0).warnings) == 2


def test_what_is_visible_may_also_be_fewer(ledger: Ledger) -> None:
    ledger.append(entry(1.0, 2))
    ledger.append(gap(2.0, missed=3))
    assert ledger.explain(CAMERA, MUGS, 2.0).warnings == (
        "gap at 2.0 s in the whole stream: at most 3 missed",
        "the true number is between 0 and 5",
    )


def test_a_gap_that_says_since_when_is_noticed_inside(ledger: Ledger) -> None:
    ledger.append(identity(1.0))
    ledger.append(gap(10.0, since=5.0))
    assert ledger.explain(CAMERA, MUGS, 4.0).warnings == ()
    inside = ledger.explain(CAMERA, MUGS, 7.0).warnings
    assert inside == ("gap from 5.0 to 10.0 s in the whole stream: how much it hides is not known",)


@pytest.mark.parametrize("missed", [-1, "3", True, 2.5, None])
def test_a_bound_that_is_none_is_not_believed(ledger: Ledger, missed: Any) -> None:
    ledger.append(gap(1.0, MUGS, missed=missed))
    assert ledger.explain(CAMERA, MUGS, 1.0).warnings[0].endswith("not known")


def test_a_target_without_a_record_is_said(ledger: Ledger) -> None:
    ledger.append(identity(1.0))
    answer = ledger.explain(CAMERA, "red mug", 1.0)
    assert (answer.count, answer.commits) == (0, ())
    assert answer.warnings == ("nothing is recorded of 'red mug' in stream 'camera', which has 'red mugs'",)
    elsewhere = ledger.explain("camra", MUGS)
    assert (elsewhere.count, elsewhere.at) == (0, 0.0)
    assert elsewhere.warnings == (
        "nothing is recorded of 'red mugs' in stream 'camra'; the ledger has 'camera'",
    )


def test_a_long_list_of_targets_is_cut(ledger: Ledger) -> None:
    assert ledger.explain(CAMERA, MUGS).warnings == ("nothing is recorded of 'red mugs' in stream 'camera'",)
    for number in range(25):
        ledger.append(identity(1.0, target=f"thing {number:02}"))
    assert ledger.explain(CAMERA, MUGS).warnings[0].endswith("'thing 18', 'thing 19' and 5 more")


def test_gaps_are_added_up(ledger: Ledger) -> None:
    ledger.append(identity(0.0, delta=2))
    for time in (1.0, 2.0, 3.0):
        ledger.append(gap(time, missed=3))
    *gaps, bound = ledger.explain(CAMERA, MUGS, 5.0).warnings
    assert len(gaps) == 3
    assert bound == "the true number is between 2 and 11"
    ledger.append(gap(4.0))
    assert "between" not in " ".join(ledger.explain(CAMERA, MUGS, 5.0).warnings)


def test_those_counted_twice_lower_the_bound_of_different_ones_alone(ledger: Ledger) -> None:
    for step in [entry(1.0, 3), identity(1.0, delta=3)]:
        ledger.append(step)
    ledger.append(gap(2.0, MUGS, Kind.RETRIEVAL_MISS, missed=0, doubled=1))
    ledger.append(gap(3.0, MUGS, Kind.OVERFLOW, missed=2))
    unique = ledger.explain(CAMERA, MUGS, 4.0, measure="unique")
    assert unique.warnings[-1] == "the true number is between 2 and 5"
    assert ledger.explain(CAMERA, MUGS, 4.0, measure="visible").warnings[-1].endswith("between 1 and 5")


def test_the_facts_are_those_the_warnings_speak_of(ledger: Ledger) -> None:
    inside, later = gap(2.0, since=1.0, reason="reconnected"), gap(9.0)
    for step in [identity(1.0), inside, later]:
        ledger.append(step)
    answer = ledger.explain(CAMERA, MUGS, 5.0)
    assert answer.facts == (inside,)
    assert answer.warnings == (
        "gap from 1.0 to 2.0 s in the whole stream: reconnected; how much it hides is not known",
    )


def test_a_change_may_be_below_zero(ledger: Ledger) -> None:
    for step in [entry(0.0, 3), gap(2.0, missed=1), exit_(3.0, -2)]:
        ledger.append(step)
    answer = ledger.explain(CAMERA, MUGS, 4.0, since=1.0)
    assert answer.count == ledger.change(CAMERA, MUGS, 1.0, 4.0) == -2
    assert answer.warnings[-1] == "the true number is between -3 and -1"


def test_the_latest_is_the_streams(ledger: Ledger) -> None:
    for step in [identity(1.0), segment(10.0), gap(30.0, since=20.0)]:
        ledger.append(step)
    answer = ledger.explain(CAMERA, MUGS)
    assert (answer.at, answer.count) == (30.0, ledger.count(CAMERA, MUGS)) == (30.0, 0)
    assert answer.warnings == ("gap from 20.0 to 30.0 s in the whole stream: how much it hides is not known",)
    later = ledger.explain(CAMERA, MUGS, since=100.0)
    assert (later.at, later.count) == (100.0, ledger.change(CAMERA, MUGS, since=100.0)) == (100.0, 0)
