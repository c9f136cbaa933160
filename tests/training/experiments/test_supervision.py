import torch

from stamina_video.training.experiments.supervision import shuffled, single_query, unfiltered
from tests.training.experiments.making import a_track

TRACKS = [a_track(number) for number in range(20)]


def test_a_single_query_is_one_of_the_endpoints() -> None:
    found = single_query(TRACKS, seed=0)
    assert all(len(track.kept) == 1 and track.kept[0] in track.endpoints for track in found)
    assert len({track.kept[0].observations for track in found}) > 1


def test_unfiltered_counts_err_now_and_then_and_never_fall() -> None:
    found = unfiltered(TRACKS, seed=0)
    wrong = sum(track.kept != track.endpoints for track in found)
    assert 0 < wrong < len(TRACKS)
    for track in found:
        counts = [end.count for end in track.kept]
        assert counts == sorted(counts)


def test_shuffling_moves_what_is_seen_and_nothing_else() -> None:
    track = a_track(0)
    track.present_TM[2] = False
    track.inputs_TMI[2] = 0.0
    moved = shuffled([track], seed=0)[0]
    assert not torch.equal(moved.inputs_TMI, track.inputs_TMI)
    assert not moved.inputs_TMI[2].any()
    assert torch.allclose(moved.inputs_TMI.sum(0), track.inputs_TMI.sum(0), atol=1e-5)
    assert (moved.kept, moved.sites, moved.present_TM is track.present_TM) == (track.kept, track.sites, True)
