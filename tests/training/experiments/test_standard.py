import torch

from stamina_video.training.experiments.standard import FAR, Standard
from tests.training.experiments.making import a_track

TRACKS = [a_track(number) for number in range(6)]


def test_training_inputs_have_mean_zero_and_spread_one() -> None:
    standard = Standard.of(TRACKS)
    seen = torch.cat([standard(track).inputs_TMI[track.present_TM] for track in TRACKS])
    assert torch.allclose(seen.mean(0), torch.zeros(12), atol=0.05)
    assert seen.abs().max() <= FAR


def test_a_slice_stays_as_it_is_and_all_else_is_scaled_as_before() -> None:
    left, everything = Standard.of(TRACKS, slice(3, 8)), Standard.of(TRACKS)
    for track in TRACKS:
        scaled, wholly = left(track).inputs_TMI, everything(track).inputs_TMI
        assert torch.equal(scaled[..., 3:8], track.inputs_TMI[..., 3:8])
        assert not torch.allclose(wholly[..., 3:8], track.inputs_TMI[..., 3:8], atol=0.05)
        assert torch.equal(scaled[..., :3], wholly[..., :3])
        assert torch.equal(scaled[..., 8:], wholly[..., 8:])
        assert torch.equal(left(track).means_TV, scaled[:, 0, :6])


def test_absent_slots_stay_zero() -> None:
    track = a_track(7)
    track.present_TM[3] = False
    assert not Standard.of(TRACKS)(track).inputs_TMI[3].any()


def test_means_are_scaled_as_the_first_half_of_inputs() -> None:
    track = a_track(7)  # whose means are its first slot's first half
    scaled = Standard.of(TRACKS)(track)
    assert torch.allclose(scaled.means_TV, scaled.inputs_TMI[:, 0, :6])
