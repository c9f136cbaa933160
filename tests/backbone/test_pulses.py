"""Cuts, beats, tides and crowds of made-up looks; nothing here needs weights."""

import math
from dataclasses import replace

import numpy as np
import pytest

from stamina_video.backbone.names import WORDS
from stamina_video.backbone.perception import Percept, PerceptLayout
from stamina_video.backbone.perception.gait import GAIT
from stamina_video.backbone.perception.motion import MOTION_CHANNELS
from stamina_video.backbone.perception.percept import TokenKind
from stamina_video.backbone.perception.perception import LIFE_CHANNELS
from stamina_video.backbone.pulses import CROWDS, FEWEST, PERSON, PULSES, Past, feel
from stamina_video.semantics import InvalidInput
from tests.backbone.percepts import a_percept

LAYOUT = PerceptLayout(appearance=64, names=6, motion=len(MOTION_CHANNELS), colour=4, grid=5)
CELLS = LAYOUT.grid**2
RNG = np.random.default_rng(0)
SCENE, OTHER, MOVE = (RNG.standard_normal((CELLS, LAYOUT.appearance)).astype(np.float32) for _ in range(3))


def look(appearance_GP: np.ndarray, foreground: float = 0.0) -> Percept:
    """The grid alone."""
    motion_GM = np.zeros((CELLS, LAYOUT.motion), np.float32)
    motion_GM[:, MOTION_CHANNELS.index("foreground")] = foreground
    return Percept(
        appearance_NP=appearance_GP.astype(np.float32),
        boxes_N4=np.zeros((CELLS, 4), np.float32),
        names_NS=np.zeros((CELLS, LAYOUT.names), np.float32),
        scores_N=np.zeros(CELLS, np.float32),
        motion_NM=motion_GM,
        colour_NC=np.zeros((CELLS, LAYOUT.colour), np.float32),
        life_NL=np.zeros((CELLS, LAYOUT.life), np.float32),
        kind_N=np.full(CELLS, TokenKind.GRID, np.int8),
        seat_N=np.full(CELLS, -1, np.int8),
    )


def felt(looks: list[Percept], restored: bool = False) -> np.ndarray:
    past: Past | None = None
    rows = []
    for number, percept in enumerate(looks):
        pulses_P, past = feel(percept, number / 6, past)
        if restored:
            past = Past.from_arrays(past.arrays())
        rows.append(pulses_P)
    return np.stack(rows)


def column(pulses_TP: np.ndarray, name: str) -> np.ndarray:
    return pulses_TP[:, PULSES.index(name)]


