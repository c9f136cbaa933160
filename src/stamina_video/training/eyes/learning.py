"""How the eyes learn, part after part: where things are, their names, their paint, and who is who."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from stamina_video.backbone.names import SOMETHING
from stamina_video.backbone.perception.boxes import box_means
from stamina_video.backbone.perception.efficientdet import Retina
from stamina_video.backbone.perception.finder import EyesConfig, Reading, TrainedEyes, evidence, filled
from stamina_video.backbone.perception.linking import FEATURES as DIFFERENCES
from stamina_video.backbone.perception.linking import Sights, differences
from stamina_video.backbone.perception.namer import Evidence
from stamina_video.backbone.perception.percept import Floats
from stamina_video.backbone.perception.spotter import Spotter, SpotterConfig
from stamina_video.semantics import InvalidInput
from stamina_video.training.eyes.fitting import Report, fit
from stamina_video.training.eyes.glance import Glance
from stamina_video.training.eyes.marking import Individuals, learn_marks
from stamina_video.training.eyes.naming import Named, learn_names
from stamina_video.training.eyes.reading import learn_drawn, learn_to_read
from stamina_video.training.eyes.spotting import Lesson, lessons, spotting_loss, together
from stamina_video.training.eyes.things import Found, found, who
from stamina_video.training.recipe import Course, Opening

# M things of all glances, B of a batch, O kinds, C colours, K and S things of a pair

SETTLED = 60  # batches that the spotter's statistics are measured on in the end
SPARED = 3  # every so manieth name that is not taught is not even taught to be none of the taught ones
UNKIND = 0.3  # the share whose paint is read without their kind
MISSED = 0.25  # the share of pairs that stand for looks farther apart
FARTHEST_MISSED = 3
# What it costs to tear a thing in two, beside taking two for one: whoever is torn leaves, enters and counts
# anew, while most pairs of a look are two things anyhow.
TORN = 20.0


def learn_to_see(
    columns: Sequence[str],
    retinas: Sequence[Retina],
    taught: Collection[str],
    scenes: Sequence[Sequence[Glance]],
    clips: Sequence[Sequence[Glance]],
    opening: Opening,
    seed: int,
    report: Report,
    kept: Path | None = None,
) -> TrainedEyes:
    """Kinds are the names that are taught; clips say what the detector is sure of, and nothing of paint.

    Scenes show other things, too: all of them are one kind more. Some are spared that lesson, so that the
    namer meets what no kind was ever said about, as it will later. The spotter takes longest to learn: where
    a file `kept` it from a run that was interrupted, it is not taught again.
    """
    staged, real = ([glance for one in part for glance in one] for part in (scenes, clips))
    glances = [*staged, *real]
    shown = sorted({int(name) for glance in staged for name in glance.told.names_K[glance.told.sure_K]})
    told_of = [name for name in shown if columns[name] in taught]
    spared = [name for name in shown if name not in told_of and columns[name] != SOMETHING][::SPARED]
    kinds = (*(columns[name] for name in told_of), SOMETHING)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        eyes = TrainedEyes(EyesConfig(tuple(columns), tuple(retinas[0].vocabulary), SpotterConfig(kinds)))
        eyes.middles_LC.copy_(_middles(glances))
        if kept is None or not kept.exists():
            told = [lessons(glance, told_of, spared) for glance in glances]
            _spot(eyes, glances, told, opening.spotting, seed, report)
            if kept is not None:
                kept.parent.mkdir(parents=True, exist_ok=True)
                draft = kept.with_suffix(".part")
                save_file(eyes.spotter.state_dict(), draft)
                draft.replace(kept)
        else:
            eyes.spotter.load_state_dict(load_file(kept))
            eyes.spotter.eval()
        torch.manual_seed(seed)  # the same from here on, whether the spotter was kept or not
        learn_drawn(eyes, staged, real, report)
        things = found(retinas, eyes.spotter, glances, lambda done, of: report("looking closer", done, of))
        if not any(map(len, things[: len(staged)])):
            raise InvalidInput(
                "expected a spotter that finds something in scenes, got one that finds nothing"
            )
        learn_to_read(eyes, glances, things, len(staged), told_of, spared, opening.reading, report)
        readings = [eyes.reading(one.seen) for one in things]
        judged = [
            evidence(one.seen, read, eyes.is_drawn(glance.sight))
            for glance, one, read in zip(glances, things, readings, strict=True)
        ]
        learn_names(eyes, Named.of(eyes, glances, things, judged, len(staged)), opening.naming, report)
        _paint(eyes, staged, things, readings, opening.painting, report)
        known = Individuals.of([*scenes, *clips], things, readings, staged=len(scenes))
        learn_marks(eyes.marker, known, opening.marking, report)
        _link(eyes, _pairs(eyes, staged, things, readings, judged), opening.linking, report)
    return eyes.eval()


def _spot(
    eyes: TrainedEyes,
    glances: Sequence[Glance],
    told: Sequence[Sequence[Lesson]],
    course: Course,
    seed: int,
    report: Report,
) -> None:
    spotter = eyes.spotter.train()
    _laid_out(spotter, torch.channels_last)  # convolutions are faster so
    order = _shuffled(len(glances), course.batch, seed)

    def maps(places: Sequence[int]) -> list[Tensor]:
        levels = zip(*(glances[place].sight.maps for place in places), strict=True)
        return [torch.from_numpy(np.stack(level).astype(np.float32)).permute(0, 3, 1, 2) for level in levels]

    def loss() -> Tensor:
        places = next(order)
        return spotting_loss(spotter(maps(places)), together([told[place] for place in places]))

    fit(spotter, course, loss, "learning to spot", report)
    _settle(spotter, (maps(next(order)) for _ in range(SETTLED)))
    _laid_out(spotter.eval(), torch.contiguous_format)


@torch.no_grad()
def _settle(spotter: Spotter, batches: Iterable[list[Tensor]]) -> None:
    """Statistics of the weights there are now, not of those on the way."""
    for module in spotter.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.reset_running_stats()
            module.momentum = None  # a plain mean
    for maps in batches:
        spotter(maps)


def _laid_out(module: nn.Module, layout: torch.memory_format) -> None:
    for parameter in module.parameters():
        if parameter.dim() == 4:
            parameter.data = parameter.data.contiguous(memory_format=layout)


def _middles(glances: Sequence[Glance]) -> Tensor:
    """The mean of every map over what images fill of it."""
    means = [
        [
            filled(one_HWC, glance.sight.filled_2).astype(np.float32).mean((0, 1))
            for one_HWC in glance.sight.maps
        ]
        for glance in glances
    ]
    return torch.from_numpy(np.mean(means, axis=0, dtype=np.float64).astype(np.float32))


def _shuffled(count: int, batch: int, seed: int) -> Iterator[list[int]]:
    """Every example comes round before one comes again."""
    dice, waiting = np.random.default_rng(seed), list[int]()
    while True:
        while len(waiting) < batch:
            waiting += dice.permutation(count).tolist()
        yield waiting[:batch]
        del waiting[:batch]


def _paint(
    eyes: TrainedEyes,
    glances: Sequence[Glance],
    things: Sequence[Found],
    readings: Sequence[Reading],
    course: Course,
    report: Report,
) -> None:
    colours, kinds, paints = [], [], []
    for glance, one, read in zip(glances, things, readings, strict=False):  # scenes come first
        rows = np.flatnonzero(one.there_K >= 0)
        colours.append(torch.from_numpy(one.seen.colours_KC[rows]))
        kinds.append(read.kinds_KO[rows])
        paints.append(torch.from_numpy(glance.told.paints_K3[one.there_K[rows]]))
    colours_MC, kinds_MO, paints_M3 = (torch.cat(parts) for parts in (colours, kinds, paints))
    known = paints_M3.isfinite().all(1)
    colours_MC, kinds_MO, paints_M3 = colours_MC[known], kinds_MO[known], paints_M3[known]
    evenly_O = torch.full_like(kinds_MO[:1], -math.log(kinds_MO.shape[1]))

    def loss() -> Tensor:
        rows_B = torch.randint(len(paints_M3), (course.batch,))
        unkind_B1 = torch.rand(course.batch, 1) < UNKIND
        kinds_BO = torch.where(unkind_B1, evenly_O, kinds_MO[rows_B])
        return functional.smooth_l1_loss(eyes.painter(colours_MC[rows_B], kinds_BO), paints_M3[rows_B])

    fit(eyes.painter, course, loss, "learning paints", report)


@torch.no_grad()
def _pairs(
    eyes: TrainedEyes,
    glances: Sequence[Glance],
    things: Sequence[Found],
    readings: Sequence[Reading],
    judged: Sequence[Evidence],
) -> tuple[Tensor, Tensor]:
    """Differences of every thing of a second look from every thing of the first, and who is whom."""

    def sights(number: int, moved_K2: Floats) -> Sights:
        seen, read = things[number].seen, readings[number]
        names_KN = np.asarray(eyes.namer(judged[number]).softmax(-1).numpy(), np.float32)
        return Sights(
            seen.boxes_K4,
            seen.scores_K,
            names_KN,
            eyes.paints(seen, read),
            eyes.looks(seen, read),
            moved_K2,
        )

    inputs, same = [], []
    for number, glance in enumerate(glances):
        now, before = things[number], things[number - 1] if number else None
        if glance.flow_HW2 is None or before is None or not len(now) or not len(before):
            continue
        height, width = glance.flow_HW2.shape[:2]
        means_K2 = box_means(glance.flow_HW2, now.seen.boxes_K4)
        moved_K2 = np.asarray(means_K2 / 100 * max(height, width) / np.array([width, height]), np.float32)
        still_S2 = np.zeros((len(before), 2), np.float32)
        missed_S = np.zeros(len(before), np.float32)
        apart_KSF = differences(sights(number, moved_K2), sights(number - 1, still_S2), missed_S)
        inputs.append(apart_KSF.reshape(-1, DIFFERENCES))
        who_K, who_S = who(glance, now), who(glances[number - 1], before)
        known_KS = (who_K > -2)[:, None] & (who_S > -2) & ((who_K >= 0)[:, None] | (who_S >= 0))
        same.append(np.where(known_KS, who_K[:, None] == who_S, np.nan).ravel())
    inputs_PF, same_P = torch.from_numpy(np.concatenate(inputs)), torch.from_numpy(np.concatenate(same))
    known_P = same_P.isfinite()
    return inputs_PF[known_P], same_P[known_P].float()


def _link(eyes: TrainedEyes, pairs: tuple[Tensor, Tensor], course: Course, report: Report) -> None:
    inputs_PF, same_P = pairs

    def loss() -> Tensor:
        rows_B = torch.randint(len(same_P), (course.batch,))
        inputs_BF = inputs_PF[rows_B].clone()
        missed_B = torch.randint(1, FARTHEST_MISSED + 1, (course.batch,)) * (
            torch.rand(course.batch) < MISSED
        )
        inputs_BF[:, -1] = missed_B
        return functional.binary_cross_entropy_with_logits(
            eyes.linker(inputs_BF), same_P[rows_B], pos_weight=torch.tensor(TORN)
        )

    fit(eyes.linker, course, loss, "learning who is who", report)
