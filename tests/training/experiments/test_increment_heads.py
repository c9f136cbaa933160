from stamina_video.training.experiments.event_heads import Optimisation
from stamina_video.training.experiments.increment_heads import tell_increments, trained_increments
from tests.training.experiments.making import CONFIG, a_track


def test_increments_learn_when_something_completes() -> None:
    tracks = [a_track(number) for number in range(8)]
    head = trained_increments(CONFIG, tracks, Optimisation(updates=150, warmup=0, rate=1e-2), seed=0)
    found = tell_increments(head, a_track(99))
    assert found.commits == (2.0, 4.5)
    assert found.nll is None


def test_an_absent_slot_counts_nothing() -> None:
    tracks = [a_track(number) for number in range(8)]
    head = trained_increments(CONFIG, tracks, Optimisation(updates=150, warmup=0, rate=1e-2), seed=0)
    track = a_track(99)
    track.present_TM[4] = False
    assert tell_increments(head, track).commits == (4.5,)
