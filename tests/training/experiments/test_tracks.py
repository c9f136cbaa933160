from functools import partial

import torch

from stamina_video.semantics import Scope
from stamina_video.training.experiments.catalogue import SOURCES, trials
from stamina_video.training.experiments.event_heads import tell
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.rollout import roll
from stamina_video.training.sample import Lesson, Sample
from stamina_video.transitions.scorer import EdgeScorer


def test_a_track_tells_what_the_model_itself_commits(ground: Ground) -> None:
    scorer = ground.model.heads.events
    assert isinstance(scorer, EdgeScorer)
    source = next(source for source in SOURCES if source.family == "packing")
    for trial in trials(ground.footage("packing", [0])[0], source):
        looks = ground.looks(trial.stretch, ground.model)
        still = ground.still(ground.model, trial.aim)
        with torch.no_grad():
            rolled = roll(still, Sample("live", partial(list, looks), (Lesson(trial.aim.target),)))
        expected = tuple(
            outcome.decision.time
            for outcome in rolled.of(0)
            for change in outcome.decision.changes
            if change.delta
        )
        assert tell(scorer, ground.tracked(trial, ground.model)).commits == expected


def test_a_global_stream_has_one_slot_that_is_always_there(ground: Ground) -> None:
    for track in ground.events().stream:
        if track.trial.aim.target.scope is Scope.GLOBAL:
            assert track.slots == 1
            assert track.present_TM.all()
