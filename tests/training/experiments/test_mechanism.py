from stamina_video.training.experiments import mechanism
from stamina_video.training.experiments.event_heads import Optimisation
from tests.training.experiments.making import CONFIG, a_track


def test_every_cell_tells_of_every_held_out_track() -> None:
    said: list[str] = []
    training, held_out = [a_track(number) for number in range(4)], [a_track(10), a_track(11)]
    settings = Optimisation(updates=3, warmup=2)
    found = mechanism.run(CONFIG, training, held_out, settings, 0, said.append)
    assert list(found) == ["Off, Mean", "On, Mean", "Off, Path", "On, Path"]
    assert len(said) == 4
    names = [track.trial.name for track in held_out]
    assert all([one.trajectory for one in told] == names for told in found.values())


def test_cells_differ_after_training() -> None:
    training = [a_track(number) for number in range(4)]
    settings = Optimisation(updates=20, warmup=2, rate=1e-2)
    found = mechanism.run(CONFIG, training, [a_track(10)], settings, 0, lambda _: None)
    assert len({told[0].nll for told in found.values()}) == 4
