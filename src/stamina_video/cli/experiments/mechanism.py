"""`mechanism`: phase input and endpoint objective, crossed on frozen inputs."""

from collections.abc import Mapping

from stamina_video.cli.experiments.page import Page
from stamina_video.cli.experiments.scored import (
    COLUMNS,
    HEADINGS,
    by_operator,
    contrast,
    group_table,
    points,
    result_of,
    rises,
    setting,
    shown,
    silent,
)
from stamina_video.evaluation import OVERALL, Contrast, Result
from stamina_video.evaluation.published import EVENT_COLUMNS, EVENTS
from stamina_video.evaluation.tables import MEASURED, NOTHING, PUBLISHED, Table
from stamina_video.training.experiments import mechanism
from stamina_video.training.experiments.event_heads import Told
from stamina_video.training.experiments.ground import Ground

# What two cells contrast, and what the paper found in GPA points.
CONTRASTS = (
    ("Phase input, given path likelihood", "Off, Path", "On, Path", "+14.4 (+11.4 to +17.3)"),
    ("Path likelihood, given phase input", "On, Mean", "On, Path", "+18.8 (+15.9 to +21.7)"),
    ("Phase input, given mean loss", "Off, Mean", "On, Mean", "+5.5"),
    ("Path likelihood, without phase input", "Off, Mean", "Off, Path", "+9.9"),
)
CELL = ("Phase, objective", "Source")


def run(ground: Ground) -> Page:
    events = ground.events()
    training, diagnostic = events.training, events.stream
    told: dict[str, list[list[Told]]] = {cell.name: [] for cell in mechanism.CELLS}
    for seed in range(ground.extent.seeds):
        found = mechanism.run(
            ground.model.heads.config, training, diagnostic, ground.extent.settings, seed, ground.say
        )
        for cell, one in found.items():
            told[cell].append(one)
    results = {cell: result_of(cell, diagnostic, runs) for cell, runs in told.items()}
    told["Nothing committed"] = [silent(diagnostic)]
    operators = {cell: result_of(cell, diagnostic, runs, by_operator) for cell, runs in told.items()}
    contrasts = {name: contrast(results[a], results[b]) for name, a, b, _ in CONTRASTS}
    return Page(
        "mechanism",
        "Mechanism: phase input × endpoint objective on frozen inputs",
        tuple(
            rises(f"{name}, adds {paper} points of GPA.", "It adds", contrasts[name])
            for name, _, _, paper in CONTRASTS[:2]
        ),
        (
            _cells(results),
            _strata(results),
            _contrasts(contrasts),
            group_table("GPA by operator", CELL[0], operators),
        ),
        setting(ground, training, diagnostic),
    )


def _cells(results: Mapping[str, Result]) -> Table:
    published = [
        (f"{phase}, {objective}", PUBLISHED, *_in_order(dict(zip(EVENT_COLUMNS, figures, strict=True))))
        for phase, objective, *figures in EVENTS
    ]
    measured = [(cell, MEASURED, *shown(result.figures()[OVERALL])) for cell, result in results.items()]
    return Table(
        (*CELL, *HEADINGS), (*published, *measured), words=2, title="Hard decisions and endpoint fit"
    )


def _in_order(figures: Mapping[str, float | str]) -> tuple[str, ...]:
    return tuple(str(figures.get(column, NOTHING)) for column in COLUMNS)


def _strata(results: Mapping[str, Result]) -> Table:
    rows = [
        (cell, stratum, *shown(result.figures()[stratum]))
        for cell, result in results.items()
        for stratum in result.groups
    ]
    return Table((CELL[0], "Stratum", *HEADINGS), tuple(rows), words=2, title="By source supervision")


def _contrasts(contrasts: Mapping[str, Contrast]) -> Table:
    rows = [(name, paper, points(contrasts[name])) for name, _, _, paper in CONTRASTS]
    header = ("Contrast", "Paper, GPA points", "Here, GPA points (95 % over parents)")
    return Table(header, tuple(rows), words=1, title="Contrasts")
