"""Instincts of a scorer: what was learned counts for words it was taught, reflexes for all others."""

import pytest
import torch
from torch import Tensor
from torch.nn.functional import normalize

from stamina_video.semantics import Features, InvalidInput, Operator, Role, Scope, Target, graph_for
from stamina_video.transitions import Heads, HeadsConfig
from stamina_video.transitions.config import EVENT_OPERATORS, ROLES
from stamina_video.transitions.decide import decide
from stamina_video.transitions.instincts import MOST, Instincts
from stamina_video.transitions.scorer import EdgeScorer
from stamina_video.transitions.state import TargetState

WIDTH, TARGET, WORDED, PULSES = 6, 5, 3, 4
CONFIG = HeadsConfig(WIDTH, TARGET, hidden=16, pulses=PULSES, worded=WORDED)
ACTION, EPISODE = Operator.E1_ACTION, Operator.E2_EPISODE


def target(*words: float) -> Tensor:
    """Behind the words stands what instincts must not read."""
    return normalize(torch.tensor([*words, 7.0, -3.0]), dim=0)


def words_of(told: Tensor) -> Tensor:
    """All of a target that a head with instincts reads."""
    return torch.cat([told[..., :WORDED], torch.zeros_like(told[..., WORDED:])], dim=-1)


TAUGHT, OTHER = target(1, 0, 0), target(0, 1, 0)


def scorers() -> tuple[EdgeScorer, EdgeScorer]:
    """One with instincts, and the same without."""
    torch.manual_seed(0)
    one, plain = Heads(CONFIG), Heads(HeadsConfig(WIDTH, TARGET, hidden=16, pulses=PULSES))
    plain.load_state_dict(one.state_dict(), strict=False)
    assert isinstance(one.events, EdgeScorer)
    assert isinstance(plain.events, EdgeScorer)
    return one.events, plain.events


def inputs(slots: int = 2) -> Tensor:
    return torch.randn(slots, 2 * WIDTH + PULSES, generator=torch.Generator().manual_seed(1))


def instincts_of(scorer: EdgeScorer) -> Instincts:
    assert scorer.instincts is not None
    return scorer.instincts


def test_a_head_without_words_has_none_and_is_the_papers() -> None:
    assert scorers()[1].instincts is None


def test_nothing_taught_is_as_if_there_were_none() -> None:
    one, plain = scorers()
    instincts_of(one).reflexes_ORP.fill_(3.0)
    for operator in EVENT_OPERATORS:
        torch.testing.assert_close(
            one(inputs(), OTHER, operator), plain(inputs(), words_of(OTHER), operator), rtol=0, atol=0
        )


def test_taught_words_hear_what_was_learned() -> None:
    one, plain = scorers()
    instincts_of(one).remember(ACTION, [TAUGHT])
    instincts_of(one).reflexes_ORP.fill_(1.0)
    learned = plain(inputs(), words_of(TAUGHT), ACTION)
    torch.testing.assert_close(one(inputs(), TAUGHT, ACTION), learned, rtol=0, atol=5e-3)
    assert float(instincts_of(one).familiar(TAUGHT, ACTION)) > 0.99


def test_other_words_hear_reflexes_alone() -> None:
    one, _ = scorers()
    instincts = instincts_of(one)
    instincts.remember(ACTION, [TAUGHT])
    instincts.reflexes_ORP[EVENT_OPERATORS.index(ACTION), ROLES.index(Role.COMPLETE)] = torch.tensor(
        [0.0, 2.0, 0.0, 0.0, -1.0]
    )
    told = inputs()
    scores = one(told, OTHER, ACTION)
    graph = graph_for(ACTION)
    done = [edge.role for edge in graph.edges].index(Role.COMPLETE)
    felt = 2 * told[:, WIDTH + 1] - 1  # against holding, which is worth nothing
    torch.testing.assert_close(scores[:, done], torch.nn.functional.logsigmoid(felt), rtol=0, atol=1e-4)


def test_what_was_taught_of_one_operator_is_unknown_to_the_others() -> None:
    instincts = Instincts(CONFIG)
    instincts.remember(ACTION, [TAUGHT])
    assert float(instincts.familiar(TAUGHT, EPISODE)) < 1e-6
    assert float(instincts.familiar(target(2, 0.1, 0), ACTION)) > 0.9
    assert float(instincts.familiar(target(1, 1, 0), ACTION)) < 0.2


def test_words_are_all_that_is_compared() -> None:
    instincts = Instincts(CONFIG)
    instincts.remember(ACTION, [TAUGHT])
    same_words = normalize(torch.tensor([2.0, 0, 0, -5, 9]), dim=0)
    assert float(instincts.familiar(same_words, ACTION)) > 0.99


