import math
from dataclasses import replace
from itertools import pairwise

import pytest
import torch
from torch import Tensor

from stamina_video.backbone.perception.colour import SURVEYED
from stamina_video.backbone.perception.linking import MARKED
from stamina_video.backbone.perception.namer import (
    BEYOND,
    CLOSE_WORTH,
    FAINTEST,
    FEATURES,
    LEAST_STEP,
    QUIET,
    SELDOM,
    SPOKEN,
    Evidence,
    Marker,
    Namer,
    Painter,
    surprise,
)

COLUMNS = ("cup", "bottle", "box", "vase", "something", "nothing")
VOCABULARY = ("bottle", "cup", "vase", "zebra")
KINDS = ("box", "cup", "vase", "something")
THINGS = 5
# Among the features: what is heard from afar and in close-ups, of each of these four; then kinds.
OVER_USUAL, OVER_ALL, OVER_STRANGE, TOGETHER = range(4)
AFAR, CLOSE = slice(0, 4), slice(4, 8)
KIND, TAUGHT = 9, 11
USUAL_L = torch.linspace(-2.5, -0.5, len(SELDOM))  # how loud any class is so seldom


def namer(
    columns: tuple[str, ...] = COLUMNS,
    vocabulary: tuple[str, ...] = VOCABULARY,
    kinds: tuple[str, ...] = KINDS,
) -> Namer:
    torch.manual_seed(0)
    one = Namer(columns, vocabulary, kinds)
    one.usual_2VL[0], one.usual_2VL[1] = USUAL_L, USUAL_L + 0.25
    return one


def seen(things: int = THINGS) -> Evidence:
    dice = torch.Generator().manual_seed(1)
    everything = Evidence(
        torch.rand(THINGS, len(VOCABULARY), generator=dice),
        torch.rand(THINGS, len(VOCABULARY), generator=dice),
        torch.randn(THINGS, len(KINDS), generator=dice).log_softmax(-1),
        torch.randn(THINGS, generator=dice),
        torch.randn(THINGS, generator=dice),
        torch.rand(THINGS, 2, generator=dice),
        torch.rand(THINGS, generator=dice),
    )
    return everything.rows(torch.arange(things))


def test_every_name_of_every_thing_has_a_logit() -> None:
    assert namer()(seen()).shape == (THINGS, len(COLUMNS))
    features_KNF = namer().features(seen())
    assert features_KNF.shape == (THINGS, len(COLUMNS), FEATURES)
    assert features_KNF.isfinite().all()


def test_rows_of_evidence_are_those_things_alone() -> None:
    rows = torch.tensor([3, 0, 3])
    some = seen().rows(rows)
    assert len(Evidence.__slots__) == 7
    for name in Evidence.__slots__:
        assert torch.equal(getattr(some, name), getattr(seen(), name)[rows]), name
    torch.testing.assert_close(namer()(some), namer()(seen())[rows])


def test_features_mean_the_same_for_every_name() -> None:
    classes, taught, listed = [2, 0, 3, 1], [1, 2, 0, 3], [3, 1, 0, 2, 4, 5]
    turned = namer(
        tuple(COLUMNS[place] for place in listed),
        tuple(VOCABULARY[place] for place in classes),
        tuple(KINDS[place] for place in taught),
    )
    one = seen()
    other = replace(
        one,
        afar_KV=one.afar_KV[:, classes],
        close_KV=one.close_KV[:, classes],
        kinds_KO=one.kinds_KO[:, taught],
    )
    torch.testing.assert_close(turned(other), namer()(one)[:, listed])


def test_two_names_that_say_the_same_are_judged_alike() -> None:
    same = replace(
        seen(1),
        afar_KV=torch.full((1, len(VOCABULARY)), 0.3),
        close_KV=torch.full((1, len(VOCABULARY)), 0.6),
        kinds_KO=torch.full((1, len(KINDS)), -1.1),
    )
    logits_KN = namer()(same)
    cup, vase = COLUMNS.index("cup"), COLUMNS.index("vase")  # both are classes and kinds
    torch.testing.assert_close(logits_KN[:, cup], logits_KN[:, vase])


