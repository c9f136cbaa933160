"""Every nuisance twin: what looks alike and must not count."""

from itertools import pairwise

import numpy as np
import pytest

from stamina_video.data.world import FAMILIES, Scene, family_names, make_scene
from stamina_video.data.world.families import UNSEEN_FAMILIES
from stamina_video.data.world.families.conveyor import MOST_LOOKS
from stamina_video.data.world.families.doorway import DOOR
from stamina_video.data.world.figure import Figure
from stamina_video.data.world.kinds import KINDS, nouns
from stamina_video.data.world.motion import crossings
from stamina_video.data.world.palette import UNSEEN_COLOURS
from stamina_video.semantics import InvalidInput, Operator, Target
from tests.data.world.scenes import ALL, SECONDS, scene, split_of, with_twin


def event(made: Scene, operator: Operator) -> Target:
    return next(target for target in made.targets if target.operator is operator)


def test_what_is_lifted_back_was_not_packed() -> None:
    made = with_twin("packing", "lifted back")
    given_up = [o for o in made.script if o.event == "pack" and o.completion is None]
    assert given_up
    for attempt in given_up:
        lifts = [o.completion for o in made.script if o.event == "lift" and o.subject == attempt.subject]
        # It was picked up for all that, and nothing completes before its next start.
        assert attempt.start in lifts


def test_a_placement_completes_at_the_release_not_before() -> None:
    made = scene("packing")
    packs = [o for o in made.script if o.event == "pack" and o.completion is not None]
    assert packs
    for pack in packs:
        assert pack.start is not None
        assert pack.reset is not None
        assert pack.completion is not None
        body = next(body for body in made.bodies if body.entity and body.entity.id == pack.subject)
        held, let_go, later = (
            body.rig.pose(t)[0][:, 3] for t in (pack.start + 0.3, pack.completion, pack.reset)
        )
        assert not np.allclose(held, let_go)
        np.testing.assert_allclose(let_go, later)


def test_a_hand_that_hovers_moves_nothing() -> None:
    made = with_twin("packing", "hover")
    with_events = {o.subject for o in made.script}
    for body in made.bodies:
        if body.entity is None or body.entity.kind in ("person", "box") or body.entity.id in with_events:
            continue
        places = [body.rig.pose(t)[0] for t in np.linspace(0, SECONDS, 29)]
        brought = not np.allclose(places[0], places[-1])
        assert brought or all(np.array_equal(place, places[0]) for place in places)


def test_who_leaves_and_returns_is_the_same_and_a_look_alike_is_new() -> None:
    made = with_twin("doorway", "returns")
    people = Target("people", "O2-Unique")
    again = [presence for presence in made.truth.identities(people) if len(presence.intervals) > 1]
    assert again, "somebody was out of view for a while"
    assert made.truth.count(people, SECONDS) == len(made.truth.identities(people))
    twins = with_twin("packing", "look-alike")
    looks = [(body.shapes, body.entity) for body in twins.bodies if body.entity and body.entity.kind in KINDS]
    alike = [(a, b) for n, (s, a) in enumerate(looks) for t, b in looks[n + 1 :] if s is t]
    assert alike
    for one, other in alike:
        assert (one.kind, one.colour, one.pattern) == (other.kind, other.colour, other.pattern)
        assert one.id != other.id


def test_half_a_cycle_and_a_pause_do_not_count() -> None:
    for family in ("exercise", "pendulum"):
        made = with_twin(family, "cut short", "pause")
        target = event(made, Operator.E2_PERIODIC)
        starts = [o.start for o in made.script]
        ends = [o.completion for o in made.script]
        assert all(a is not None and b is not None and a < b for a, b in zip(starts, ends, strict=True))
        assert list(made.truth.events(target)) == sorted(
            t for t in ends if t is not None and 0 <= t <= SECONDS
        )


def test_a_squat_counts_once_it_has_been_to_the_bottom_and_back() -> None:
    seeds = (make_scene("exercise", seed, "train", SECONDS) for seed in range(200))
    made = next(s for s in seeds if "cut short" in s.twins and {o.event for o in s.script} == {"squat"})
    rigs = (body.rig for body in made.bodies if body.entity and body.entity.id == made.script[0].subject)
    depth = next(rig.crouch for rig in rigs if isinstance(rig, Figure))
    assert any(0 < value < 1 for (value,) in depth.values), "one squat stops half-way"
    away, counted = False, 0
    for time, (value,) in zip(depth.times, depth.values, strict=True):
        if away and value == 0:
            away, counted = False, counted + (0 <= time <= SECONDS)
        away = away or value == 1
    assert made.truth.count(event(made, Operator.E2_PERIODIC), SECONDS) == counted > 1


@pytest.mark.parametrize("twin", ["flash", "whip pan"])
def test_a_flash_or_a_whip_pan_is_no_cut(twin: str) -> None:
    made = with_twin("tour", twin)
    jumps = [a for a, b in zip(made.camera.eye.times, made.camera.eye.times[1:], strict=False) if a == b > 0]
    cuts = made.truth.events(event(made, Operator.E1_TRANSIT))
    assert list(cuts) == [time for time in jumps if time <= SECONDS]


