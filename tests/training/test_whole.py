"""One pass over a whole trajectory says what the step-by-step rollout says."""

from dataclasses import replace

import pytest
import torch

from stamina_video.backbone import CompactBackbone
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput, Role, Target, graph_for
from stamina_video.training.rollout import roll
from stamina_video.training.sample import Crossing, Lesson, Sample, Shown
from stamina_video.training.whole import at_once, edge_scores, pool, watch
from stamina_video.transitions import Heads
from tests.training.toys import BLOBS, SWING, labels, sample, speaking_model, tiny_model

LENGTH = 7
GREEN = Target("green blobs", "O2-Unique")


def compact(model: Model) -> CompactBackbone:
    assert isinstance(model.backbone, CompactBackbone)
    return model.backbone


def toy() -> Sample:
    return sample(2, LENGTH)  # objects, moves and swings


@pytest.mark.parametrize("stride", [2, 12])
def test_global_event_scores_are_the_rollouts(stride: int) -> None:
    model = tiny_model()
    rolled = roll(model, replace(toy(), lessons=(Lesson(SWING),)))
    scores_T1E = edge_scores(model, watch(compact(model), toy().read(), stride).mean_TF, SWING)
    assert len(scores_T1E) == LENGTH
    for number, outcome in enumerate(rolled.of(0)):
        assert outcome.events is not None
        assert outcome.events.log_probs_ME is not None
        torch.testing.assert_close(scores_T1E[number], outcome.events.log_probs_ME, atol=1e-5, rtol=1e-4)


def test_pooled_visibilities_are_poolings_own() -> None:
    model = tiny_model()
    watched = watch(compact(model), toy().read(), stride=3)
    targets_KD = torch.stack([model.target_vector(target) for target in (BLOBS, GREEN)])
    pooled = pool(model.heads.pooling, watched, targets_KD)
    for moment in range(LENGTH):
        tokens_NF = watched.tokens_TNF[moment][watched.present_TN[moment]]
        for number, target_D in enumerate(targets_KD):
            candidates = model.heads.pooling(tokens_NF, target_D)
            found_Q = pooled.visible_TKQ[moment, number].sigmoid()
            torch.testing.assert_close(found_Q[list(candidates.queries)], candidates.visibilities_C)


def test_the_path_term_is_the_rollouts_per_endpoint() -> None:
    from stamina_video.training.objective import terms  # noqa: PLC0415

    model = tiny_model()
    swings = replace(toy(), lessons=(Lesson(SWING, completed=labels([3, 5, LENGTH], [1, 2, 3])),))
    whole, stepped = at_once(model, swings).path, terms(model, swings).path
    assert whole is not None
    torch.testing.assert_close(3 * whole, stepped, atol=1e-4, rtol=1e-4)


def seen_at(model: Model, moment: int) -> Shown:
    """The first detection of an observation, taken for a verified individual."""
    percept, _ = compact(model).eyes.perceive(toy().read()[moment].image, None)
    left, top, right, bottom = percept.boxes_N4[0].tolist()
    return Shown("entity 3", (left, top, right, bottom))


def told(model: Model, target: Target, present: bool) -> Lesson:
    return Lesson(
        target, shown=tuple((seen_at(model, moment),) if present else () for moment in range(LENGTH))
    )


def test_boxes_teach_who_is_visible() -> None:
    model = tiny_model()
    lessons = (told(model, BLOBS, present=True), told(model, GREEN, present=False))
    told_boxes = replace(toy(), lessons=lessons)
    heads: Heads = model.heads
    optimiser = torch.optim.Adam(heads.pooling.parameters(), lr=0.03)
    losses = []
    for _ in range(40):
        loss = at_once(model, told_boxes).object
        assert loss is not None
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # untyped there
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]
    watched = watch(compact(model), toy().read())
    targets_KD = torch.stack([model.target_vector(lesson.target) for lesson in lessons])
    first, other = pool(heads.pooling, watched, targets_KD).visible_TKQ.sigmoid().amax(-1).mean(0)
    assert first > 0.5 > other


def test_counts_teach_where_nobody_drew_boxes() -> None:
    counted = replace(toy(), lessons=(Lesson(BLOBS, visible=labels([2, LENGTH], [1, 3])),))
    loss = at_once(tiny_model(), counted).object
    assert loss is not None
    assert loss.requires_grad


def test_every_term_reaches_decoder_and_heads() -> None:
    model = tiny_model()
    complete = next(edge for edge in graph_for(SWING.operator).edges if edge.role is Role.COMPLETE)
    crossings = (
        (Crossing("entity 0", 2, complete),) if complete.source == graph_for(SWING.operator).initial else ()
    )
    lessons = (
        told(model, BLOBS, present=True),
        Lesson(SWING, completed=labels([LENGTH], [1]), crossings=crossings),
    )
    found = at_once(model, replace(toy(), lessons=lessons))
    for term in (found.path, found.object, found.boundary):
        assert term is not None
        embedding = next(compact(model).decoder.embedding.parameters())
        (gradient,) = torch.autograd.grad(term, [embedding], retain_graph=True)
        assert gradient.abs().sum() > 0
    assert found.identity is None


def test_the_controls_have_their_terms() -> None:
    model = tiny_model()
    swings = replace(toy(), lessons=(Lesson(SWING, completed=labels([LENGTH], [2])),))
    path, mean = at_once(model, swings).path, at_once(model, swings, mean=True).path
    assert path is not None
    assert mean is not None
    assert path != mean
    independent = Model("tiny", model.backbone, Heads(replace(model.heads.config, fsm=False)))
    found = at_once(independent, swings)
    assert found.path is not None
    assert found.boundary is None


def test_nothing_told_is_nothing_taught() -> None:
    found = at_once(tiny_model(), replace(toy(), lessons=()))
    assert (found.path, found.object, found.boundary) == (None, None, None)


def test_a_model_without_percepts_is_refused() -> None:
    with pytest.raises(InvalidInput, match="expected a compact model to teach at once, got"):
        at_once(speaking_model(), toy())
