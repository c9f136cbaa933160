"""One pass over a whole trajectory says what the step-by-step rollout says."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from stamina_video.backbone import CompactBackbone
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput, Role, Target, graph_for
from stamina_video.training.rollout import roll
from stamina_video.training.sample import Crossing, Lesson, Sample, Shown
from stamina_video.training.whole import Means, at_once, edge_scores, felt, pool, watch
from stamina_video.transitions import Heads
from tests.training.toys import (
    BLOBS,
    SWING,
    feeling_model,
    hears_no_deeds,
    labels,
    sample,
    speaking_model,
    tiny_model,
)

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
    unfelt_TP = torch.zeros(LENGTH, 0)
    scores_T1E = edge_scores(model, watch(compact(model), toy().read(), stride).means(unfelt_TP), SWING)
    torch.testing.assert_close(scores_T1E, deployed(model, SWING), atol=1e-5, rtol=1e-4)


def deployed(model: Model, target: Target) -> Tensor:
    """What the step says, look by look: (T, 1, E)."""
    rolled = roll(model, replace(toy(), lessons=(Lesson(target),)))
    scores = []
    for outcome in rolled.of(0):
        assert outcome.events is not None
        assert outcome.events.log_probs_ME is not None
        scores.append(outcome.events.log_probs_ME)
    assert len(scores) == LENGTH
    return torch.stack(scores)


def means_of(model: Model, gathering: bool = True, stride: int = 3) -> Means:
    backbone = compact(model)
    seats = backbone.decoder.config.layout.seats if gathering else 0
    return watch(backbone, toy().read(), stride).means(felt(backbone, toy().read()), seats)


@pytest.mark.parametrize("stride", [2, 12])
@pytest.mark.parametrize("target", [SWING, Target("somebody waves", "E1-Action", "global")])
@torch.no_grad()
def test_with_what_is_gathered_global_event_scores_are_the_deployed_steps(
    target: Target, stride: int
) -> None:
    """States are kept in half precision, and no grid cell is kept."""
    model = feeling_model()
    stepped_T1E = deployed(model, target)
    scores_T1E = edge_scores(model, means_of(model, stride=stride), target)
    torch.testing.assert_close(scores_T1E, stepped_T1E, atol=2e-4, rtol=1e-3)
    ungathered_T1E = edge_scores(model, means_of(model, gathering=False), target)
    assert (ungathered_T1E - stepped_T1E).abs().max() > 0.05  # or the test could not tell


@torch.no_grad()
def test_what_a_whole_trajectory_gathers_is_what_the_step_gathers() -> None:
    model = feeling_model()
    config, width = model.heads.config, model.backbone.width
    rolled = roll(model, replace(toy(), lessons=(Lesson(SWING),)))
    inputs_TI = torch.stack([outcome.events.inputs_MI[0] for outcome in rolled.of(0) if outcome.events])
    seated_TSF = means_of(model).seated_TSF
    assert seated_TSF is not None
    gathered_TQX = model.heads.pooling.gather(seated_TSF.float(), model.target_vector(SWING))
    stepped_TQX = inputs_TI[:, width + config.pulses : -width].reshape(LENGTH, config.queries, -1)
    # Cells and the whole image do nothing: whoever pools them is the same in both but for what it shows.
    torch.testing.assert_close(gathered_TQX, stepped_TQX, atol=2e-3, rtol=2e-3)
    assert stepped_TQX[..., 1:].abs().amax((1, 2)).gt(0.1).all()


@torch.no_grad()
def test_where_nobody_is_kept_nothing_is_gathered() -> None:
    model = feeling_model()
    means = means_of(model, gathering=False)
    assert means.seated_TSF is None
    ungathered_T1E = edge_scores(model, means, SWING)
    hears_no_deeds(model)
    torch.testing.assert_close(edge_scores(model, means_of(model), SWING), ungathered_T1E)


@torch.no_grad()
def test_whoever_sits_is_kept_in_its_seat_and_no_cell_is() -> None:
    model = feeling_model()
    watched, means = watch(compact(model), toy().read(), 3), means_of(model)
    seats = compact(model).decoder.config.layout.seats
    seated_TSF = means.seated_TSF
    assert seated_TSF is not None
    assert seated_TSF.dtype == torch.float16
    assert seated_TSF.shape == (LENGTH, seats, model.backbone.width)
    taken = 0
    for moment in range(LENGTH):
        expected_SF = torch.zeros(seats, model.backbone.width)
        for token_F in watched.tokens_TNF[moment]:
            if token_F[-seats:].any():
                expected_SF[int(token_F[-seats:].argmax())] = token_F
                taken += 1
        torch.testing.assert_close(seated_TSF[moment].float(), expected_SF, atol=1e-2, rtol=1e-3)
    assert LENGTH < taken < int(watched.present_TN.sum())


def test_what_is_gathered_teaches_the_event_head_and_no_pooling() -> None:
    model = feeling_model()
    loss = edge_scores(model, means_of(model), SWING)[..., 1::2].sum()
    torch.autograd.backward(loss)
    deeds = model.heads.events.context.deeds
    assert deeds is not None
    for name, parameter in deeds.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.any(), name
    assert all(parameter.grad is None for parameter in model.heads.pooling.parameters())


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
