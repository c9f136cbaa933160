"""Names, learned from made-up evidence: kinds that were taught say who is who, classes say the rest."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from stamina_video.backbone.perception.finder import EyesConfig, TrainedEyes
from stamina_video.backbone.perception.namer import QUIET, SELDOM, Evidence
from stamina_video.backbone.perception.spotter import SpotterConfig
from stamina_video.training.eyes.naming import (
    BLURRED,
    FILMED,
    NAMELESS,
    STRANGE,
    UNTOLD,
    Named,
    _blurred,
    learn_names,
)
from stamina_video.training.eyes.things import NOTHING, UNCLEAR
from stamina_video.training.recipe import Course
from tests.backbone.perception.sights import COLUMNS, VOCABULARY
from tests.training.eyes.glances import BOTTLE, BOX, CUP, OTHER, as_found, glance

KINDS = ("cup", "box", "something")
NO_THING = COLUMNS.index("nothing")
LEFT, MIDDLE, RIGHT = (0.1, 0.1, 0.3, 0.3), (0.4, 0.1, 0.5, 0.3), (0.6, 0.1, 0.8, 0.3)


def eyes() -> TrainedEyes:
    torch.manual_seed(0)
    return TrainedEyes(EyesConfig(COLUMNS, VOCABULARY, SpotterConfig(KINDS, width=8, channels=3)))


def evidence_of(things: int, seed: int = 0) -> Evidence:
    dice = torch.Generator().manual_seed(seed)
    return Evidence(
        torch.rand(things, len(VOCABULARY), generator=dice),
        torch.rand(things, len(VOCABULARY), generator=dice),
        torch.randn(things, len(KINDS), generator=dice).log_softmax(-1),
        torch.randn(things, generator=dice),
        torch.randn(things, generator=dice),
        torch.rand(things, 2, generator=dice),
        torch.ones(things),
    )


def test_a_thing_has_the_name_it_was_told_or_is_nothing_and_what_is_unclear_is_left_out() -> None:
    seen = glance((CUP, LEFT), (BOTTLE, MIDDLE), (BOX, RIGHT))
    strange = replace(seen, told=replace(seen.told, names_K=np.array([CUP, -1, BOX])))
    things = [as_found(seen, [2, NOTHING, UNCLEAR]), as_found(seen, [NOTHING, 1, 0])]
    judged = [evidence_of(3, seed) for seed in range(2)]
    named = Named.of(eyes(), [seen, strange], things, judged, staged=1)
    assert named.names_M.tolist() == [BOX, NO_THING, NO_THING, CUP]  # one told of has no name of the list
    assert named.is_real_M.tolist() == [False, False, True, True]
    for name in Evidence.__slots__:
        expected = torch.cat([getattr(judged[0], name)[:2], getattr(judged[1], name)[[0, 2]]])
        assert torch.equal(getattr(named.seen, name), expected), name


def test_glances_without_things_add_nothing() -> None:
    seen, nobody = glance((CUP, LEFT)), glance()
    judged = [evidence_of(count) for count in (0, 1, 0)]
    glances = [nobody, seen, nobody]
    named = Named.of(eyes(), glances, [as_found(one) for one in glances], judged, staged=2)
    assert named.names_M.tolist() == [CUP]
    assert named.is_real_M.tolist() == [False]


def named_as(names: list[int], real: list[bool]) -> Named:
    return Named(evidence_of(len(names)), torch.tensor(names), torch.tensor(real))


def test_how_loud_a_class_is_so_seldom_is_measured_on_drawn_things_of_other_names() -> None:
    names = [CUP, BOTTLE, BOX, OTHER, NO_THING] * 8
    real = [number % 3 == 0 for number in range(len(names))]
    named, learner = named_as(names, real), eyes()
    usual_2VL = named.usual(learner.namer.classes_N, NO_THING)
    assert usual_2VL.shape == (2, len(VOCABULARY), len(SELDOM))
    for usual_VL, scores_MV in zip(usual_2VL, (named.seen.afar_KV, named.seen.close_KV), strict=True):
        for place, word in enumerate(VOCABULARY):
            without_cause = [
                math.log(float(scores_MV[row, place]) + QUIET)
                for row, name in enumerate(names)
                if not real[row] and name not in (NO_THING, COLUMNS.index(word))
            ]
            expected_L = np.quantile(without_cause, [1 - seldom for seldom in SELDOM])
            np.testing.assert_allclose(usual_VL[place], expected_L, atol=1e-4)
    learn_names(learner, named, Course(1, 8, 1e-9), lambda *_: None)
    assert torch.equal(learner.namer.usual_2VL, usual_2VL)


def test_common_names_come_up_more_often_than_rare_ones_but_by_roots() -> None:
    weight_M = named_as([CUP] * 9 + [BOX], [False] * 10).weights(len(COLUMNS))
    assert float(weight_M[:9].sum() / weight_M[9]) == pytest.approx(3)


def test_real_things_come_up_in_a_fixed_share() -> None:
    weight_M = named_as([CUP, BOX, CUP, CUP, BOTTLE], [False, False, False, True, True]).weights(len(COLUMNS))
    assert float(weight_M[3:].sum()) == pytest.approx(FILMED)
    assert float(weight_M[:3].sum()) == pytest.approx(1 - FILMED)
    without = named_as([CUP, BOX], [False, False]).weights(len(COLUMNS))
    assert without.isfinite().all()
    assert (without > 0).all()


def told_apart(things: int = 60) -> Named:
    """Cups and boxes are of their kinds; bottles are of none, but loud. What is nothing is hardly there."""
    dice = torch.Generator().manual_seed(0)
    names_M = torch.tensor([CUP, BOTTLE, BOX, OTHER, NO_THING]).repeat(things // 5)
    one = evidence_of(things)
    own_M = torch.tensor([0, 2, 1, 2, 2]).repeat(things // 5)
    kinds_MO = 4 * torch.nn.functional.one_hot(own_M, len(KINDS)) + 0.3 * torch.randn(
        things, 3, generator=dice
    )
    scores_MV = 0.05 * torch.rand(things, len(VOCABULARY), generator=dice)
    scores_MV[names_M == CUP, VOCABULARY.index("cup")] = 0.6
    scores_MV[names_M == BOTTLE, VOCABULARY.index("bottle")] = 0.6
    there_M = torch.where(names_M == NO_THING, -3.0, 3.0)
    seen = replace(
        one,
        afar_KV=scores_MV,
        close_KV=scores_MV.clone(),
        kinds_KO=kinds_MO.log_softmax(-1),
        there_K=there_M,
        spotted_K=there_M.clone(),
    )
    return Named(seen, names_M, torch.zeros(things, dtype=torch.bool))


@torch.no_grad()
def share_right(learner: TrainedEyes, named: Named) -> float:
    return float((learner.namer(named.seen).argmax(1) == named.names_M).float().mean())


def test_a_few_lessons_tell_names_apart_taught_or_not() -> None:
    learner, named = eyes(), told_apart()
    said: list[str] = []
    learn_names(learner, named, Course(120, 64, 1e-2), lambda what, *_: said.append(what))
    assert set(said) == {"learning names"}
    assert share_right(learner, named) > 0.9


def test_lessons_leave_what_was_seen_as_it_was() -> None:
    """Some classes are silenced and some kinds are blurred: of copies."""
    named = told_apart()
    before = {name: getattr(named.seen, name).clone() for name in Evidence.__slots__}
    names_M = named.names_M.clone()
    learn_names(eyes(), named, Course(5, 64, 1e-2), lambda *_: None)
    for name, tensor in before.items():
        assert torch.equal(getattr(named.seen, name), tensor), name
    assert torch.equal(named.names_M, names_M)


def test_what_is_taught_is_also_known_as_if_it_had_not_been() -> None:
    """A cup whose kind nobody was taught is still a cup, by its class; a box has none, and is something."""
    learner, named = eyes(), told_apart()
    learn_names(learner, named, Course(150, 64, 1e-2), lambda *_: None)
    is_taught_MO = torch.ones(len(named.names_M), len(KINDS), dtype=torch.bool)
    for name in (CUP, BOX):
        is_taught_MO[named.names_M == name, KINDS.index(COLUMNS[name])] = False
    with torch.no_grad():
        best_M = learner.namer(named.seen, is_taught_MO).argmax(1)
    assert (best_M[named.names_M == CUP] == CUP).float().mean() > 0.8
    assert (best_M[named.names_M == BOX] == OTHER).float().mean() > 0.8


@pytest.fixture(scope="module")
def shown() -> tuple[Evidence, Tensor]:
    """All that lessons showed, and which kinds passed for taught; `drawn_K` is the name of each thing."""
    learner, named = eyes(), told_apart()
    given: list[tuple[Evidence, Tensor]] = []
    learner.namer.register_forward_pre_hook(lambda _, given_now: given.append(given_now))
    marked = replace(named, seen=replace(named.seen, drawn_K=named.names_M.float()))
    learn_names(learner, marked, Course(40, 64, 1e-3), lambda *_: None)
    together = (torch.cat([getattr(one, name) for one, _ in given]) for name in Evidence.__slots__)
    return Evidence(*together), torch.cat([is_taught_BO for _, is_taught_BO in given])


@pytest.mark.parametrize("name", [CUP, BOX])
def test_half_of_what_is_taught_is_shown_as_if_it_had_not_been(
    name: int, shown: tuple[Evidence, Tensor]
) -> None:
    seen, is_taught_BO = shown
    is_taught_BO = is_taught_BO[seen.drawn_K == name]
    kind = KINDS.index(COLUMNS[name])
    assert (~is_taught_BO[:, kind]).float().mean().item() == pytest.approx(STRANGE, abs=0.06)
    is_taught_BO = is_taught_BO.clone()
    is_taught_BO[:, kind] = True
    assert is_taught_BO.all()  # no other kind is in doubt


def test_some_of_what_has_a_name_and_no_kind_is_shown_as_if_it_were_of_some_kind(
    shown: tuple[Evidence, Tensor],
) -> None:
    seen, is_taught_BO = shown
    bottles_BO = is_taught_BO[seen.drawn_K == BOTTLE]
    assert bottles_BO[:, :-1].all()
    assert (~bottles_BO[:, -1]).float().mean().item() == pytest.approx(UNTOLD, abs=0.06)
    for name in (OTHER, NO_THING):  # what is something else is so for sure, and nothing is not asked
        assert is_taught_BO[seen.drawn_K == name].all()


def test_some_of_what_passes_for_untaught_has_no_voice_either(shown: tuple[Evidence, Tensor]) -> None:
    seen, is_taught_BO = shown
    cup, is_strange_B = VOCABULARY.index("cup"), ~is_taught_BO[:, KINDS.index("cup")]
    for scores_BV in (seen.afar_KV, seen.close_KV):
        silent_B = scores_BV[:, cup] == 0
        assert silent_B[is_strange_B].float().mean().item() == pytest.approx(NAMELESS, abs=0.06)
        assert not silent_B[~is_strange_B].any()


def test_what_is_seen_dimly_is_still_as_probable_in_all() -> None:
    torch.manual_seed(0)
    kinds_BO = (8 * torch.randn(400, 3)).log_softmax(-1)
    dim_BO = _blurred(kinds_BO)
    torch.testing.assert_close(dim_BO.exp().sum(1), torch.ones(400))
    is_dim_B = (dim_BO.exp() - kinds_BO.exp()).abs().amax(1) > 1e-3
    assert is_dim_B.float().mean().item() == pytest.approx(BLURRED, abs=0.07)
    assert dim_BO[is_dim_B].exp().amin(1).gt(0.5 / 3 - 1e-6).all()  # at least half goes to all alike
    torch.testing.assert_close(dim_BO[~is_dim_B].exp(), kinds_BO[~is_dim_B].exp())


def test_what_is_seen_for_sure_leaves_a_doubt_that_has_a_logarithm() -> None:
    torch.manual_seed(0)
    dim_BO = _blurred(torch.tensor([[0.0, -200.0, -math.inf]]).repeat(50, 1))
    assert dim_BO.isfinite().all()
    assert dim_BO.min().item() == pytest.approx(math.log(1e-6))
    assert dim_BO[:, 0].amax() == 0