def test_too_many_texts_are_refused_and_others_forgotten() -> None:
    instincts = Instincts(CONFIG)
    with pytest.raises(InvalidInput, match=f"expected at most {MOST} texts of E1-Action to teach, got"):
        instincts.remember(ACTION, [TAUGHT] * (MOST + 1))
    instincts.remember(ACTION, [TAUGHT, OTHER] * (MOST // 2))
    assert int(instincts.taught_OXS.any(-1).sum()) == MOST
    instincts.remember(ACTION, [TAUGHT])
    assert int(instincts.taught_OXS.any(-1).sum()) == 1
    instincts.remember(ACTION, [])
    assert not instincts.taught_OXS.any()


def test_targets_of_a_batch_are_weighed_each_by_its_own_words() -> None:
    one, _ = scorers()
    instincts_of(one).remember(ACTION, [TAUGHT])
    instincts_of(one).reflexes_ORP.fill_(0.5)
    told_BTMI = torch.randn(2, 3, 2, 2 * WIDTH + PULSES, generator=torch.Generator().manual_seed(2))
    together = one(told_BTMI, torch.stack([TAUGHT, OTHER])[:, None, None], ACTION)
    for row, words in enumerate((TAUGHT, OTHER)):
        torch.testing.assert_close(together[row], one(told_BTMI[row], words, ACTION))


def test_individuals_have_no_reflexes() -> None:
    one, plain = scorers()
    instincts_of(one).remember(ACTION, [TAUGHT])
    instincts_of(one).reflexes_ORP.fill_(9.0)
    torch.testing.assert_close(
        one(inputs(), OTHER, ACTION, Scope.ENTITY), plain(inputs(), words_of(OTHER), ACTION), rtol=0, atol=0
    )


def test_reflexes_need_pulses() -> None:
    with pytest.raises(InvalidInput, match="expected pulses for a head with instincts"):
        HeadsConfig(WIDTH, TARGET, worded=3)


def test_what_is_not_known_well_learns_nothing() -> None:
    one, _ = scorers()
    instincts_of(one).remember(ACTION, [TAUGHT])
    for words, learns in ((TAUGHT, True), (OTHER, False)):
        one.zero_grad()
        one(inputs(), words, ACTION)[:, 1].sum().backward()
        assert one.score.weight.grad is not None
        assert (float(one.score.weight.grad.abs().max()) > 1e-4) is learns
    assert not list(instincts_of(one).parameters())  # reflexes never learn


def test_more_words_than_a_target_has_are_refused() -> None:
    with pytest.raises(InvalidInput, match="expected worded from 0 to 5, got 6"):
        HeadsConfig(WIDTH, TARGET, pulses=1, worded=6)


def test_a_scorer_knows_the_words_it_was_taught_and_without_instincts_all() -> None:
    one, plain = scorers()
    assert plain.knows(OTHER, ACTION)
    assert one.knows(OTHER, ACTION)  # nothing was taught: it is a head without instincts
    instincts_of(one).remember(ACTION, [TAUGHT])
    assert one.knows(TAUGHT, ACTION)
    assert not one.knows(OTHER, ACTION)
    assert not one.knows(TAUGHT, EPISODE)
    assert one.knows(OTHER, ACTION, Scope.ENTITY)  # individuals have no reflexes


def test_reflexes_do_not_add_up_where_slots_are_patient() -> None:
    """Each look a little short of its threshold: a patient slot of learned words would complete."""
    config = HeadsConfig(WIDTH, TARGET, hidden=16, pulses=PULSES, worded=WORDED, patient=True, attention=8)
    torch.manual_seed(0)
    heads = Heads(config).eval()
    assert isinstance(heads.events, EdgeScorer)
    instincts = instincts_of(heads.events)
    instincts.remember(ACTION, [TAUGHT])
    completes = EVENT_OPERATORS.index(ACTION), ROLES.index(Role.COMPLETE)
    instincts.reflexes_ORP[completes] = torch.tensor([0.0, 0.0, 0.0, 0.0, -0.5])
    with torch.no_grad():
        for parameter in heads.events.parameters():
            parameter.zero_()  # what was learned: as likely as not, at every look
    for words, completions in ((OTHER, 0), (TAUGHT, 3)):
        state = TargetState.initial("door", Target("knocks", ACTION), config)
        counted = 0
        for look in range(12):
            tokens_JW = torch.ones(2, WIDTH)
            seen = Features(look, float(look), tokens_JW, torch.zeros(WIDTH + PULSES), words)
            state, outcome = decide(heads, state, seen)
            assert outcome.events is not None
            counted += len(outcome.events.completions)
        assert counted == completions
