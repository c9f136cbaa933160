"""`readout`: what a count is worth once its state is cleared, delayed or another video's."""

from collections.abc import Sequence

from stamina_video.cli.experiments.page import Page
from stamina_video.cli.experiments.scored import contrast, points, rises, setting, shown
from stamina_video.evaluation import OVERALL, Control, Predictions, Reads, Result, controlled, score_runs
from stamina_video.evaluation.published import READOUT
from stamina_video.evaluation.tables import MEASURED, PUBLISHED, Table
from stamina_video.semantics import Question
from stamina_video.training.experiments.event_heads import Told, complete, tell
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.experiments.increment_heads import tell_increments, trained_increments
from stamina_video.training.experiments.tracks import Track

COMPLETE, NO_FSM = "complete", "no FSM"
PAPER = {name: (f"{full:.1f}", f"{stream:.1f}") for name, (full, stream) in READOUT.items()}
ORDER = (COMPLETE, NO_FSM, *Control)


def run(ground: Ground) -> Page:
    events = ground.events(full=True)
    config, settings = ground.model.heads.config, ground.extent.settings
    seeds = range(ground.extent.seeds)
    heads = [complete(config, events.training, settings, seed) for seed in seeds]
    thresholds = [trained_increments(config, events.training, settings, seed) for seed in seeds]
    found: dict[str, dict[str, Result]] = {}
    for access, tracks in (("Full", events.full), ("Stream", events.stream)):
        told = [[tell(head, track) for track in tracks] for head in heads]
        loose = [[tell_increments(head, track) for track in tracks] for head in thresholds]
        found[access] = _controls(tracks, told, access == "Stream") | {NO_FSM: _scored(NO_FSM, tracks, loose)}
    stream = found["Stream"]
    lost = {name: contrast(stream[name], stream[COMPLETE]) for name in ORDER[1:]}
    rows = [(name, PUBLISHED, *PAPER[name], "") for name in ORDER]
    for name in ORDER:
        gpa = (shown(found[access][name].figures()[OVERALL], ("gpa",))[0] for access in ("Full", "Stream"))
        rows.append((name, MEASURED, *gpa, points(lost[name]) if name in lost else ""))
    header = ("Condition", "Source", "Full", "Stream", "Complete adds (95 % over parents)")
    return Page(
        "readout",
        "Readout: structured updates and the count state that is read",
        tuple(
            rises(f"The complete readout is better than {name}.", "It adds", gained)
            for name, gained in lost.items()
        ),
        (Table(header, tuple(rows), words=2, title="GPA"),),
        setting(ground, events.training, events.stream),
        ("No FSM is trained anew; the other controls change what is read from the complete rollout.",),
    )


def _controls(tracks: Sequence[Track], told: Sequence[Sequence[Told]], stream: bool) -> dict[str, Result]:
    asked = [_question(track) for track in tracks]
    found: dict[str, Result] = {COMPLETE: _scored(COMPLETE, tracks, told)}
    for control in Control:
        runs = []
        for one in told:
            histories = {said.trajectory: Reads.of_moments(said.commits) for said in one} if stream else None
            runs.append(controlled(asked, _predictions(one), control, histories))
        found[control] = score_runs(asked, runs, control)
    return found


def _scored(name: str, tracks: Sequence[Track], told: Sequence[Sequence[Told]]) -> Result:
    return score_runs([_question(track) for track in tracks], [_predictions(one) for one in told], name)


def _predictions(told: Sequence[Told]) -> Predictions:
    return Predictions("rollout", tuple(tuple(map(float, said.hard)) for said in told))


def _question(track: Track) -> Question:
    times = track.trial.stretch.times
    target = track.trial.aim.target
    return Question(
        track.trial.name,
        track.trial.stretch.parent,
        target.description,
        target.operator,
        tuple(times[end.observations - 1] for end in track.endpoints),
        tuple(end.count for end in track.endpoints),
        target.description,
    )
