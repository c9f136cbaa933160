"""An informed start of the compact model: before any lesson, it counts things whose names and paint fit.

Nothing here is a rule of counting: every number is the first value of a trained parameter. Random heads
would have to find out from counts alone that words and things share a list of names, that paint is a place in
colour space, and that nearness means sameness; here they begin there and learn the rest.
"""

import math
from dataclasses import dataclass
from itertools import accumulate, pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.clock import ELAPSED_WIDTH
from stamina_video.backbone.decoder import CompactDecoder
from stamina_video.backbone.perception.percept import PerceptLayout
from stamina_video.backbone.perception.perception import LIFE_CHANNELS
from stamina_video.backbone.seats import MARK, NAME, PAINT, PAINTED, SEAT, marked
from stamina_video.backbone.wish import Wish
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput
from stamina_video.training.eyes.glancing import taught
from stamina_video.transitions.identity import Association
from stamina_video.transitions.pooling import Pooling

TAUGHT = taught()

# S width of a target's vector, D attention width, Q queries, W width of a state

NAMES = 40  # columns of a token's learned state that begin as a mixture of its names
PLACES = 12  # columns for a box: its coordinates, and one sine and cosine of each
QUIET = 0.1  # how loud the blocks are at first beside what the eyes saw


@dataclass(frozen=True, slots=True)
class Sharpness:
    """How decided the first attention is, in units of its logits."""

    seat: float = 35.0  # a query for its own seat
    name: float = 16.0  # for a perfect fit of name and target
    fits_above: float = 0.65  # the fit of names from which a thing is the target
    untaught: float = 1.3  # how much louder names are that no lesson had: the eyes are less sure of them
    paint: float = 4.0  # against half the square of how far a thing's paint is from the one asked for
    score: float = 6.0  # for a certain thing over an impossible one
    missed: float = 60.0  # against a thing that was not seen for as long as it may


@dataclass(frozen=True, slots=True)
class Likeness:
    """What tells one from another at first, in logits; who differs by more than `new` is somebody else."""

    mark: float = 4.0  # marks are as long as one
    place: float = 7.0  # across the whole picture
    paint: float = 0.3  # in units of paint
    new: float = 5.0
    stayed: float = 6.0  # who keeps a seat is the same


STEEP = 6.0  # from a sixth on, a difference is felt in proportion
STAYED = 2.0  # what a seat's unit is when it is kept
FAR = 12.0  # beyond any difference
MOST_DIRECTIONS = 24


def inform(model: Model, seed: int, sharpness: Sharpness | None = None) -> None:
    """Sets the first values in place."""
    backbone = model.backbone
    if not isinstance(backbone, CompactBackbone):
        raise InvalidInput(f"expected a compact backbone to inform, got {type(backbone).__name__}")
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        columns = _Columns.of(backbone.decoder)
        _embed(backbone.decoder, columns, generator)
        _ask(
            model.heads.pooling,
            columns,
            backbone.decoder.config.layout,
            backbone.wish,
            sharpness or Sharpness(),
            generator,
        )
        _associate(model.heads.association, columns, Likeness(), generator)


def associate(association: Association, decoder: CompactDecoder, seed: int) -> None:
    """The association's first values alone, in place: who looks and stands alike is the same."""
    with torch.no_grad():
        _associate(association, _Columns.of(decoder), Likeness(), torch.Generator().manual_seed(seed))


@dataclass(frozen=True, slots=True)
class _Columns:
    """Which columns of a token's state begin as which property."""

    names: slice
    colour: slice
    place: slice
    motion: slice
    score: slice
    lived: slice
    elapsed: slice
    appearance: slice
    told: slice  # shares of names, as they were seen
    paint: slice
    square: slice  # minus half of the paint's
    mark: slice
    life: slice
    seats: slice

    @classmethod
    def of(cls, decoder: CompactDecoder) -> "_Columns":
        layout = decoder.config.layout
        learned = (NAMES, layout.colour, PLACES, layout.motion, 1, layout.life, ELAPSED_WIDTH)
        rest = decoder.config.width - sum(learned)
        if rest < 1:
            raise InvalidInput(f"expected a decoder wider than {sum(learned)}, got {decoder.config.width}")
        seen = (layout.names, PAINTED, 1, marked(layout), layout.life, layout.seats)
        ends = accumulate((*learned, rest, *seen), initial=0)
        return cls(*(slice(*pair) for pair in pairwise(ends)))

    def lived_as(self, channel: str) -> int:
        first: int = self.life.start
        return first + LIFE_CHANNELS.index(channel)