def swinging(cycles: int, period: int, away: float = 0.3) -> list[Percept]:
    angles = 2 * np.pi * np.arange(cycles * period + period // 2) / period
    return [look(SCENE + away * (1 - np.cos(angle)) * MOVE) for angle in angles]


def test_a_cut_is_felt_where_it_is_and_nowhere_else() -> None:
    noisy = [
        look(one + 0.1 * RNG.standard_normal(one.shape))
        for one in (*(SCENE,) * 6, *(OTHER,) * 6, *(SCENE,) * 6)
    ]
    cut_T = column(felt(noisy), "cut")
    assert np.flatnonzero(cut_T > 1).tolist() == [6, 12]
    assert np.delete(cut_T, [6, 12]).max() < 0.01


def test_a_picture_that_always_changes_is_not_cut() -> None:
    chaos = [look(RNG.standard_normal(SCENE.shape)) for _ in range(12)]
    assert column(felt(chaos), "cut")[2:].max() < 0.5


@pytest.mark.parametrize("period", [4, 8, 11])
def test_a_cycle_crosses_its_middle_twice(period: int) -> None:
    crossed = column(felt(swinging(6, period)), "appearance_crossed_12").sum()
    assert abs(crossed / 2 - (6 - FEWEST / period)) <= 1  # of the first looks nothing is told


def test_of_a_few_looks_no_swing_is_told() -> None:
    pulses_TP = felt(swinging(6, 4))
    for part in ("level", "step", "crossed"):
        told_T = column(pulses_TP, f"appearance_{part}_12")
        assert not told_T[: FEWEST - 1].any()
    assert column(pulses_TP, "appearance_level_12")[FEWEST - 1]


def test_the_first_look_of_a_scene_stands_low() -> None:
    level_T = column(felt(swinging(5, 8)), "appearance_level_12")
    assert level_T[20] > 0.5  # half way through its third cycle
    assert level_T[24] < -0.5


def test_noise_after_motion_does_not_beat() -> None:
    still = [look(SCENE + 0.01 * RNG.standard_normal(SCENE.shape)) for _ in range(20)]
    pulses_TP = felt([*swinging(3, 8), *still])
    assert column(pulses_TP, "appearance_crossed_12")[-5:].sum() == 0
    assert np.abs(column(pulses_TP, "appearance_level_12")[-5:]).max() < 0.3


def test_what_comes_and_goes_is_felt_with_its_sign() -> None:
    levels = [0.0] * 4 + [0.5] * 4 + [0.0] * 4
    crossed_T = column(felt([look(SCENE, level) for level in levels]), "foreground_crossed")
    assert crossed_T[8] == -1
    assert set(np.delete(crossed_T, [4, 8]).tolist()) == {0.0}


THINGS, REGIONS, WHOLE = 3, 2, 1
CROWDED = replace(LAYOUT, names=len(WORDS) + 2, life=len(LIFE_CHANNELS))


def crowd(seed: int = 0) -> Percept:
    """Things, the grid, the whole image and regions; everything has a random gait, even places."""
    counts = {
        TokenKind.DETECTION: THINGS,
        TokenKind.GRID: CELLS,
        TokenKind.GLOBAL: WHOLE,
        TokenKind.REGION: REGIONS,
    }
    kind_N = np.repeat(list(counts), list(counts.values())).astype(np.int8)
    tokens = len(kind_N)
    return replace(
        a_percept(seed, tokens=tokens, layout=replace(CROWDED, detections=60)),
        kind_N=kind_N,
        names_NS=np.random.default_rng(seed).random((tokens, CROWDED.names)).astype(np.float32),
    )


def gait_of(pulses_P: np.ndarray, who: str) -> np.ndarray:
    return np.array([pulses_P[PULSES.index(f"{who}_{name}")] for name in GAIT])


def test_crowds_add_up_how_each_of_them_moves() -> None:
    percept = crowd()
    pulses_P, _ = feel(percept, 0.0, None)
    person = list(WORDS).index("person")
    weights = {
        "people": [(row, float(percept.names_NS[row, person])) for row in range(THINGS)],
        "things": [(row, float(percept.scores_N[row])) for row in range(THINGS)],
        "regions": [(THINGS + CELLS + WHOLE + row, 1.0) for row in range(REGIONS)],
    }
    assert tuple(weights) == CROWDS
    for who, members in weights.items():
        total = math.sqrt(1 + sum(weight for _, weight in members))
        for place, name in enumerate(GAIT):
            column = LIFE_CHANNELS.index(name)
            moved = sum(weight * float(percept.life_NL[row, column]) for row, weight in members)
            assert gait_of(pulses_P, who)[place] == pytest.approx(moved / total, abs=1e-4), (who, name)


def test_the_crowds_of_an_empty_look_stand_still() -> None:
    percept = crowd()
    places = np.isin(percept.kind_N, (TokenKind.GRID, TokenKind.GLOBAL))
    nobody = Percept(**{name: array[places] for name, array in percept.arrays().items()})
    pulses_P, _ = feel(nobody, 0.0, None)
    assert all(not gait_of(pulses_P, who).any() for who in CROWDS)


def test_eyes_that_tell_no_gait_have_no_crowds() -> None:
    percept = replace(crowd(), life_NL=np.ones((len(crowd().kind_N), 3), np.float32))
    pulses_P, _ = feel(percept, 0.0, None)
    assert pulses_P.shape == (len(PULSES),)
    assert all(not gait_of(pulses_P, who).any() for who in CROWDS)


def beat_of(percept: Percept) -> float:
    return float(feel(percept, 0.0, None)[0][PULSES.index("beat")])


def test_the_beat_is_that_of_the_one_that_sways_most_widely() -> None:
    percept, (sway, beat) = crowd(), (LIFE_CHANNELS.index(name) for name in ("sway", "beat"))
    for widest in (0, THINGS - 1, len(percept) - 1):  # things and regions
        life_NL = percept.life_NL.clip(-1, 1)
        life_NL[widest, [sway, beat]] = 2.0, -0.75
        assert beat_of(replace(percept, life_NL=life_NL)) == -0.75


def test_where_nobody_sways_there_is_no_beat() -> None:
    percept = crowd()
    nobody = Percept(**{name: array[:0] for name, array in percept.arrays().items()})
    assert beat_of(nobody) == 0
    assert beat_of(replace(percept, life_NL=np.ones((len(percept), 3), np.float32))) == 0
    assert beat_of(replace(percept, life_NL=np.zeros_like(percept.life_NL))) == 0


def test_every_pulse_has_a_name_of_its_own() -> None:
    assert len(set(PULSES)) == len(PULSES)


def test_a_past_that_was_saved_goes_on_with_the_same_bits() -> None:
    looks = [*swinging(4, 7), look(OTHER), *(look(OTHER + 0.2 * number * MOVE, 0.1) for number in range(60))]
    np.testing.assert_array_equal(felt(looks), felt(looks, restored=True))


def test_the_past_does_not_grow() -> None:
    past: Past | None = None
    sizes = []
    for number in range(140):
        _, past = feel(look(SCENE + (number % 7) * 0.1 * MOVE), number / 6, past)
        sizes.append(sum(array.nbytes for array in past.arrays().values()))
    assert len(set(sizes[60:])) == 1


def test_any_percept_gives_finite_numbers() -> None:
    """Also one without a grid, and one whose motion has fewer channels."""
    past: Past | None = None
    for seed in range(5):
        pulses_P, past = feel(a_percept(seed, tokens=0), seed / 2, past)
        assert pulses_P.shape == (len(PULSES),)
        assert np.isfinite(pulses_P).all()


def test_a_past_with_a_part_missing_is_refused() -> None:
    _, past = feel(look(SCENE), 0.0, None)
    arrays = past.arrays()
    del arrays["axes.colour"]
    with pytest.raises(InvalidInput, match=r"expected the past of pulses, got nothing for 'axes\.colour'"):
        Past.from_arrays(arrays)


def test_who_is_away_from_the_first_look_is_felt_until_it_is_back() -> None:
    looks = [look(one) for one in (*(SCENE,) * 4, *(SCENE + 0.4 * MOVE,) * 4, *(SCENE,) * 4)]
    pulses_TP = felt(looks)
    assert column(pulses_TP, "away_level")[[3, 4, 7, 8, 11]].tolist() == pytest.approx([-1, 1, 1, -1, -1])
    assert np.flatnonzero(column(pulses_TP, "away_crossed")).tolist() == [8]  # where it came from is unknown
    assert column(pulses_TP, "away_crossed")[8] == -1
    assert column(pulses_TP, "cut").max() < 1


def test_after_a_cut_another_look_is_the_first() -> None:
    looks = [look(one) for one in (*(SCENE,) * 4, *(OTHER,) * 4, OTHER + 0.4 * MOVE, OTHER)]
    assert column(felt(looks), "away_level").tolist() == pytest.approx([-1] * 8 + [1, -1])


def test_the_tallest_person_is_felt_to_rise() -> None:
    def standing(top: float, person: float) -> Percept:
        empty = look(SCENE)
        names_NS, boxes_N4, kind_N = empty.names_NS.copy(), empty.boxes_N4.copy(), empty.kind_N.copy()
        kind_N[0], boxes_N4[0], names_NS[0, PERSON] = TokenKind.DETECTION, (0.4, top, 0.6, 0.9), person
        return replace(empty, names_NS=names_NS, boxes_N4=boxes_N4, kind_N=kind_N)

    squats = [standing(top, 1.0) for top in (0.2, 0.2, 0.5, 0.5, 0.2, 0.2)]
    assert column(felt(squats), "body_level").tolist() == pytest.approx([-1, -1, -1, -1, 1, 1])
    assert not column(felt([standing(top, 0.0) for top in (0.2, 0.5)]), "body_step").any()
