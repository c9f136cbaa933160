import torch

from stamina_video.semantics import Operator
from stamina_video.training.experiments.batches import batch, batches
from stamina_video.transitions import boundary_loss, path_log_likelihood
from stamina_video.transitions.losses import averaged
from stamina_video.transitions.scorer import EdgeScorer
from tests.training.experiments.making import CONFIG, a_track


def test_weights_make_the_boundary_term_of_the_library() -> None:
    tracks = [a_track(0), a_track(1, looks=10), a_track(2, slots=2)]
    torch.manual_seed(0)
    scorer, one = EdgeScorer(CONFIG), batch(tracks)
    log_probs_BTME = scorer(one.inputs_BTMI, one.context_B11D, one.operator)
    reference = averaged(
        boundary_loss(scorer(t.inputs_TMI, t.target_D, t.operator), one.graph, t.sites, t.present_TM)
        for t in tracks
    )
    assert reference is not None
    assert torch.allclose(-(one.weights_BTME * log_probs_BTME).sum(), reference, atol=1e-5)


def test_a_batch_gives_each_track_the_likelihood_it_has_alone() -> None:
    tracks = [a_track(0), a_track(1, looks=10), a_track(2, slots=2)]
    torch.manual_seed(0)
    scorer = EdgeScorer(CONFIG)

    def likelihoods(chosen: list[int]) -> torch.Tensor:
        one = batch([tracks[place] for place in chosen])
        log_probs_BTME = scorer(one.inputs_BTMI, one.context_B11D, one.operator)
        return path_log_likelihood(
            log_probs_BTME, one.graph, one.endpoints_BJ, one.counts_BJ, one.present_BTM
        )

    alone = torch.cat([likelihoods([0]), likelihoods([1]), likelihoods([2])])
    assert torch.allclose(likelihoods([0, 1, 2]), alone, atol=1e-4)


def test_the_order_of_batches_follows_from_the_seed_and_none_mixes_graphs() -> None:
    tracks = [a_track(number) for number in range(9)]
    tracks += [a_track(number, Operator.E2_PERIODIC) for number in range(9, 12)]

    def drawn(seed: int) -> list[list[str]]:
        order = batches(tracks, seed)
        return [[track.trial.stretch.parent for track in next(order)] for _ in range(6)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    order = batches(tracks, 0)
    assert all(len({track.operator for track in next(order)}) == 1 for _ in range(6))
