"""How the eyes learn, part after part: where things are, their names, their paint, and who is who."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from stamina_video.backbone.names import NOTHING as NO_THING
from stamina_video.backbone.names import SOMETHING
from stamina_video.backbone.perception.boxes import box_means, crowding
from stamina_video.backbone.perception.finder import EyesConfig, TrainedEyes, filled
from stamina_video.backbone.perception.linking import FEATURES as DIFFERENCES
from stamina_video.backbone.perception.linking import Sights, differences
from stamina_video.backbone.perception.namer import QUIET
from stamina_video.backbone.perception.percept import Floats
from stamina_video.backbone.perception.spotter import Spotter, SpotterConfig
from stamina_video.semantics import InvalidInput
from stamina_video.training.eyes.fitting import Report, fit
from stamina_video.training.eyes.glance import Glance
from stamina_video.training.eyes.marking import Individuals, learn_marks
from stamina_video.training.eyes.spotting import Lesson, lessons, spotting_loss, together
from stamina_video.training.eyes.things import NOTHING, Found, found, tensors, who
from stamina_video.training.recipe import Course, Opening

# M things of all glances, B of a batch, V classes, O kinds, N names, C colours, K and S things of a pair

SETTLED = 60  # batches that the spotter's statistics are measured on in the end
OFTEN = 0.9  # a class is usually no louder than it is in this share of all things
SPARED = 3  # every so manieth name that is not taught is not even taught to be none of the taught ones
BLURRED = 0.15  # the share of things whose kind is seen dimly: their classes must tell them
STRANGE = 0.5  # the share of things of taught kinds that are named as if their kind had not been taught,
NAMELESS = 0.15  # and of these, the share whose class is silent, too: something without a name
UNKIND = 0.3  # the share whose paint is read without their kind
MISSED = 0.25  # the share of pairs that stand for looks farther apart
FARTHEST_MISSED = 3


def learn_to_see(
    columns: Sequence[str],
    vocabulary: Sequence[str],
    taught: Collection[str],
    scenes: Sequence[Sequence[Glance]],
    clips: Sequence[Sequence[Glance]],
    opening: Opening,
    seed: int,
    report: Report,
) -> TrainedEyes:
    """Kinds are the names that are taught; clips say what the detector is sure of, and nothing of paint.

    Scenes show other things, too: all of them are one kind more. Some are spared that lesson, so that the
    namer meets what no kind was ever said about, as it will later.
    """
    staged, real = ([glance for one in part for glance in one] for part in (scenes, clips))
    shown = sorted({int(name) for glance in staged for name in glance.told.names_K[glance.told.sure_K]})
    told_of = [name for name in shown if columns[name] in taught]
    spared = [name for name in shown if name not in told_of and columns[name] != SOMETHING][::SPARED]
    kinds = (*(columns[name] for name in told_of), SOMETHING)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        eyes = TrainedEyes(EyesConfig(tuple(columns), tuple(vocabulary), SpotterConfig(kinds)))
        eyes.middles_LC.copy_(_middles([*staged, *real]))
        told = [lessons(glance, told_of, spared) for glance in (*staged, *real)]
        _spot(eyes, [*staged, *real], told, opening.spotting, seed, report)
        things = found(eyes.spotter, staged)
        if not any(map(len, things)):
            raise InvalidInput(
                "expected a spotter that finds something in scenes, got one that finds nothing"
            )
        elsewhere = found(eyes.spotter, real)
        _name(eyes, _Named.of(eyes, [*staged, *real], [*things, *elsewhere], things), opening.naming, report)
        _paint(eyes, staged, things, opening.painting, report)
        known = Individuals.of([*scenes, *clips], [*things, *elsewhere], staged=len(scenes))
        learn_marks(eyes.marker, known, opening.marking, report)
        _link(eyes, _pairs(eyes, staged, things), opening.linking, report)
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


@dataclass(frozen=True, eq=False, slots=True)
class _Named:
    """Things whose name is known, or that are nothing."""

    classes_MV: Tensor
    kinds_MO: Tensor
    things_M: Tensor
    crowding_M2: Tensor
    names_M: Tensor

    @classmethod
    def of(
        cls, eyes: TrainedEyes, glances: Sequence[Glance], things: Sequence[Found], usual: Sequence[Found]
    ) -> "_Named":
        nothing = eyes.config.columns.index(NO_THING)
        names = [
            np.where(
                one.there_K == NOTHING,
                nothing,
                np.append(glance.told.names_K, -1)[np.maximum(one.there_K, -1)],
            )
            for glance, one in zip(glances, things, strict=True)
        ]
        names_M = torch.from_numpy(np.concatenate(names))
        # What is unclear has no name.
        names_M[torch.from_numpy(np.concatenate([one.there_K for one in things])) < NOTHING] = -1
        classes_MV, kinds_MO, scores_M, crowding_M2 = tensors(
            [one.classes_KV for one in things],
            [one.kinds_KO for one in things],
            [one.scores_K for one in things],
            [crowding(one.boxes_K4) for one in things],
        )
        (often_MV,) = tensors([one.classes_KV for one in usual])
        eyes.namer.usual_V.copy_((often_MV + QUIET).log().quantile(OFTEN, dim=0))
        known = names_M >= 0
        surely_M = scores_M[known].logit(1e-4)
        return cls(classes_MV[known], kinds_MO[known], surely_M, crowding_M2[known], names_M[known])


def _name(eyes: TrainedEyes, named: _Named, course: Course, report: Report) -> None:
    namer, columns = eyes.namer, eyes.config.columns
    # Every name as often as its root: the rare ones would never be learned, the common ones forgotten.
    often_N = torch.bincount(named.names_M, minlength=len(columns)).clamp(min=1)
    weight_M = often_N[named.names_M].double().rsqrt()

    kinds_N, classes_N = namer.kinds_N, namer.classes_N
    something, other = columns.index(SOMETHING), len(eyes.config.spotter.kinds) - 1

    def loss() -> Tensor:
        rows_B = torch.multinomial(weight_M, course.batch, replacement=True)
        names_B = named.names_M[rows_B].clone()
        classes_BV, kinds_BO = named.classes_MV[rows_B].clone(), _blurred(named.kinds_MO[rows_B])
        is_taught_BO = torch.ones_like(kinds_BO, dtype=torch.bool)
        own_B, has_class_B = kinds_N[names_B], classes_N[names_B] >= 0
        strange_B = (own_B >= 0) & (own_B < other) & (torch.rand(len(rows_B)) < STRANGE)
        is_taught_BO[strange_B, own_B[strange_B]] = False
        nameless_B = strange_B & (~has_class_B | (torch.rand(len(rows_B)) < NAMELESS))
        silent_B = nameless_B & has_class_B
        classes_BV[silent_B, classes_N[names_B[silent_B]]] = 0.0
        names_B[nameless_B] = something
        crowded_B2, surely_B = named.crowding_M2[rows_B], named.things_M[rows_B]
        logits_BN = namer(classes_BV, kinds_BO, surely_B, crowded_B2, is_taught_BO)
        return functional.cross_entropy(logits_BN, names_B)

    fit(namer, course, loss, "learning names", report)


def _blurred(kinds_BO: Tensor) -> Tensor:
    """Some as if one could hardly tell: part of what is sure goes to all kinds alike."""
    dim_B1 = (torch.rand(len(kinds_BO), 1) < BLURRED) * (0.5 + 0.5 * torch.rand(len(kinds_BO), 1))
    return ((1 - dim_B1) * kinds_BO.exp() + dim_B1 / kinds_BO.shape[1]).log()


def _paint(
    eyes: TrainedEyes, glances: Sequence[Glance], things: Sequence[Found], course: Course, report: Report
) -> None:
    rows = [one.there_K >= 0 for one in things]
    paints = [
        glance.told.paints_K3[one.there_K[row]]
        for glance, one, row in zip(glances, things, rows, strict=True)
    ]
    colours_MC, kinds_MO, paints_M3 = tensors(
        [one.colours_KC[row] for one, row in zip(things, rows, strict=True)],
        [one.kinds_KO[row] for one, row in zip(things, rows, strict=True)],
        paints,
    )
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
def _pairs(eyes: TrainedEyes, glances: Sequence[Glance], things: Sequence[Found]) -> tuple[Tensor, Tensor]:
    """Differences of every thing of a second look from every thing of the first, and who is whom."""
    inputs, same = [], []
    for number, (glance, now) in enumerate(zip(glances, things, strict=True)):
        before = things[number - 1] if number else None
        if glance.flow_HW2 is None or before is None or not len(now) or not len(before):
            continue
        height, width = glance.flow_HW2.shape[:2]
        moved_K2 = (
            box_means(glance.flow_HW2, now.boxes_K4) / 100 * max(height, width) / np.array([width, height])
        )
        still_S2 = np.zeros((len(before), 2), np.float32)
        inputs.append(
            differences(
                _sights(eyes, now, moved_K2.astype(np.float32)),
                _sights(eyes, before, still_S2),
                np.zeros(len(before), np.float32),
            ).reshape(-1, DIFFERENCES)
        )
        who_K, who_S = who(glance, now), who(glances[number - 1], before)
        known_KS = (who_K > -2)[:, None] & (who_S > -2) & ((who_K >= 0)[:, None] | (who_S >= 0))
        same_KS = np.where(known_KS, who_K[:, None] == who_S, np.nan)
        same.append(same_KS.ravel())
    inputs_PF, same_P = torch.from_numpy(np.concatenate(inputs)), torch.from_numpy(np.concatenate(same))
    known_P = same_P.isfinite()
    return inputs_PF[known_P], same_P[known_P].float()


def _sights(eyes: TrainedEyes, one: Found, moved_K2: Floats) -> Sights:
    classes, kinds, scores = (torch.from_numpy(a) for a in (one.classes_KV, one.kinds_KO, one.scores_K))
    crowded = torch.from_numpy(crowding(one.boxes_K4))
    names_KN = eyes.namer(classes, kinds, scores.logit(1e-4), crowded).softmax(-1).numpy()
    paints_K3 = eyes.painter(torch.from_numpy(one.colours_KC), kinds).numpy()
    features = torch.from_numpy(one.features_KE)
    looks_KE = torch.cat([features, eyes.marker(features, torch.from_numpy(one.colours_KC))], dim=1).numpy()
    return Sights(one.boxes_K4, one.scores_K, names_KN, paints_K3, looks_KE, moved_K2)


def _link(eyes: TrainedEyes, pairs: tuple[Tensor, Tensor], course: Course, report: Report) -> None:
    inputs_PF, same_P = pairs

    def loss() -> Tensor:
        rows_B = torch.randint(len(same_P), (course.batch,))
        inputs_BF = inputs_PF[rows_B].clone()
        missed_B = torch.randint(1, FARTHEST_MISSED + 1, (course.batch,)) * (
            torch.rand(course.batch) < MISSED
        )
        inputs_BF[:, -1] = missed_B
        return functional.binary_cross_entropy_with_logits(eyes.linker(inputs_BF), same_P[rows_B])

    fit(eyes.linker, course, loss, "learning who is who", report)