def _embed(decoder: CompactDecoder, columns: _Columns, generator: torch.Generator) -> None:
    embedding = decoder.embedding
    loudness = (
        (embedding.colour, columns.colour, 3.0),
        (embedding.motion, columns.motion, 1.0),
        (embedding.score, columns.score, 2.0),
        (embedding.life, columns.lived, 2.0),
        (embedding.elapsed, columns.elapsed, 1.0),
    )
    for linear, mine, gain in loudness:
        linear.weight.zero_()
        linear.weight[mine] = gain * torch.eye(linear.in_features)
    embedding.place.weight.zero_()
    embedding.place.weight[columns.place] = _places(embedding.place.in_features)
    for name, gain in {"names": 1.5, "appearance": 1.0}.items():
        mixed: nn.Linear = getattr(embedding, name)
        rows: slice = getattr(columns, name)
        mixed.weight.zero_()
        drawn = torch.randn(mixed.weight[rows].shape, generator=generator)
        mixed.weight[rows] = gain * drawn / math.sqrt(mixed.in_features if name == "appearance" else 1)
    embedding.appearance.bias.zero_()
    for name, weight in decoder.blocks.named_parameters():
        if name.endswith(_SPEAKING):
            weight.mul_(QUIET)


_SPEAKING = ("attention.out.weight", "memory.out.weight", "feed.2.weight")  # what a block adds


def _places(waves: int) -> Tensor:
    """The four coordinates, and their slowest sines and cosines."""
    octaves = (waves - 4) // 8
    chosen = [
        *range(4),
        *(4 + axis * octaves for axis in range(4)),
        *(4 + (4 + axis) * octaves for axis in range(4)),
    ]
    places = torch.zeros(PLACES, waves)
    for row, column in enumerate(chosen):
        places[row, column] = 3.0 if row < 4 else 1.0
    return places


def _ask(
    pooling: Pooling,
    columns: _Columns,
    layout: PerceptLayout,
    wish: Wish,
    sharpness: Sharpness,
    generator: torch.Generator,
) -> None:
    """Query q asks for seat q; a thing that does not fit the target loses to the whole image."""
    queries_QD, width = pooling.queries_QD, math.sqrt(pooling.queries_QD.shape[1])
    queries = len(queries_QD)
    seat_rows, sink, sure, missed, near, far = slice(0, queries), *range(queries, queries + 5)
    name_rows = slice(far + 1, far + 1 + layout.names)
    paint_rows = slice(name_rows.stop, name_rows.stop + PAINTED)
    if paint_rows.stop >= queries_QD.shape[1]:
        raise InvalidInput(f"expected attention wider than {paint_rows.stop}, got {queries_QD.shape[1]}")
    visual_DW, target_DS = pooling.from_visual.weight, pooling.from_target.weight
    for parameter in (queries_QD, target_DS):
        parameter.zero_()
    # Rows that ask for nothing yet must see something, or they would never learn to ask.
    visual_DW.copy_(torch.randn(visual_DW.shape, generator=generator) / math.sqrt(visual_DW.shape[1]))
    visual_DW[: paint_rows.stop] = 0.0
    whole = columns.seats.stop - 1
    seat, name, paint = (
        math.sqrt(logit * width) for logit in (sharpness.seat, sharpness.name, sharpness.paint)
    )
    queries_QD[:, seat_rows] = seat * torch.eye(queries)
    for query, place in enumerate(asked_seats(queries, layout)):
        visual_DW[query, columns.seats.start + place] = seat / SEAT
    queries_QD[:, [sink, sure, missed]] = 1.0
    visual_DW[sink, whole] = width / SEAT * (sharpness.seat + sharpness.name * sharpness.fits_above)
    visual_DW[sure, columns.lived_as("sure")] = width * sharpness.score
    visual_DW[missed, columns.lived_as("missed")] = -width * sharpness.missed
    loudness_N = torch.ones(layout.names)
    loudness_N[[place for place, word in enumerate(wish.listed.columns) if word not in TAUGHT]] = (
        sharpness.untaught
    )
    visual_DW[name_rows, columns.told] = name / NAME * torch.diag(loudness_N)
    target_DS[name_rows, wish.names] = name / wish.scale("names") * torch.eye(layout.names)
    # −(y − x)² / 2 = y · x − x² / 2 − y² / 2, and the last part falls on the whole image the other way round.
    visual_DW[paint_rows, columns.paint] = paint / PAINT * torch.eye(PAINTED)
    target_DS[paint_rows, wish.paint] = paint / wish.scale("paint") * torch.eye(PAINTED)
    visual_DW[near, columns.square] = paint / PAINT
    target_DS[near, wish.is_painted] = paint / wish.scale("is_painted")
    visual_DW[far, whole] = paint / SEAT
    target_DS[far, wish.square] = paint / wish.scale("square")
    pooling.visibility.weight.zero_()
    pooling.visibility.weight[0, whole] = -8.0 / SEAT
    pooling.visibility.bias.fill_(4.0)


