import torch

from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.perception.remembering import RememberingEyes
from stamina_video.evaluation.running import ModelCounter, without_graph
from stamina_video.evaluation.running.models import GraphlessScorer
from stamina_video.runtime import Session
from stamina_video.semantics import Operator, Target, ceiling, graph_for
from stamina_video.semantics.schedule import Access
from tests.runtime.tiny import TARGETS, observation, tiny_model


def test_the_compact_model_looks_as_often_as_its_operators_need() -> None:
    counter = ModelCounter(tiny_model())
    assert counter.pace([Target("swing", "E2-Periodic")]).fps == 6.0
    assert counter.pace(TARGETS[:1]).fps == 2.0


def test_in_full_a_windowed_backbone_keeps_everything() -> None:
    model = tiny_model()

    class Windowed(type(model.backbone)):  # type: ignore[misc]
        config = None

        def full(self) -> object:
            return unwindowed

    windowed = Windowed(model.backbone.eyes, model.backbone.text, model.backbone.decoder)  # type: ignore[attr-defined]
    unwindowed = tiny_model().backbone
    given = type(model)("windowed", windowed, model.heads)
    full = ModelCounter(given, Access.FULL).model.backbone
    assert isinstance(full, CompactBackbone)
    assert isinstance(unwindowed, CompactBackbone)
    assert full.decoder is unwindowed.decoder
    assert full.eyes == RememberingEyes(unwindowed.eyes)  # every query shows it the same prefix
    assert ModelCounter(given, Access.STREAM).model.backbone is windowed


def test_in_full_the_compact_model_has_no_window() -> None:
    counter = ModelCounter(tiny_model(), Access.FULL)
    assert counter.model.backbone.decoder.config.window is None  # type: ignore[attr-defined]  # compact
    assert counter.fingerprint != ModelCounter(tiny_model()).fingerprint


def test_without_the_graph_a_slot_counts_more_than_the_graph_permits() -> None:
    model = tiny_model()
    free = without_graph(model)
    assert isinstance(free.heads.events, GraphlessScorer)
    free.heads.events.above = 0.0  # every look completes an event
    swing = TARGETS[3]
    counts = []
    for one in (model, free):
        with Session(one, [swing]) as session:
            for index in range(6):
                session.observe(observation(index))
            counts.append(session.count(swing.description))
    assert counts[0] <= ceiling(Operator.E2_PERIODIC, 6) < counts[1] == 6


def test_the_model_given_stays_as_it_was() -> None:
    model = tiny_model()
    before, events = model.fingerprint, model.heads.events
    free = without_graph(model)
    assert model.heads.events is events
    assert model.heads.config.fsm
    assert (free.fingerprint, free.heads.config.fsm) != (before, True)
    assert ModelCounter(free).settings["fsm"] is False
    assert without_graph(free) is free


def test_a_completion_is_as_likely_as_its_likeliest_edge() -> None:
    model = tiny_model()
    head = without_graph(model).heads.events
    inputs = torch.randn(3, 2 * model.backbone.width)
    target = model.target_vector(TARGETS[2])
    edges = graph_for("E1-Action").edges
    log_probs = model.heads.events(inputs, target, Operator.E1_ACTION)
    likeliest = log_probs[:, [edge.increment > 0 for edge in edges]].exp().amax(1)
    torch.testing.assert_close(head(inputs, target, Operator.E1_ACTION).sigmoid(), likeliest)
