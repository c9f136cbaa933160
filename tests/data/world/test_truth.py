"""Truth against a brute-force reading of script and visibility."""

from dataclasses import replace

import pytest

from stamina_video.data.world import Scene
from stamina_video.data.world.body import Entity
from stamina_video.data.world.counted import Counted
from stamina_video.data.world.script import PICTURE, Occurrence
from stamina_video.data.world.truth import Truth
from stamina_video.data.world.visibility import Presence
from stamina_video.semantics import InvalidInput, Measure, Operator, Scope, Target, graph_for
from tests.data.world.scenes import ALL, SECONDS, scene

MUGS = Target("mugs", "O2-Unique")
NOW = Target("mugs", "O1-Snap")
DELTA = Target("mugs", "O1-Delta")
PACKED = Target("mugs packed", "E2-Episode", Scope.ENTITY)
CUTS = Target("hard cuts", "E1-Transit")


def truth() -> Truth:
    """Mug 0 leaves and returns and is packed after a false start, its twin comes later, a bowl is no mug."""
    return Truth(
        20.0,
        (
            Presence(Entity(0, "mug", "red"), ((0.0, 4.0), (6.0, 20.0))),
            Presence(Entity(2, "bowl", "red"), ((0.0, 20.0),)),
            Presence(Entity(1, "mug", "red"), ((8.0, 12.0),)),
        ),
        (
            Occurrence("pack", 0, 2.0, None),
            Occurrence("pack", 0, 7.0, 9.0, 9.5),
            Occurrence("pack", 1, -1.0, 3.0, 3.5),
            Occurrence("pack", 2, 10.0, 11.0, 11.5),
            Occurrence("pack", 1, 18.0, 21.0),
            Occurrence("cut", PICTURE, None, 5.0, 5.5),
            Occurrence("cut", PICTURE, None, 15.0, 15.5),
        ),
        (
            *(Counted(target, ("cups",), "", frozenset({0, 1})) for target in (MUGS, NOW, DELTA)),
            Counted(PACKED, ("mugs put away",), "", frozenset({0, 1}), "pack"),
            Counted(CUTS, (), "", frozenset({PICTURE}), "cut"),
        ),
    )


def test_a_return_is_visible_again_but_not_new() -> None:
    assert truth().counts(NOW, [0, 3.9, 4.0, 5, 6, 8, 12, 20]) == [1, 1, 0, 0, 1, 2, 1, 1]
    assert truth().counts(MUGS, [0, 5, 7.9, 8, 20]) == [1, 1, 1, 2, 2]


def test_a_window_asks_for_entries_or_for_the_change() -> None:
    assert truth().counts(DELTA, [7.0, 9.0], window=2.0) == [1, 1]
    assert truth().change(NOW, 3.0, 5.0) == -1
    assert truth().entries(NOW, 3.0, 7.0) == 1


def test_a_window_that_reaches_before_the_start_begins_with_nothing() -> None:
    assert truth().counts(DELTA, [1.0], window=4.0) == [1]
    assert truth().change(MUGS, -3.0, 1.0) == 1
    assert truth().change(MUGS, 0.0, 1.0) == 0


def test_events_count_when_complete_within_the_video_whenever_they_began() -> None:
    assert truth().events(PACKED) == (3.0, 9.0)
    assert truth().counts(PACKED, [0, 2.99, 3.0, 9, 20]) == [0, 0, 1, 2, 2]


def test_giving_up_is_no_edge_and_starts_before_zero_are_seen_at_zero() -> None:
    edges = [(edge.subject, edge.time, str(edge.edge.role)) for edge in truth().phase_edges(PACKED)]
    assert edges == [
        (1, 0.0, "start"),
        (0, 2.0, "start"),
        (1, 3.0, "complete"),
        (1, 3.5, "reset"),
        (0, 9.0, "complete"),
        (0, 9.5, "reset"),
        (1, 18.0, "start"),
    ]


