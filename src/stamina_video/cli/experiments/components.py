"""`components`: an answer-only head, with a memory, with an explicit state, and with both."""

from collections.abc import Sequence

from stamina_video.cli.experiments.page import Page
from stamina_video.cli.experiments.scored import contrast, points, result_of, rises, setting, shown
from stamina_video.evaluation import OVERALL, Result
from stamina_video.evaluation.tables import MEASURED, PUBLISHED, Table
from stamina_video.training.experiments.answer_heads import answers, questions, taught
from stamina_video.training.experiments.event_heads import Told, complete, tell
from stamina_video.training.experiments.ground import Events, Ground
from stamina_video.training.experiments.snapshot import without_memory
from stamina_video.training.experiments.tracks import Track

ANSWER, MEMORY, STATE, COMPLETE = "Answer-only head", "+ delta memory", "+ explicit state", "Complete"
PAPER = (
    ("Counting-SFT", "34.0", "35.0"),
    ("Counting-SFT + delta memory", "37.1", "36.5"),
    ("Counting-SFT + explicit state", "41.3", "36.3"),
    ("Complete, 8B", "44.9", "38.2"),
)


def run(ground: Ground) -> Page:
    remembering = ground.events(full=True)
    forgetting = ground.events(without_memory(ground.model), full=True)
    results = {
        ANSWER: _answered(ground, forgetting),
        MEMORY: _answered(ground, remembering),
        STATE: _stateful(ground, forgetting),
        COMPLETE: _stateful(ground, remembering),
    }
    gains = {
        name: contrast(results[name]["Stream"], results[COMPLETE]["Stream"])
        for name in (ANSWER, MEMORY, STATE)
    }
    rows = [(name, PUBLISHED, *figures, "") for name, *figures in PAPER]
    for name, by_access in results.items():
        gpa = (shown(by_access[access].figures()[OVERALL], ("gpa",))[0] for access in ("Full", "Stream"))
        rows.append((name, MEASURED, *gpa, points(gains[name]) if name in gains else ""))
    header = ("Model", "Source", "Full", "Stream", "Complete adds (95 % over parents)")
    return Page(
        "components",
        "Components: answer-only head, delta memory, explicit state",
        (
            rises("The complete model is better than answers alone.", "It adds", gains[ANSWER]),
            rises("The complete model is better than answers with a memory.", "It adds", gains[MEMORY]),
            rises("The complete model is better than a state without memory.", "It adds", gains[STATE]),
        ),
        (Table(header, tuple(rows), words=2, title="GPA"),),
        setting(ground, remembering.training, remembering.stream),
        (
            "The answer-only head reads the latest frozen look and the mean of all so far and says a number; "
            "it learns from the same endpoints in as many updates.",
        ),
    )


def _answered(ground: Ground, events: Events) -> dict[str, Result]:
    asked = questions(events.training)
    heads = [taught(asked, ground.extent.settings, seed) for seed in range(ground.extent.seeds)]
    return {
        access: result_of(ANSWER, tracks, [_said(answers(head, questions(tracks)), tracks) for head in heads])
        for access, tracks in (("Full", events.full), ("Stream", events.stream))
    }


def _said(numbers: Sequence[int], tracks: Sequence[Track]) -> list[Told]:
    """Answers have no commits: only the counts at the endpoints can be scored."""
    rest = iter(numbers)
    return [Told(track.trial.name, (), tuple(next(rest) for _ in track.endpoints)) for track in tracks]


def _stateful(ground: Ground, events: Events) -> dict[str, Result]:
    config, settings = ground.model.heads.config, ground.extent.settings
    heads = [complete(config, events.training, settings, seed) for seed in range(ground.extent.seeds)]
    ground.say("heads trained")
    return {
        access: result_of(COMPLETE, tracks, [[tell(head, track) for track in tracks] for head in heads])
        for access, tracks in (("Full", events.full), ("Stream", events.stream))
    }
