import pytest

from stamina_video.cli.counting import Counted, TargetCount
from stamina_video.cli.overlay import Look, Recorder, box_of, subject_of
from stamina_video.runtime import Session
from stamina_video.semantics import Commit
from tests.cli.scenes import counting_model
from tests.runtime.tiny import TARGETS, observation


@pytest.fixture(scope="module")
def seen() -> tuple[Recorder, Counted, Session]:
    recorder, session = Recorder(), Session(counting_model(), TARGETS)
    for index in range(8):
        item = observation(index)
        recorder.observed(session, item, session.observe(item))
    rows = tuple(
        TargetCount(target, (), _history(session, index), (), None, ())
        for index, target in enumerate(TARGETS)
    )
    return recorder, Counted(rows, 8, 3.5), session


def _history(session: Session, index: int) -> tuple[Commit, ...]:
    target = TARGETS[index]
    return tuple(session.ledger.history("table", target.description, target.operator.measure))


def test_counts_are_those_of_the_ledger_at_any_time(seen: tuple[Recorder, Counted, Session]) -> None:
    recorder, counted, session = seen
    overlay = recorder.overlay(counted)
    for time in (0.0, 0.4, 1.0, 2.75, 9.0):
        assert [row.count for row in overlay.at(time)] == [
            session.count(target.description, time, target.operator) for target in TARGETS
        ]


def test_what_is_visible_is_placed_and_named(seen: tuple[Recorder, Counted, Session]) -> None:
    recorder, counted, session = seen
    assert session.state is not None
    unique = recorder.overlay(counted).at(3.5)[0]
    visible = session.state.targets[0].visible
    named = sorted(place.subject for place in unique.look.places if place.label.startswith("#"))
    assert named == sorted(f"identity:{identity}" for identity in visible.identities)
    assert len(unique.look.places) == len(visible)
    assert all(0 <= edge <= 1 for place in unique.look.places for edge in place.box)


def test_a_commit_and_its_place_agree(seen: tuple[Recorder, Counted, Session]) -> None:
    recorder, counted, _ = seen
    overlay = recorder.overlay(counted)
    assert counted.targets[0].commits, "the model counts"
    for commit in counted.targets[0].commits:
        places = {place.subject: place.box for place in overlay.at(commit.time)[0].look.places}
        subject = subject_of(commit)
        assert subject is not None
        assert places[subject] == pytest.approx(box_of(commit), abs=1e-4)


def test_phases_follow_the_slots(seen: tuple[Recorder, Counted, Session]) -> None:
    recorder, counted, session = seen
    assert session.state is not None
    for row, state in zip(recorder.overlay(counted).at(3.5), session.state.targets, strict=True):
        assert row.look.phases == tuple(phase.lower() for phase in state.slots.phases)


def test_a_commit_stands_out_for_a_second(seen: tuple[Recorder, Counted, Session]) -> None:
    recorder, counted, _ = seen
    overlay, commits = recorder.overlay(counted), counted.targets[0].commits
    assert commits, "the model counts"
    last = commits[-1]
    assert last not in overlay.at(last.time - 0.01)[0].fresh
    assert last in overlay.at(last.time)[0].fresh
    assert last in overlay.at(last.time + 0.9)[0].fresh
    assert last not in overlay.at(last.time + 1.0)[0].fresh


def test_before_the_first_observation_there_is_nothing(seen: tuple[Recorder, Counted, Session]) -> None:
    _, counted, _ = seen
    for row in Recorder().overlay(counted).at(0.0):
        assert row.look == Look()


def test_a_fresh_replay_begins_anew(seen: tuple[Recorder, Counted, Session]) -> None:
    _, counted, _ = seen
    recorder = Recorder()
    for length in (6, 2):
        with Session(counting_model(), TARGETS) as session:
            for index in range(length):
                item = observation(index)
                recorder.observed(session, item, session.observe(item))
    assert session.state is not None
    places = recorder.overlay(counted).at(99.0)[0].look.places
    assert len(places) == len(session.state.targets[0].visible)


def test_what_was_consumed_before_has_no_look(seen: tuple[Recorder, Counted, Session]) -> None:
    _, counted, session = seen
    recorder = Recorder()
    recorder.observed(session, observation(0), ())
    assert recorder.overlay(counted).at(0.0)[0].look == Look()


def test_evidence_without_a_box_has_no_place() -> None:
    swing = Commit("s", "swing", "event", 1, 0, 0.0, "e", {"slot": 0})
    assert box_of(swing) is None
    assert subject_of(swing) == "slot:0"
    unresolved = Commit("s", "mugs", "entry", 1, 0, 0.0, "e", {"identity": None, "box": [0, 0.5, 0.25, 1]})
    assert box_of(unresolved) == (0, 0.5, 0.25, 1)
    assert subject_of(unresolved) is None
