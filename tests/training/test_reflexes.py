"""A head that knows no words but has reflexes, on pulses made up for each event."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from stamina_video.backbone.pulses import PULSES
from stamina_video.runtime import Model
from stamina_video.runtime.model import load_heads
from stamina_video.semantics import Operator, Target, graph_for
from stamina_video.training.checkpoint import Position, load_checkpoint, save_checkpoint
from stamina_video.training.models import fresh_model
from stamina_video.training.parameters import groups
from stamina_video.training.recipes import nano
from stamina_video.training.reflexes import REFLEXES, teach
from stamina_video.training.sample import Lesson, Sample
from stamina_video.transitions import Heads
from stamina_video.transitions.instincts import MOST, Instincts
from stamina_video.transitions.scorer import EdgeScorer, greedy


def sample(*targets: Target) -> Sample:
    return Sample("scene", list, tuple(Lesson(target) for target in targets))


@pytest.fixture(scope="module")
def model() -> Model:
    """Taught one event of each kind; no test asks for these."""
    made = fresh_model(nano(), seed=0)
    taught = [
        Target(f"event {number}", operator) for number, operator in enumerate(Operator) if operator.is_event
    ]
    teach(made, [sample(*taught)], {})
    return made


@torch.no_grad()
def completions(model: Model, operator: Operator, felt: list[dict[str, float]]) -> list[int]:
    """The looks, from zero, at which the head completes something that it has no words for."""
    config, graph = model.heads.config, graph_for(operator)
    phases, done = (graph.initial,), []
    words = model.target_vector(Target("pancakes that were tossed", operator))
    for look, told in enumerate(felt):
        inputs = torch.zeros(1, 2 * config.width + config.pulses + config.gathering)
        for name, value in told.items():
            inputs[0, config.width + PULSES.index(name)] = value
        (edge,) = greedy(model.heads.events(inputs, words, operator), graph, phases, (True,))
        phases = (edge.target,)
        if edge.increment:
            done.append(look)
    return done


def test_a_cut_completes_a_transit(model: Model) -> None:
    felt = [{"cut": 0.0}, {"cut": 2.0}, {"cut": 0.0}, {"cut": 0.6}, {"cut": 1.8}, {}]
    assert completions(model, Operator.E1_TRANSIT, felt) == [1, 4]


def test_a_swing_to_and_fro_completes_a_cycle_where_it_is_back(model: Model) -> None:
    felt = [{"appearance_level_12": float(np.sin(look / 2))} for look in range(26)]  # about two of them
    assert completions(model, Operator.E2_PERIODIC, felt) == [7, 20]


def test_who_trembles_about_the_middle_completes_nothing(model: Model) -> None:
    felt = [{"appearance_level_12": 0.2 * (-1) ** look} for look in range(20)]
    assert completions(model, Operator.E2_PERIODIC, felt) == []


def test_a_scene_that_is_itself_again_completes_an_episode_and_an_action(model: Model) -> None:
    levels = [-1.0, -1.0, 0.6, 1.0, 0.9, -0.8, -1.0, 0.4, -1.0, 1.0, -0.4, -1.0]
    felt = [{"away_level": level} for level in levels]
    for look in (2, 7, 9):
        felt[look]["away_crossed"] = 1.0
    for look in (5, 8, 10):
        felt[look]["away_crossed"] = -1.0
    assert completions(model, Operator.E1_ACTION, felt) == [5, 8, 10]
    assert completions(model, Operator.E2_EPISODE, felt) == [
        5,
        11,
    ]  # it must be clearly away, and clearly back


@pytest.mark.parametrize("operator", [one for one in Operator if one.is_event])
def test_nothing_felt_completes_nothing(model: Model, operator: Operator) -> None:
    assert completions(model, operator, [{}] * 12) == []


@pytest.mark.parametrize("operator", [one for one in Operator if one.is_event])
def test_what_others_react_to_is_nothing_to_it(model: Model, operator: Operator) -> None:
    own = {pulse for one in REFLEXES if one.operator is operator for pulse in one.moved}
    strange = {
        pulse: 2.0 * float(np.sign(by))
        for one in REFLEXES
        for pulse, by in one.moved.items()
        if pulse not in own
    }
    assert completions(model, operator, [strange] * 6) == []


def instincts_of(model: Model) -> Instincts:
    assert isinstance(model.heads.events, EdgeScorer)
    assert model.heads.events.instincts is not None
    return model.heads.events.instincts


def test_taught_are_the_events_of_samples_in_all_their_words() -> None:
    model = fresh_model(nano(), seed=0)
    jumps, mugs = Target("jumps", "E2-Periodic"), Target("mugs", "O2-Unique")
    teach(model, [sample(jumps, mugs), sample(jumps)], {"jumps": ("leaps", "hops"), "mugs": ("cups",)})
    instincts = instincts_of(model)
    assert int(instincts.taught_OXS.any(-1).sum()) == 3
    for words in ("jumps", "leaps", "hops"):
        vector = model.backbone.encode_target(words)
        assert float(instincts.familiar(vector, Operator.E2_PERIODIC)) > 0.99
    assert float(instincts.familiar(model.backbone.encode_target("cups"), Operator.E2_PERIODIC)) < 0.01


def test_of_too_many_words_the_lessons_own_are_kept() -> None:
    model = fresh_model(nano(), seed=0)
    jumps = Target("jumps", "E2-Periodic")
    teach(model, [sample(jumps)], {"jumps": [f"word {number}" for number in range(2 * MOST)]})
    instincts = instincts_of(model)
    assert int(instincts.taught_OXS.any(-1).sum()) == MOST
    assert float(instincts.familiar(model.backbone.encode_target("jumps"), Operator.E2_PERIODIC)) > 0.99


def test_words_and_reflexes_come_back_with_a_checkpoint_and_with_a_model(tmp_path: Path) -> None:
    taught, fresh = fresh_model(nano(), seed=0), fresh_model(nano(), seed=1)
    jumps = Target("jumps", "E2-Periodic")
    teach(taught, [sample(jumps)], {})
    kept, others = (groups(one, nano()).changing for one in (taught, fresh))
    optimisers = [torch.optim.AdamW(one.heads.parameters()) for one in (taught, fresh)]
    save_checkpoint(tmp_path / "checkpoint", kept, optimisers[0], Position(7, {}))
    assert load_checkpoint(tmp_path / "checkpoint", others, optimisers[1], {}) == 7
    taught.save_pretrained(tmp_path / "model")
    scorer = load_heads(tmp_path / "model").events
    assert isinstance(scorer, EdgeScorer)
    expected, vector = instincts_of(taught).state_dict(), taught.backbone.encode_target("jumps")
    assert instincts_of(fresh).reflexes_ORP.any()
    for back in (instincts_of(fresh), scorer.instincts):
        assert back is not None
        assert all(torch.equal(tensor, expected[name]) for name, tensor in back.state_dict().items())
        assert float(back.familiar(vector, Operator.E2_PERIODIC)) > 0.99


def test_a_head_without_instincts_stays_as_it_was(model: Model) -> None:
    plain = replace(model, heads=Heads(replace(model.heads.config, worded=0)))
    before = {name: one.clone() for name, one in plain.heads.state_dict().items()}
    teach(plain, [sample(Target("jumps", "E2-Periodic"))], {})
    assert all(torch.equal(one, before[name]) for name, one in plain.heads.state_dict().items())
