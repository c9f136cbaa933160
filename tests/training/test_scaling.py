from dataclasses import replace

import pytest
import torch

from stamina_video.semantics import InvalidInput
from stamina_video.training.scaling import MEASURED, _evened, _spread, scale_events, silence_mean
from stamina_video.training.whole import Means, edge_scores, watch
from stamina_video.transitions.context import Evening
from tests.training.toys import MOVES, evened_model, samples, speaking_model, tiny_model


def test_changes_within_scenes_are_equally_loud_in_every_direction() -> None:
    generator = torch.Generator().manual_seed(0)
    loud_W = torch.tensor([100.0, 10.0, 1.0, 0.1])
    where_SW = 50 * torch.randn(6, 4, generator=generator)
    scenes = [where_W + loud_W * torch.randn(400, 4, generator=generator) for where_W in where_SW]
    _, even_WW = _evened(scenes)
    moved = torch.cat([scene - scene.mean(0) for scene in scenes])
    before, after = moved.std(0), (moved @ even_WW).std(0)
    assert float(before.max() / before.min()) > 900
    assert float(after.max() / after.min()) < 15  # but for what is a hundredth as loud: that is noise


def test_the_head_begins_with_the_mean_state_alone() -> None:
    model = evened_model()
    scale_events(model, samples(3))
    first, second = model.heads.events.context.from_input.weight.detach().chunk(2, dim=1)
    assert first.any()
    assert not second.any()


def test_the_head_hears_the_mean_at_its_scale() -> None:
    model = evened_model()
    mean_TF = watch(model.backbone, samples(1)[0].read()).mean_TF  # type: ignore[arg-type]
    means = Means(mean_TF, torch.ones(len(mean_TF), 1, dtype=torch.bool))
    before = edge_scores(model, means, MOVES)
    scale_events(model, samples(2))
    evening = model.heads.events.context.evening
    assert isinstance(evening, Evening)
    after, again = (edge_scores(model, means, MOVES) for _ in range(2))
    assert after.isfinite().all()
    assert torch.equal(after, again)
    assert not torch.allclose(before, after)
    heard_TF = (mean_TF - evening.centre_W) @ evening.even_WW
    torch.testing.assert_close(
        evening(torch.cat([mean_TF, mean_TF], dim=-1)), torch.cat([heard_TF, mean_TF], dim=-1)
    )


def test_a_silent_mean_changes_nothing_that_is_said() -> None:
    model = evened_model()
    scale_events(model, samples(2))
    silence_mean(model)
    mean_TF = watch(model.backbone, samples(1)[0].read()).mean_TF  # type: ignore[arg-type]
    present_T1 = torch.ones(len(mean_TF), 1, dtype=torch.bool)
    seen, other = (edge_scores(model, Means(one_TF, present_T1), MOVES) for one_TF in (mean_TF, mean_TF * 5))
    assert torch.equal(seen, other)


def test_only_a_compact_model_is_scaled() -> None:
    with pytest.raises(InvalidInput, match="expected a compact model to scale"):
        scale_events(speaking_model(), samples(1))


def test_heads_without_a_scale_cannot_be_given_one() -> None:
    with pytest.raises(InvalidInput, match="expected heads with a measured scale"):
        scale_events(tiny_model(), samples(1))


@pytest.mark.parametrize("number", [6, 48, 144, 168, 252, 300, 432])
def test_every_family_is_measured(number: int) -> None:
    (toy,) = samples(1)
    families = [replace(toy, family=f"family {place % 6}") for place in range(number)]
    chosen = _spread(families)
    assert len(chosen) <= MEASURED
    assert {one.family for one in chosen} == {one.family for one in families}