def asked_seats(queries: int, layout: PerceptLayout) -> list[int]:
    """Regions have the last queries, detections the others, best first."""
    regions = min(layout.regions, queries // 4)
    detections = min(layout.detections, queries - regions)
    return [*range(detections), *(layout.detections + place for place in range(regions))]


def _associate(
    association: Association, columns: _Columns, likeness: Likeness, generator: torch.Generator
) -> None:
    """Minus what differs: GELU(u) + GELU(−u) grows with |u|, and over many directions with a length.

    No distance is measured from NEW, so that it is worth the same whoever comes; DEFER is far from everybody.
    """
    for parameter in association.parameters():
        parameter.zero_()
    hidden = len(association.from_candidate.weight)
    whole = columns.seats.stop - 1  # nobody sits there: only NEW and DEFER do
    association.classes_2W[0, whole], association.classes_2W[1, whole] = SEAT, -SEAT
    score_H = association.score.weight[0]
    association.from_prototype.weight[0, whole] = 1.0
    score_H[0] = -likeness.new / SEAT
    row = 1
    seats = columns.seats.stop - columns.seats.start
    if hidden >= 4 * seats:
        rows, taken = slice(row, row + seats), columns.seats
        for linear in (association.from_candidate, association.from_prototype):
            linear.weight[rows, taken] = torch.eye(seats)
        association.from_candidate.weight[rows, columns.lived_as("born")] = -4 * SEAT
        association.from_candidate.bias[rows] = -2 * SEAT + STAYED
        score_H[rows] = likeness.stayed / STAYED
        row += seats
    places = [columns.lived_as("x"), columns.lived_as("y")]  # from −1 to 1
    differing = (
        (list(range(columns.mark.start, columns.mark.stop)), MARK, likeness.mark, 0.6),
        (places, 2.0, likeness.place, 0.2),
        (list(range(columns.paint.start, columns.paint.stop)), PAINT, likeness.paint, 0.2),
    )
    room = (hidden - row) // 2
    for numbers, unit, worth, share in differing:
        count = max(1, min(MOST_DIRECTIONS, int(share * room)))
        directions_DX = functional.normalize(torch.randn(count, len(numbers), generator=generator))
        for sign in (1, -1):
            rows = slice(row, row + count)
            rays_DX = sign * STEEP / unit * directions_DX
            association.from_candidate.weight[rows, numbers] = rays_DX
            association.from_prototype.weight[rows, numbers] = -rays_DX
            association.from_prototype.weight[rows, whole] = -FAR
            score_H[rows] = -worth / (count * STEEP * _mean_share(len(numbers)))
            row += count
    # The rest sees something and says nothing yet: it may learn to.
    for linear in (association.from_candidate, association.from_prototype):
        rest_HW = linear.weight[row:]
        rest_HW.copy_(torch.randn(rest_HW.shape, generator=generator) / math.sqrt(rest_HW.shape[1]))


def _mean_share(numbers: int) -> float:
    """What a direction sees of a vector of length one, on average."""
    return math.gamma(numbers / 2) / (math.sqrt(math.pi) * math.gamma((numbers + 1) / 2))