def test_something_and_nothing_are_told_apart_at_the_end_of_the_list() -> None:
    is_something_N, is_nothing_N = namer().features(seen())[0, :, -2:].T
    assert is_something_N.tolist() == [0, 0, 0, 0, 1, 0]
    assert is_nothing_N.tolist() == [0, 0, 0, 0, 0, 1]


def said(features_KNF: Tensor, name: str) -> Tensor:
    return features_KNF[:, COLUMNS.index(name)]


def test_a_taught_name_is_judged_by_its_kind_and_another_by_being_none_of_them() -> None:
    kinds_KO, features_KNF = seen().kinds_KO, namer().features(seen())
    for name in ("box", "cup", "vase", "something"):
        own_K = kinds_KO[:, KINDS.index(name)]
        torch.testing.assert_close(said(features_KNF, name)[:, KIND], own_K - FAINTEST)
    torch.testing.assert_close(said(features_KNF, "bottle")[:, KIND], kinds_KO[:, -1] - FAINTEST)
    assert features_KNF[0, :, TAUGHT].tolist() == [1, 0, 1, 1, 1, 0]


def test_what_was_not_taught_is_judged_alike_whatever_taught_kind_it_resembles() -> None:
    turned = namer()(replace(seen(), kinds_KO=seen().kinds_KO[:, [1, 2, 0, 3]]))
    same = namer()(seen())
    torch.testing.assert_close(said(turned[..., None], "bottle"), said(same[..., None], "bottle"))
    assert not torch.allclose(said(turned[..., None], "cup"), said(same[..., None], "cup"))


def test_two_names_that_nothing_was_taught_about_are_judged_alike() -> None:
    columns = ("bottle", "zebra", "something", "nothing")
    equal_KV = torch.tensor([[0.4, 0.1, 0.2, 0.4]]).expand(THINGS, -1)  # bottle and zebra
    logits_KN = namer(columns=columns)(replace(seen(), afar_KV=equal_KV, close_KV=equal_KV))
    torch.testing.assert_close(logits_KN[:, 0], logits_KN[:, 1])


@pytest.mark.parametrize(("part", "place"), [("afar_KV", AFAR), ("close_KV", CLOSE)])
def test_among_what_was_not_taught_a_taught_class_is_not_heard(part: str, place: slice) -> None:
    before = said(namer().features(seen()), "bottle")[:, place]
    after = said(namer().features(louder(part, "cup")), "bottle")[:, place]
    assert not torch.allclose(before[:, OVER_ALL], after[:, OVER_ALL])
    torch.testing.assert_close(before[:, OVER_STRANGE], after[:, OVER_STRANGE])


def louder(part: str, name: str) -> Evidence:
    """A class that is heard louder than all others, from afar or in close-ups."""
    scores_KV = getattr(seen(), part).clone()
    scores_KV[:, VOCABULARY.index(name)] = 5.0
    return replace(seen(), **{part: scores_KV})


@pytest.mark.parametrize(("part", "place"), [("afar_KV", AFAR), ("close_KV", CLOSE)])
def test_a_class_is_heard_from_afar_and_in_close_ups_each_by_itself(part: str, place: slice) -> None:
    before, after = namer().features(seen()), namer().features(louder(part, "bottle"))
    changed_F = (before != after).any(1).any(0)
    assert changed_F.nonzero().flatten().tolist() == list(range(FEATURES)[place])
    heard_KX = said(after, "bottle")[:, place]
    assert (heard_KX[:, OVER_ALL] > 0).all()
    expected_K = getattr(louder(part, "bottle"), part).add(QUIET).sum(1).log() + 2
    torch.testing.assert_close(heard_KX[:, TOGETHER], expected_K)


