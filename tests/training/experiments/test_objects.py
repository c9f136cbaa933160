from stamina_video.training.experiments.ground import Ground
from stamina_video.training.experiments.objects import (
    COUNT_ONLY,
    IDENTITY_VERIFIED,
    busiest,
    object_sample,
    object_trials,
    tell_objects,
)


def test_the_busiest_targets_come_first(ground: Ground) -> None:
    footage = ground.footage("packing", [0])[0]
    met = {one.entity for look in footage.visible for one in look}
    sizes = [len(met & set(aim.entities)) for aim in busiest(footage, 100)]
    assert sizes == sorted(sizes, reverse=True)


def test_identities_are_labels_of_verified_sources_alone(ground: Ground) -> None:
    footage = ground.footage("packing", [0])[0]
    for stratum, known in ((COUNT_ONLY, False), (IDENTITY_VERIFIED, True)):
        trials = object_trials(footage, stratum)
        assert len(trials) == 4
        lesson = object_sample(trials[0], []).lessons[0]
        assert (lesson.shown is not None) is known


def test_accepted_identities_add_up(ground: Ground) -> None:
    trial = object_trials(ground.footage("packing", [0])[0], COUNT_ONLY)[0]
    still, looks = ground.still(ground.model, trial.aim), ground.looks(trial.stretch, ground.model)
    told = tell_objects(still, trial.stretch, trial.aim, looks)
    assert len(told.visible) == len(looks)
    assert list(told.unique) == sorted(told.unique)
    assert told.unique[-1] == len(told.births)
    assert len(told.soft_unique) == len(told.unique) == 5
