"""`folds`: a trained compact model on real clips, each counted by a model that did not learn from it."""

from collections.abc import Mapping
from pathlib import Path

from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.perception import Eyes
from stamina_video.backbone.perception.remembering import RememberingEyes
from stamina_video.cli.experiments.page import Page
from stamina_video.cli.experiments.rereading import Reread, needed
from stamina_video.cli.experiments.scored import contrast, points
from stamina_video.data.pool import TRAJECTORIES
from stamina_video.data.questions import parent_of
from stamina_video.evaluation import OVERALL, Result, percent
from stamina_video.evaluation.running import Counter, FoldCounter, ModelCounter, Plan, Run
from stamina_video.evaluation.tables import MEASURED, Table
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput, Operator, files, read_questions
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.folders import VIDEOS, questions_file

FOLDS = 4
LOOKS = 4_000  # kept in memory, a quarter of a megabyte each
SEEN, LEFT_OUT, NONE = "all clips seen", "cross-validated by video", "no clip seen"


def run(ground: Ground) -> Page:
    folders = needed(ground)
    annotations = _annotations(folders)
    videos = sorted({question.video for question in read_questions(annotations)})
    reread = Reread.of(ground)
    eyes = RememberingEyes(ground.eyes(), most=LOOKS)  # three models look at the same frames
    counters: dict[str, Mapping[str, Counter]] = {SEEN: dict.fromkeys(videos, _counter(eyes, ground.model))}
    left_out: dict[str, Counter] = {}
    for number in range(min(FOLDS, len(videos))):
        fold = videos[number::FOLDS]
        material = reread.material(folders, list(map(parent_of, fold)))
        left_out |= dict.fromkeys(fold, _counter(eyes, reread.model(material, f"fold {number + 1}")))
    counters[LEFT_OUT] = left_out
    counters[NONE] = dict.fromkeys(videos, _counter(eyes, reread.model(reread.material(()), NONE)))
    results = {name: _scored(ground, annotations, name, by_video) for name, by_video in counters.items()}
    return Page(
        "folds",
        "Folds: real clips that were left out of training",
        (),
        (_table(results),),
        {
            "model": ground.model.name,
            "questions": f"{len(read_questions(annotations))} on {len(videos)} videos",
            "folds": min(FOLDS, len(videos)),
            "seed": reread.rereading.seed,
            "intervals": "95 %, percentile bootstrap over videos",
        },
        (
            "Clips teach the event head alone. For every fold it is learned anew without the fold's videos "
            "and all that was made from them; the rest of the model has seen no annotated clip.",
            "Questions about things are therefore the same in all three rows.",
        ),
    )


def _annotations(folders: tuple[Path, ...]) -> Path:
    asked = [folder for folder in folders if not (folder / TRAJECTORIES).exists()]
    found = [file for folder in asked if (file := questions_file(folder)) is not None]
    if len(found) != 1:
        named = ", ".join(map(str, folders))
        raise InvalidInput(f"expected questions beside videos in one folder of {named}, got {len(found)}")
    return found[0]


def _counter(eyes: Eyes, model: Model) -> ModelCounter:
    """With eyes: the ground's own model reads what was seen before."""
    backbone = model.backbone
    assert isinstance(backbone, CompactBackbone), "the ground has a compact model"
    return ModelCounter(
        Model(model.name, CompactBackbone(eyes, backbone.text, backbone.decoder), model.heads)
    )


def _scored(ground: Ground, annotations: Path, name: str, by_video: Mapping[str, Counter]) -> Result:
    """In a folder of the cache: what was counted stays counted."""
    counter, plan, videos = FoldCounter(name, by_video), Plan(), annotations.parent / VIDEOS
    kept = ground.cache / "folds" / f"{counter.fingerprint}-{files.digest(annotations)[:12]}"
    run = Run.begin(kept, annotations, videos, counter, plan, 0)
    run.work(counter, plan, videos)
    ground.say(f"counted: {name}")
    return run.finish()


def _table(results: Mapping[str, Result]) -> Table:
    asked = [operator for operator in Operator if operator in results[SEEN].figures()]
    rows = []
    for name, result in results.items():
        figures = result.figures()
        change = "" if name == SEEN else points(contrast(results[SEEN], result))
        rows.append(
            (
                name,
                MEASURED,
                percent(figures[OVERALL]["gpa"]),
                *(percent(figures[one]["gpa"]) for one in asked),
                change,
            )
        )
    header = ("Model", "Source", "GPA", *asked, "change (95 % over videos)")
    return Table(header, tuple(rows), words=2, title="GPA on the clips, Stream")
