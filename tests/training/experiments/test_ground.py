from stamina_video.backbone.perception import Eyes
from stamina_video.training.experiments.catalogue import BOUNDARY_SUPPORTED
from stamina_video.training.experiments.ground import FULL, Ground
from tests.training.experiments.toy_ground import reading_percepts, toy_ground
from tests.training.toys import feeling_model


def test_no_parent_is_both_trained_and_diagnosed_on(ground: Ground) -> None:
    events = ground.events()
    trained, held_out = (
        {track.trial.stretch.parent for track in tracks} for tracks in (events.training, events.stream)
    )
    assert not trained & held_out
    assert len(events.stream) == 16  # four of each of four parents


def test_boundaries_supervise_their_stratum_in_training_alone(ground: Ground) -> None:
    events = ground.events()
    assert not any(track.sites for track in events.stream)
    supported = {track.trial.stratum for track in events.training if track.sites}
    assert supported == {BOUNDARY_SUPPORTED}


def test_either_access_sees_the_same_moments(ground: Ground) -> None:
    events = ground.events(full=True)
    assert [track.trial.name for track in events.full] == [track.trial.name for track in events.stream]


def test_what_is_gathered_of_candidates_stays_as_it_is(ground: Ground) -> None:
    model = reading_percepts(feeling_model())
    config = model.heads.config
    standard = ground.events(model).standard
    gathered = slice(config.width + config.pulses, config.width + config.pulses + config.gathering)
    is_kept_I = (standard.centre_I == 0) & (standard.spread_I == 1)
    assert is_kept_I[gathered].all()
    assert not is_kept_I[: gathered.start].all()
    assert not is_kept_I[gathered.stop :].all()


def test_what_was_filmed_needs_no_eyes(ground: Ground) -> None:
    def closed() -> Eyes:
        raise AssertionError("nothing is missing")

    ground.events()
    assert toy_ground(ground.cache, closed).events().training


def test_the_full_extent_is_the_papers() -> None:
    assert (FULL.diagnostic, FULL.seeds, FULL.settings.updates, FULL.videos) == (10, 3, 1000, 40)
