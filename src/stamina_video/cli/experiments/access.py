"""`access`: Full replay against Stream persistence at matched timestamps."""

from stamina_video.cli.experiments.page import Finding, Page
from stamina_video.cli.experiments.scored import contrast, points, result_of, setting, shown
from stamina_video.evaluation import OVERALL
from stamina_video.evaluation.tables import MEASURED, PUBLISHED, Table
from stamina_video.training.experiments.event_heads import complete, tell
from stamina_video.training.experiments.ground import Ground

PAPER = (("Full", "63.2", "62.4"), ("Stream", "60.9", "60.1"))
COLUMNS = ("gpa", "exact")


def run(ground: Ground) -> Page:
    """One set of heads, trained in Stream; replays differ in what attention reaches alone."""
    events = ground.events(full=True)
    config, extent = ground.model.heads.config, ground.extent
    heads = [complete(config, events.training, extent.settings, seed) for seed in range(extent.seeds)]
    results = {
        access: result_of(access, tracks, [[tell(head, track) for track in tracks] for head in heads])
        for access, tracks in (("Full", events.full), ("Stream", events.stream))
    }
    gained = contrast(results["Stream"], results["Full"])
    rows = [(access, PUBLISHED, *figures) for access, *figures in PAPER]
    rows += [
        (access, MEASURED, *shown(result.figures()[OVERALL], COLUMNS)) for access, result in results.items()
    ]
    return Page(
        "access",
        "Access: the same looks, replayed without a window or persisted within one",
        (
            Finding(
                "Full adds 2.3 points of GPA at matched timestamps.",
                f"It adds {points(gained)} points.",
                gained.difference is not None and gained.difference > 0,
            ),
        ),
        (Table(("Access", "Source", "GPA", "Exact"), tuple(rows), words=2, title="Matched timestamps"),),
        setting(ground, events.training, events.stream),
    )
