"""`scale`: the compact model at two sizes, in both access modes."""

from stamina_video.backbone import CompactBackbone
from stamina_video.cli.experiments.page import Finding, Page
from stamina_video.cli.experiments.scored import contrast, points, result_of, rises, setting, shown
from stamina_video.evaluation import OVERALL, Result
from stamina_video.evaluation.tables import MEASURED, PUBLISHED, Table
from stamina_video.runtime import Model
from stamina_video.training.experiments.event_heads import complete, tell
from stamina_video.training.experiments.ground import Events, Ground
from stamina_video.training.experiments.snapshot import Size, informed

PAPER = (("4B", "41.9", "36.4"), ("8B", "44.9", "38.2"))
SIZES = {"small": Size(width=112, blocks=1, memory_stride=1), "large": Size(width=192, blocks=3)}


def run(ground: Ground) -> Page:
    found: dict[str, dict[str, Result]] = {}
    for name, size in SIZES.items():
        model = _of_size(ground, size)
        events = ground.events(model, full=True)
        found[name] = _results(ground, model, events)
        ground.say(f"{name}: trained")
    rows = [(name, PUBLISHED, *figures) for name, *figures in PAPER]
    for name, by_access in found.items():
        gpa = (shown(by_access[access].figures()[OVERALL], ("gpa",))[0] for access in ("Full", "Stream"))
        rows.append((f"{name}, {SIZES[name].width} × {SIZES[name].blocks}", MEASURED, *gpa))
    grown = contrast(found["small"]["Stream"], found["large"]["Stream"])
    fuller = contrast(found["large"]["Stream"], found["large"]["Full"])
    return Page(
        "scale",
        "Scale: two sizes of the decoder, both access modes",
        (
            rises("The larger model adds 1.8 points of GPA in Stream.", "It adds", grown),
            Finding(
                "Full is above Stream at either size.",
                f"At the larger it adds {points(fuller)} points.",
                fuller.difference is not None and fuller.difference > 0,
            ),
        ),
        (Table(("Size", "Source", "Full", "Stream"), tuple(rows), words=2, title="GPA"),),
        setting(ground, events.training, events.stream),
        ("Both sizes stand at their untrained start: only the event heads are trained.",),
    )


def _of_size(ground: Ground, size: Size) -> Model:
    backbone = ground.model.backbone
    assert isinstance(backbone, CompactBackbone), "experiments open compact models only"
    return informed(backbone.eyes.layout, backbone.text, size)


def _results(ground: Ground, model: Model, events: Events) -> dict[str, Result]:
    settings = ground.extent.settings
    heads = [
        complete(model.heads.config, events.training, settings, seed) for seed in range(ground.extent.seeds)
    ]
    return {
        access: result_of(model.name, tracks, [[tell(head, track) for track in tracks] for head in heads])
        for access, tracks in (("Full", events.full), ("Stream", events.stream))
    }