def test_a_kind_treated_as_never_taught_leaves_the_features_of_a_namer_that_was_not_taught_it() -> None:
    taught = ("box", "vase", "something")
    is_taught_KO = torch.tensor([kind in taught for kind in KINDS]).expand(THINGS, -1)
    rest_KO = seen().kinds_KO[:, [KINDS.index(kind) for kind in taught]].log_softmax(-1)
    found_KNF = namer().features(seen(), is_taught_KO)
    torch.testing.assert_close(found_KNF, namer(kinds=taught).features(replace(seen(), kinds_KO=rest_KO)))
    assert not said(found_KNF, "cup")[:, TAUGHT].any()


def test_kinds_may_be_untaught_thing_by_thing() -> None:
    is_taught_KO = torch.ones(THINGS, len(KINDS), dtype=torch.bool)
    is_taught_KO[2, KINDS.index("cup")] = False
    changed_K = (namer()(seen(), is_taught_KO) - namer()(seen())).abs().amax(1) > 1e-4
    assert changed_K.tolist() == [False, False, True, False, False]


def test_a_kind_that_is_out_of_the_question_is_no_less_than_faint() -> None:
    features_KNF = namer().features(replace(seen(), kinds_KO=torch.full((THINGS, len(KINDS)), -1e9)))
    assert features_KNF.isfinite().all()
    assert not features_KNF[..., KIND].any()


@pytest.mark.parametrize(("measured", "place"), [(0, AFAR), (1, CLOSE)])
def test_the_louder_a_class_usually_is_the_less_it_says(measured: int, place: slice) -> None:
    one = namer()
    before, logits_KN = said(one.features(seen()), "bottle"), one(seen())
    one.usual_2VL[measured, VOCABULARY.index("bottle")] += 0.5
    after = said(one.features(seen()), "bottle")
    assert (after[:, place][:, OVER_USUAL] <= before[:, place][:, OVER_USUAL]).all()
    assert (after[:, place][:, OVER_USUAL] < before[:, place][:, OVER_USUAL]).any()
    assert torch.equal(after[:, place][:, TOGETHER], before[:, place][:, TOGETHER])
    assert torch.equal(after[:, place.stop :], before[:, place.stop :])
    assert torch.equal(after[:, : place.start], before[:, : place.start])
    assert (one(seen()) != logits_KN).any(0)[COLUMNS.index("bottle")]


def surprise_at(loud: list[float], usual_L: Tensor = USUAL_L) -> list[float]:
    """Of one class, for some loudnesses."""
    told: list[float] = surprise(torch.tensor(loud)[:, None], usual_L[None])[:, 0].tolist()
    return told


def test_a_surprise_is_worth_what_it_is_seldom() -> None:
    """As loud as half of all things are is none."""
    expected = [math.log(SELDOM[0] / seldom) for seldom in SELDOM]
    assert surprise_at(USUAL_L.tolist()) == pytest.approx(expected, abs=1e-5)
    half_way = ((USUAL_L[1:] + USUAL_L[:-1]) / 2).tolist()
    between = [(one + other) / 2 for one, other in pairwise(expected)]
    assert surprise_at(half_way) == pytest.approx(between, abs=1e-5)


def test_what_is_quiet_surprises_nobody_and_what_is_loudest_only_so_much() -> None:
    lowest, highest = float(USUAL_L[0]), float(USUAL_L[-1])
    assert surprise_at([lowest - 5, lowest - 0.1, lowest]) == [0, 0, 0]
    step, worth = highest - float(USUAL_L[-2]), math.log(SELDOM[-2] / SELDOM[-1])
    most = math.log(SELDOM[0] / SELDOM[-2]) + BEYOND * worth
    beyond = surprise_at([highest + step, highest + (BEYOND - 1) * step, highest + 9 * step])
    assert beyond == pytest.approx([most - (BEYOND - 2) * worth, most, most], abs=1e-4)


def test_a_class_that_is_always_equally_loud_is_not_told_apart_too_finely() -> None:
    flat_L = torch.full_like(USUAL_L, -1.0)
    barely, clearly = surprise_at([-1.0 + 0.01 * LEAST_STEP, -1.0 + LEAST_STEP], flat_L)
    whole = math.log(SELDOM[0] / SELDOM[-1])
    assert (barely, clearly) == pytest.approx((0.01 * whole, whole), rel=1e-3)


