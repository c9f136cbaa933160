import random
from dataclasses import replace

from stamina_video.backbone.names import WORDS as CLASSES
from stamina_video.runtime.state import check_targets
from stamina_video.semantics import Scope, Target
from stamina_video.training.draws import EVENTS, JUDGED, OTHERS, PRESENT, READ, ROLLED, STILLS, Draws, judged
from stamina_video.training.renaming import Renaming
from stamina_video.training.sample import Lesson, Sample, Shown
from stamina_video.training.schedule import Stage
from tests.training.toys import labels

LOOKS = 3
SHOWN = ((Shown("entity 1", (0.1, 0.1, 0.2, 0.2)),),) * LOOKS
WORDS = {"things 0": ("objects 0", "items 0"), "event 0": ("thing done",)}
DRAWS = Draws(WORDS, Renaming(tuple(CLASSES)))


def thing(number: int, count: int = 1) -> Lesson:
    visible = labels(range(1, LOOKS + 1), [count] * LOOKS)
    return Lesson(Target(f"things {number}", "O2-Unique"), visible=visible, unique=visible, shown=SHOWN)


def event(number: int) -> Lesson:
    return Lesson(
        Target(f"event {number}", "E1-Action", Scope.ENTITY),
        completed=labels([LOOKS], [1]),
        shown=SHOWN,
        crossings=(),
    )


SCENE = Sample("scene", lambda: [], (*map(thing, range(12)), thing(12, count=0), *map(event, range(7))))
CLIP = Sample(
    "clip",
    lambda: [],
    (
        Lesson(Target("cars", "O2-Unique"), visible=labels([2], [4])),
        Lesson(Target("dogs", "O2-Unique"), unique=labels([2], [4])),
        Lesson(Target("push-up", "E2-Periodic"), completed=labels([2], [1])),
    ),
)


def drawn(sample: Sample, stage: Stage, seed: int = 0) -> tuple[Lesson, ...]:
    return DRAWS(sample, stage, random.Random(seed)).lessons


def test_seeing_asks_for_some_things_one_that_is_absent_and_events_of_the_scene() -> None:
    lessons = drawn(SCENE, Stage.SEEING)
    things = [one for one in lessons if not one.target.operator.is_event]
    events = [one for one in lessons if one.target.operator.is_event]
    assert (len(things), len(events)) == (PRESENT + OTHERS + 1, EVENTS)
    absent = things[-1]
    assert any(absent.target.description in words for words in CLASSES.values())
    assert absent.shown == ((),) * LOOKS
    assert {one.target.scope for one in events} == {Scope.GLOBAL}


def test_a_still_is_one_look_at_things_and_the_same_each_time() -> None:
    names: dict[str, list[str]] = {}
    for seed in range(60):
        still = DRAWS(SCENE, Stage.NAMING, random.Random(seed))
        assert {len(one.shown or ()) for one in still.lessons} == {1}
        assert not any(one.target.operator.is_event for one in still.lessons)
        described = [one.target.description for one in still.lessons]
        assert names.setdefault(still.id, described) == described
    assert len(names) == STILLS


def test_rereading_asks_for_events_of_the_scene_as_it_is_or_in_a_mirror() -> None:
    names = set()
    for seed in range(20):
        asked = DRAWS(SCENE, Stage.REREADING, random.Random(seed))
        names.add(asked.id)
        assert len(asked.lessons) == READ
        assert {one.target.scope for one in asked.lessons} == {Scope.GLOBAL}
    assert names == {"scene", "scene mirrored"}  # what is kept of one must not pass for the other
    assert [one.target.description for one in drawn(CLIP, Stage.REREADING)] == ["push-up"]
    assert {DRAWS(CLIP, Stage.REREADING, random.Random(seed)).id for seed in range(9)} == {"clip"}


def test_rolling_out_asks_for_few_things_that_can_be_seen() -> None:
    for seed in range(20):
        lessons = drawn(SCENE, Stage.JOINT, seed)
        assert 0 < len(lessons) <= ROLLED
        assert not any(one.target.operator.is_event for one in lessons)
        assert "things 12" not in {one.target.description for one in lessons}
        check_targets([one.target for one in lessons])


def test_a_judged_scene_is_asked_as_people_ask() -> None:
    lessons = judged(SCENE, random.Random(0)).lessons
    events = [one for one in lessons if one.target.operator.is_event]
    assert len(lessons) - len(events) == len(events) == JUDGED
    assert {one.target.scope for one in events} == {Scope.GLOBAL}


def name_of(lesson: Lesson) -> str:
    said = lesson.target.description.removeprefix("red ")
    (name,) = (name for name, words in CLASSES.items() if said in words)
    return name


def test_what_is_absent_is_never_the_new_name_of_a_thing() -> None:
    lessons = tuple(replace(thing(0), target=Target(words, "O2-Unique")) for words in ("mugs", "red books"))
    scene = Sample("scene", lambda: [], lessons)
    for seed in range(200):
        *asked, absent = drawn(scene, Stage.SEEING, seed)
        assert absent.shown == ((),) * LOOKS
        # Hot dogs are no dogs: names are compared, not words.
        assert not {name_of(one) for one in asked} & {name_of(absent)}


def test_words_change_and_chance_decides_alone() -> None:
    said = {one.target.description for seed in range(60) for one in drawn(SCENE, Stage.SEEING, seed)}
    assert {"things 0", "objects 0", "items 0", "event 0", "thing done"} <= said
    first, again = ([one.target for one in drawn(SCENE, Stage.SEEING, 7)] for _ in range(2))
    assert first == again


def test_of_some_trajectories_only_pulses_are_read_and_cycles_go_by_faster() -> None:
    cycle = Lesson(Target("squats", "E2-Periodic"), completed=labels([1, 2, 3], [0, 0, 1]), crossings=())
    scene = replace(SCENE, lessons=(thing(0), cycle))
    reads = [DRAWS(scene, Stage.REREADING, random.Random(seed)) for seed in range(60)]
    assert {one.blind for one in reads} == {True, False}
    blind = [replace(DRAWS, blind=1.0)(scene, Stage.REREADING, random.Random(seed)) for seed in range(20)]
    assert all(one.blind for one in blind)
    assert {one.id.removesuffix(" mirrored") for one in reads} == {"scene", "scene x2"}
    real = [DRAWS(CLIP, Stage.REREADING, random.Random(seed)) for seed in range(60)]
    assert {one.id for one in real} == {"clip"}  # its own speed is real
