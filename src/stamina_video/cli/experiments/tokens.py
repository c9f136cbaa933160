"""`tokens`: what a trained model owes to each kind of token and to each property of tokens."""

from stamina_video.cli.experiments.page import Page
from stamina_video.cli.experiments.readings import EVENTS, OBJECTS, pairs, questions
from stamina_video.cli.experiments.scored import contrast, points
from stamina_video.evaluation import OVERALL, diagnose, percent
from stamina_video.evaluation.tables import MEASURED, NOTHING, Table
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.experiments.tokens import LOOKS, PULSES, WHOLE, counted, unfelt


def run(ground: Ground) -> Page:
    samples = questions(ground)
    results = {}
    for name, look in LOOKS.items():
        results[name] = diagnose(pairs(counted(ground.model, samples, look)), name)
        ground.say(f"counted without {name}")
    if ground.model.heads.config.pulses:
        unheard = counted(unfelt(ground.model), samples, LOOKS[WHOLE])
        results[PULSES] = diagnose(pairs(unheard), PULSES)
    rows = []
    for name, result in results.items():
        figures = result.figures()
        groups = (
            percent(figures[group]["gpa"]) if group in figures else NOTHING
            for group in (OVERALL, OBJECTS, EVENTS)
        )
        lost = "" if name == WHOLE else points(contrast(results[WHOLE], result))
        rows.append((name, MEASURED, *groups, lost))
    header = ("Without", "Source", "GPA", OBJECTS, EVENTS, "change (95 % over scenes)")
    return Page(
        "tokens",
        "Tokens: what a trained model owes to each",
        (),
        (Table(header, tuple(rows), words=2, title="GPA on held-out scenes"),),
        {
            "model": ground.model.name,
            "scenes": f"{len(samples)}, held out from training",
            "intervals": "95 %, percentile bootstrap over scenes",
        },
        (
            "Nothing is trained again: a model that never missed a kind of token could lose less, had it "
            "learned without it.",
            "Of every scene some visible and some distinct things and some events are asked for.",
        ),
    )