@pytest.mark.parametrize("part", ["spotted_K", "there_K", "crowding_K2", "drawn_K"])
def test_whether_anything_is_there_how_crowded_it_is_and_who_drew_it_make_a_difference(part: str) -> None:
    other = replace(seen(), **{part: 0 * getattr(seen(), part)})
    assert not torch.allclose(namer()(other), namer()(seen()), atol=1e-4)


def test_a_look_without_things_has_no_names() -> None:
    assert namer()(seen(0)).shape == (0, len(COLUMNS))


def test_a_painter_reads_a_point_of_colour_space() -> None:
    painter = Painter(SURVEYED, len(KINDS))
    paints_K3 = painter(torch.rand(THINGS, SURVEYED), seen().kinds_KO)
    assert paints_K3.shape == (THINGS, 3)
    assert paints_K3.isfinite().all()


def a_marker() -> Marker:
    torch.manual_seed(0)
    return Marker(features=8, colours=SURVEYED)


def looks() -> tuple[Tensor, Tensor]:
    dice = torch.Generator().manual_seed(2)
    return torch.randn(THINGS, 8, generator=dice), torch.rand(THINGS, SURVEYED, generator=dice)


def test_a_mark_has_unit_length() -> None:
    marks_KM = a_marker()(*looks())
    assert marks_KM.shape == (THINGS, MARKED)
    torch.testing.assert_close(marks_KM.norm(dim=1), torch.ones(THINGS))


def test_a_mark_follows_shape_and_colours_but_not_how_loud_features_are() -> None:
    features_KE, colours_KC = looks()
    marks_KM = a_marker()(features_KE, colours_KC)
    torch.testing.assert_close(a_marker()(7 * features_KE, colours_KC), marks_KM, atol=1e-4, rtol=1e-4)
    assert not torch.allclose(a_marker()(features_KE.flip(1), colours_KC), marks_KM, atol=1e-2)
    assert not torch.allclose(a_marker()(features_KE, colours_KC.flip(1)), marks_KM, atol=1e-2)


def test_a_look_without_things_has_no_marks() -> None:
    assert a_marker()(torch.zeros(0, 8), torch.zeros(0, SURVEYED)).shape == (0, MARKED)


def test_a_detector_that_speaks_names_what_is_there_as_loudly_as_it_speaks() -> None:
    named_KN = torch.tensor([[0.6, 0.0, 0.1, 0.0, 0.1, 0.2]]).repeat(3, 1)
    afar_KV = torch.zeros(3, len(VOCABULARY))
    afar_KV[1:, VOCABULARY.index("vase")] = torch.tensor([SPOKEN, 0.9])
    heard_KN = namer().heard(named_KN, afar_KV, torch.zeros_like(afar_KV))
    torch.testing.assert_close(heard_KN[0], named_KN[0])  # silence changes nothing
    vase, cup = COLUMNS.index("vase"), COLUMNS.index("cup")
    assert heard_KN[1, vase].item() == pytest.approx(0.5 * 0.8)  # half of what is there
    assert heard_KN[1, cup].item() == pytest.approx(0.5 * 0.6)
    assert heard_KN[2, vase].item() > 0.7
    torch.testing.assert_close(heard_KN[:, -1], named_KN[:, -1])  # whether it is there was known before
    torch.testing.assert_close(heard_KN.sum(1), torch.ones(3))


def test_a_close_up_counts_half_beside_the_whole_picture() -> None:
    named_KN = torch.full((1, len(COLUMNS)), 1 / len(COLUMNS))
    loud_KV = torch.tensor([[0.4, 0.0, 0.0, 0.0]])
    still_KV = torch.zeros_like(loud_KV)
    torch.testing.assert_close(
        namer().heard(named_KN, still_KV, loud_KV), namer().heard(named_KN, CLOSE_WORTH * loud_KV, still_KV)
    )
