"""`parts`: what each part of the data that teaches events gives a trained compact model."""

from collections.abc import Iterator
from dataclasses import replace

from stamina_video.cli.experiments.page import Page
from stamina_video.cli.experiments.readings import EVENTS, pairs, questions
from stamina_video.cli.experiments.rereading import Reread, needed
from stamina_video.cli.experiments.scored import contrast, points
from stamina_video.evaluation import diagnose, percent
from stamina_video.evaluation.tables import MEASURED, Table
from stamina_video.runtime import Model
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.experiments.rereading import Material
from stamina_video.training.held_out import read_counts

WHOLE = "nothing"


def run(ground: Ground) -> Page:
    asked = [
        replace(sample, lessons=tuple(one for one in sample.lessons if one.target.operator.is_event))
        for sample in questions(ground)
    ]
    results = {name: diagnose(pairs(read_counts(model, asked)), name) for name, model in _models(ground)}
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
            "seed": 0,
            "intervals": "95 %, percentile bootstrap over scenes",
        },
        (
            "The event head is learned anew without the part, in as many updates; the decoder stays.",
            "What clips give on clips is on the page of `folds`.",
        ),
    )


def _models(ground: Ground) -> Iterator[tuple[str, Model]]:
    reread, folders = Reread.of(ground), needed(ground)
    whole = reread.material(folders)
    for name, material in (
        (WHOLE, whole),
        *(
            (f"the folder {folder.name}", reread.material([one for one in folders if one != folder]))
            for folder in folders
        ),
        ("all folders", replace(whole, others=())),
        ("scenes in a mirror", _in_no_mirror(whole)),
        ("half of the scenes", replace(whole, learned=whole.learned[: max(1, len(whole.learned) // 2)])),
    ):
        yield name, reread.model(material, name)


def _in_no_mirror(material: Material) -> Material:
    shares = replace(material.draws.shares, mirrored=0.0)
    return replace(material, draws=replace(material.draws, shares=shares))
