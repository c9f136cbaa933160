"""`parts`: what each part of the data that teaches events gives a trained compact model."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from stamina_video.cli.experiments.page import Page
from stamina_video.cli.experiments.readings import EVENTS, pairs, questions
from stamina_video.cli.experiments.rereading import Reread, needed
from stamina_video.cli.experiments.scored import contrast, points
from stamina_video.data.pool import TRAJECTORIES
from stamina_video.evaluation import diagnose, percent
from stamina_video.evaluation.tables import MEASURED, Table
from stamina_video.runtime import Model
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.held_out import read_counts

WHOLE = "nothing"


def run(ground: Ground) -> Page:
    folders = needed(ground)
    asked = [
        replace(sample, lessons=tuple(one for one in sample.lessons if one.target.operator.is_event))
        for sample in questions(ground)
    ]
    results = {
        name: diagnose(pairs(read_counts(model, asked)), name) for name, model in _models(ground, folders)
    }
    rows = []
    for name, result in results.items():
        lost = "" if name == WHOLE else points(contrast(results[WHOLE], result))
        figures = result.figures()[EVENTS]
        rows.append((name, MEASURED, percent(figures["gpa"]), percent(figures["exact"]), lost))
    header = ("Without", "Source", "GPA", "Exact", "change (95 % over scenes)")
    return Page(
        "parts",
        "Parts: what each part of the data gives",
        (),
        (Table(header, tuple(rows), words=2, title="Events of held-out scenes"),),
        {
            "model": ground.model.name,
            "scenes": f"{len(asked)}, held out from training",
            "intervals": "95 %, percentile bootstrap over scenes",
        },
        (
            "The event head is learned anew without the part, in as many updates; the decoder stays.",
            "Clips at other speeds are those of the folders that `stamina data` wrote.",
            "What clips give on clips is on the page of `folds`.",
        ),
    )


def _models(ground: Ground, folders: tuple[Path, ...]) -> Iterator[tuple[str, Model]]:
    reread = Reread.of(ground)
    whole = reread.material(folders)
    yield WHOLE, ground.model
    materials = {"all clips": replace(whole, others=())}
    edited = [folder for folder in folders if (folder / TRAJECTORIES).exists()]
    if edited and len(edited) < len(folders):
        unedited = [folder for folder in folders if folder not in edited]
        materials["clips at other speeds"] = reread.material(unedited)
    materials["half of the scenes"] = replace(whole, learned=whole.learned[: -(-len(whole.learned) // 2)])
    for name, material in materials.items():
        yield name, reread.model(material, name)