def test_a_global_target_has_one_subject() -> None:
    edges = [(edge.subject, edge.time, str(edge.edge.role)) for edge in truth().phase_edges(CUTS)]
    assert edges == [(0, 5.0, "complete"), (0, 5.5, "reset"), (0, 15.0, "complete"), (0, 15.5, "reset")]


def test_other_wordings_mean_the_same_target() -> None:
    assert truth().count(Target("cups", "O2-Unique"), 20) == 2


def test_bad_input_is_one_clear_line() -> None:
    with pytest.raises(InvalidInput, match=r"expected a target of this scene, got 'forks' \(O1-Snap\)"):
        truth().count(Target("forks", "O1-Snap"), 1.0)
    with pytest.raises(InvalidInput, match="expected an event target, got 'mugs'"):
        truth().events(MUGS)
    with pytest.raises(InvalidInput, match="finite and not negative"):
        truth().count(MUGS, float("nan"))


def brute(made: Scene, counted: Counted, at: float) -> int:
    """A plain count: no sorting, no searching."""
    if counted.event:
        same = [o for o in made.script if o.event == counted.event and o.subject in counted.entities]
        return sum(1 for o in same if o.completion is not None and 0 <= o.completion <= min(at, SECONDS))
    mine = [presence for presence in made.truth.presences if presence.entity.id in counted.entities]
    if counted.target.operator.measure is Measure.UNIQUE:
        return sum(1 for presence in mine if any(start <= at for start, _ in presence.intervals))
    return sum(1 for presence in mine for start, end in presence.intervals if start <= at < end)


@pytest.mark.parametrize("family", ALL)
def test_every_target_of_every_family_counts_as_by_hand(family: str) -> None:
    made = scene(family)
    for counted in made.counted:
        for at in (0.0, 0.7, 3.3, 6.1, 9.95, 13.9):
            assert made.truth.count(counted.target, at) == brute(made, counted, at), (counted.target, at)


@pytest.mark.parametrize("family", ALL)
def test_no_answer_depends_on_the_future(family: str) -> None:
    made = scene(family)
    for cut in (2.05, 7.45):
        past = replace(
            made.truth,
            presences=tuple(
                Presence(
                    presence.entity,
                    tuple((s, e if e <= cut else SECONDS) for s, e in presence.intervals if s <= cut),
                )
                for presence in made.truth.presences
                if presence.first <= cut
            ),
            script=tuple(o for o in made.script if o.completion is None or o.completion <= cut),
        )
        for target in made.targets:
            assert past.count(target, cut) == made.truth.count(target, cut)
            assert past.change(target, 1.0, cut) == made.truth.change(target, 1.0, cut)


@pytest.mark.parametrize("family", ALL)
def test_phase_edges_are_legal_and_complete_as_often_as_events_do(family: str) -> None:
    made = scene(family)
    for target in made.targets:
        if not target.operator.is_event:
            continue
        graph = graph_for(target.operator)
        phases: dict[int, object] = {}
        completions = []
        for step in made.truth.phase_edges(target):
            assert step.edge in graph.edges
            assert phases.get(step.subject, graph.initial) == step.edge.source
            phases[step.subject] = step.edge.target
            completions += [step.time] if step.edge.increment else []
        assert tuple(completions) == made.truth.events(target), target
        assert target.scope is not Scope.GLOBAL or set(phases) <= {0}


@pytest.mark.parametrize("family", ALL)
def test_unique_never_falls_and_covers_what_is_visible(family: str) -> None:
    made = scene(family)
    times = [k / 4 for k in range(int(SECONDS * 4))]
    for target in made.targets:
        if target.operator is Operator.O2_UNIQUE:
            unique = made.truth.counts(target, times)
            visible = made.truth.counts(Target(target.description, "O1-Snap"), times)
            assert unique == sorted(unique)
            assert all(n <= u for n, u in zip(visible, unique, strict=True))
