"""A head with reflexes and without lessons, on pulses made up for each event."""

import numpy as np
import pytest
import torch

from stamina_video.backbone.pulses import PULSES
from stamina_video.semantics import Operator, graph_for
from stamina_video.training import reflexes
from stamina_video.training.reflexes import REFLEXES
from stamina_video.transitions import Heads, HeadsConfig
from stamina_video.transitions.scorer import EdgeScorer, greedy

WIDTH, TARGET = 6, 5
RNG = np.random.default_rng(0)


def scorer(pulses: int = len(PULSES), seed: int = 0, hidden: int = 64) -> EdgeScorer:
    """Without the chatter of units that nothing was said to."""
    torch.manual_seed(seed)
    heads = Heads(HeadsConfig(WIDTH, TARGET, hidden=hidden, pulses=pulses))
    assert isinstance(heads.events, EdgeScorer)
    reflexes.inform(heads.events)
    return heads.events


@torch.no_grad()
def completions(head: EdgeScorer, operator: Operator, felt: list[dict[str, float]]) -> list[int]:
    """After how many looks, from zero, the head completes something."""
    graph, phases, done = graph_for(operator), (graph_for(operator).initial,), []
    words = torch.nn.functional.normalize(torch.randn(TARGET), dim=0)
    for look, told in enumerate(felt):
        pulses = torch.zeros(len(PULSES))
        for name, value in told.items():
            pulses[PULSES.index(name)] = value
        inputs = torch.cat([torch.zeros(WIDTH), pulses, torch.zeros(WIDTH)])[None]
        (edge,) = greedy(head(inputs, words, operator), graph, phases, (True,))
        phases = (edge.target,)
        if edge.increment:
            done.append(look)
    return done


def test_a_cut_completes_a_transit() -> None:
    felt = [{"cut": 0.0}, {"cut": 2.0}, {"cut": 0.0}, {"cut": 0.6}, {"cut": 1.8}, {}]
    assert completions(scorer(), Operator.E1_TRANSIT, felt) == [1, 4]


def test_a_swing_to_and_fro_completes_a_cycle_where_it_is_back() -> None:
    felt = [{"appearance_level_12": float(np.sin(look / 2))} for look in range(26)]  # about two of them
    assert completions(scorer(), Operator.E2_PERIODIC, felt) == [7, 20]


def test_who_trembles_about_the_middle_completes_nothing() -> None:
    felt = [{"appearance_level_12": 0.2 * (-1) ** look} for look in range(20)]
    assert completions(scorer(), Operator.E2_PERIODIC, felt) == []


def test_a_scene_that_is_itself_again_completes_an_episode_and_an_action() -> None:
    levels = [-1.0, -1.0, 0.6, 1.0, 0.9, -0.8, -1.0, 1.0, -1.0]
    felt = [{"away_level": level} for level in levels]
    for look in (2, 7):
        felt[look]["away_crossed"] = 1.0
    for look in (5, 8):
        felt[look]["away_crossed"] = -1.0
    assert completions(scorer(), Operator.E2_EPISODE, felt) == [5, 8]
    assert completions(scorer(), Operator.E1_ACTION, felt) == [5, 8]


@pytest.mark.parametrize("operator", [one for one in Operator if one.is_event])
def test_nothing_felt_completes_nothing(operator: Operator) -> None:
    for seed in range(3):
        assert completions(scorer(seed=seed), operator, [{}] * 12) == []


@pytest.mark.parametrize("operator", [one for one in Operator if one.is_event])
def test_what_others_react_to_is_nothing_to_it(operator: Operator) -> None:
    strange = {
        pulse: 2.0 * float(np.sign(by)) for one in REFLEXES if one.operator for pulse, by in one.moved.items()
    }
    for one in REFLEXES:
        if one.operator is operator:
            for pulse in one.moved:
                strange.pop(pulse, None)
    assert completions(scorer(), operator, [strange] * 6) == []


def test_lessons_can_move_every_reflex() -> None:
    head = scorer()
    inputs, words = torch.zeros(1, 2 * WIDTH + len(PULSES)), torch.ones(TARGET)
    inputs[0, WIDTH + PULSES.index("cut")] = 2.0
    head(inputs, words, Operator.E1_TRANSIT)[0, 1].backward()  # type: ignore[no-untyped-call]
    place = next(unit for unit, one in enumerate(REFLEXES) if "cut" in one.moved)
    assert head.context.from_pulses_HP is not None
    assert head.context.from_pulses_HP.grad is not None
    assert head.context.from_pulses_HP.grad[place, PULSES.index("cut")] != 0
    assert head.context.from_target.weight.grad is not None
    assert head.context.from_target.weight.grad[place].abs().sum() > 0


def test_a_head_that_feels_no_pulses_has_no_reflexes() -> None:
    torch.manual_seed(0)
    heads = Heads(HeadsConfig(WIDTH, TARGET, hidden=64))
    before = {name: one.clone() for name, one in heads.events.state_dict().items()}
    reflexes.inform(heads.events)
    assert all(torch.equal(one, before[name]) for name, one in heads.events.state_dict().items())


def test_a_head_too_small_for_them_stays_as_it_was() -> None:
    torch.manual_seed(0)
    heads = Heads(HeadsConfig(WIDTH, TARGET, hidden=len(REFLEXES), pulses=len(PULSES)))
    before = {name: one.clone() for name, one in heads.events.state_dict().items()}
    reflexes.inform(heads.events)
    assert all(torch.equal(one, before[name]) for name, one in heads.events.state_dict().items())