def test_a_cut_changes_the_picture_at_once_and_a_flash_brightens_it() -> None:
    made = with_twin("tour", "flash")
    cut = made.truth.events(event(made, Operator.E1_TRANSIT))[0]
    before, after = (made.camera.eye.at(t) for t in (cut - 0.001, cut))
    assert max(abs(a - b) for a, b in zip(before, after, strict=True)) > 0.05
    brightest = max(zip(made.light.exposure.values, made.light.exposure.times, strict=True))[1]
    bright, usual = (made.frame(t, (64, 48)).mean() for t in (brightest, brightest - 0.5))
    assert bright > usual + 20


def test_a_belt_that_runs_back_counts_a_thing_again_only_after_its_return() -> None:
    made = with_twin("conveyor", "runs back")
    by_subject: dict[int, list[tuple[float, float | None]]] = {}
    for o in made.script:
        if o.event == "pass" and o.completion is not None:
            by_subject.setdefault(o.subject, []).append((o.completion, o.reset))
    for passes in by_subject.values():
        ordered = sorted(passes)
        for (_, reset), (following, _) in pairwise(ordered):
            assert reset is not None
            assert reset < following


def test_turning_on_the_threshold_is_no_passage() -> None:
    made = with_twin("doorway", "turns back")
    passages = sum(1 for o in made.script if o.event in ("out", "in"))
    walked = [crossings(body.rig.root, 1, DOOR) for body in made.bodies if isinstance(body.rig, Figure)]
    assert passages == sum(len(crossed) for crossed in walked)


def test_a_refused_offer_is_no_handover() -> None:
    made = with_twin("handover", "refused")
    assert any(o.completion is None for o in made.script)
    target = event(made, Operator.E2_EPISODE)
    assert made.truth.count(target, SECONDS) < sum(1 for o in made.script if o.event == "give")


def test_an_event_may_be_under_way_when_the_video_starts() -> None:
    made = with_twin("packing", "under way")
    early = [
        o
        for o in made.script
        if o.start is not None and o.completion is not None and o.start < 0 < o.completion
    ]
    target = event(made, Operator.E2_EPISODE)
    assert {o.completion for o in early if o.event == "pack"} <= set(made.truth.events(target))
    assert made.truth.phase_edges(target)[0].time == 0.0


def test_more_than_four_may_act_at_once() -> None:
    most = 0
    for seed in range(30):
        made = make_scene("doorway", seed, "train", SECONDS)
        for t in np.arange(0, SECONDS, 0.5):
            inside = [o for o in made.script if o.event == "visit" and o.start is not None and o.start <= t]
            most = max(most, sum(1 for o in inside if o.completion is None or o.completion > t))
    assert most > 4


def test_occlusion_hides_things_for_a_while() -> None:
    made = with_twin("packing", "look-alike")
    fractions = [
        s.fraction
        for t in np.arange(0, SECONDS, 0.5)
        for s in made.boxes(float(t))
        if s.entity.kind != "person"
    ]
    assert min(fractions) < 0.5 < max(fractions)


def test_distractors_of_other_classes_stand_about() -> None:
    kinds = {body.entity.kind for body in scene("packing").bodies if body.entity}
    assert len(kinds - {"box", "person"}) >= 2


@pytest.mark.parametrize("family", [name for name in ALL if name not in UNSEEN_FAMILIES])
def test_training_scenes_show_nothing_that_is_held_out(family: str) -> None:
    for seed in range(6):
        entities = [body.entity for body in make_scene(family, seed, "train", 8.0).bodies if body.entity]
        assert not {entity.kind for entity in entities} & set(nouns("unseen"))
        assert not {entity.colour for entity in entities} & UNSEEN_COLOURS


def test_held_out_families_are_only_in_the_unseen_split() -> None:
    assert set(family_names("unseen")) == set(FAMILIES)
    assert set(family_names("train")) == set(FAMILIES) - UNSEEN_FAMILIES
    with pytest.raises(InvalidInput, match=r"expected a family of the train split .*, got 'pendulum'"):
        make_scene("pendulum", 1)


@pytest.mark.parametrize("family", ALL)
def test_long_videos_go_on_happening(family: str) -> None:
    made = make_scene(family, 5, split_of(family), 300.0)
    completions = [o.completion for o in made.script if o.completion is not None and o.completion <= 300]
    assert max(completions) > 200
    assert len(completions) > 15


def test_a_long_belt_repeats_its_looks_but_never_its_individuals() -> None:
    made = make_scene("conveyor", 5, "train", 300.0)
    things = [(id(body.shapes), body.entity.id) for body in made.bodies if body.entity]
    assert len({look for look, _ in things}) <= MOST_LOOKS + 1
    assert len({number for _, number in things}) == len(things) > 3 * MOST_LOOKS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("circus", 1), "expected a family of the train split .* got 'circus'"),
        (("packing", -1), "expected a whole seed from 0, got -1"),
        (("packing", 1, "test"), r"expected a split \(train, varied, unseen, assorted\), got 'test'"),
        (("packing", 1, "train", 1.0), "expected a duration from 4 s, got 1"),
        (("packing", 1, "train", float("nan")), "expected a duration in seconds"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as refused:
        make_scene(*arguments)  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)
