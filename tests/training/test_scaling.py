import pytest
import torch

from stamina_video.semantics import InvalidInput
from stamina_video.training.scaling import scale_events
from stamina_video.training.whole import edge_scores, watch
from stamina_video.transitions.scorer import EdgeScorer
from tests.training.toys import MOVES, samples, speaking_model, tiny_model


def test_the_head_reads_changes_at_one_scale() -> None:
    model, seen = tiny_model(), samples(3)
    scale_events(model, seen, 0)
    events = model.heads.events
    assert isinstance(events, EdgeScorer)
    with torch.no_grad():
        means = torch.cat([watch(model.backbone, one.read()).mean_TF for one in seen])  # type: ignore[arg-type]
    width = means.shape[1]
    weight = events.context.from_input.weight.detach()
    read = (means - means.mean(0)) @ weight[:, :width].T
    assert 0.1 < float(read.std()) < 10
    assert not weight[:, width:].any()


def test_the_same_seed_gives_the_same_scores() -> None:
    scored = []
    for _ in range(2):
        model = tiny_model()
        scale_events(model, samples(2), 3)
        watched = watch(model.backbone, samples(1)[0].read())  # type: ignore[arg-type]
        scored.append(edge_scores(model, watched, MOVES))
    assert torch.equal(*scored)


def test_only_a_compact_model_is_scaled() -> None:
    with pytest.raises(InvalidInput, match="expected a compact model to scale"):
        scale_events(speaking_model(), samples(1), 0)
