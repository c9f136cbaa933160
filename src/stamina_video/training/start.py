"""An informed start of the compact model: before any lesson, it counts detections whose name fits the target.

Nothing here is a rule of counting: every number is the first value of a trained parameter. Random heads
would have to find out from counts alone that words and classes share a space, that a list has entries, and
that nearness means sameness; here they begin there and learn the rest.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.decoder import CompactDecoder
from stamina_video.backbone.perception.percept import PerceptLayout
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput
from stamina_video.transitions.identity import Association
from stamina_video.transitions.pooling import Pooling

# V class names, S their vectors' width, K name columns, E decoder width, D attention width, Q queries

NAMES = 64  # columns of a token's state that begin as its name
RIDGE = 0.05  # how far names are pulled apart: without it rare directions of the text space shout
QUIET = 0.1  # how loud the blocks are at first beside what the eyes saw


@dataclass(frozen=True, slots=True)
class Sharpness:
    """How decided the first attention is, in units of its logits."""

    seat: float = 14.0  # a query for its own seat
    name: float = 40.0  # for a perfect fit of name and target
    score: float = 4.0  # for a certain detection over an impossible one
    fits_above: float = 0.3  # the fit of names from which a thing is the target


def inform(model: Model, vocabulary_VS: Tensor, seed: int, sharpness: Sharpness | None = None) -> None:
    """Sets the first values in place; `vocabulary_VS` are the text vectors of the detector's class names."""
    backbone = model.backbone
    if not isinstance(backbone, CompactBackbone):
        raise InvalidInput(f"expected a compact backbone to inform, got {type(backbone).__name__}")
    sharpness = sharpness or Sharpness()
    generator = torch.Generator().manual_seed(seed)
    words = _Words.of(vocabulary_VS)
    with torch.no_grad():
        columns = _Columns.of(backbone.decoder)
        _embed(backbone.decoder, columns, words, generator)
        _ask(model.heads.pooling, columns, backbone.decoder.config.layout, words, sharpness)
        _associate(model.heads.association, columns, generator)


@dataclass(frozen=True, eq=False, slots=True)
class _Words:
    """The space of class names, pulled apart: the name of a class fits itself and hardly any other."""

    centre_S: Tensor
    apart_KS: Tensor

    @classmethod
    def of(cls, vocabulary_VS: Tensor) -> "_Words":
        centre_S = vocabulary_VS.mean(0)
        _, lengths, directions = torch.linalg.svd(vocabulary_VS - centre_S, full_matrices=False)
        scale = (lengths[:NAMES].square() + RIDGE).rsqrt()
        apart_KS = directions[:NAMES] * scale[:, None]
        # A class's own name then has length one, on average.
        length = ((vocabulary_VS - centre_S) @ apart_KS.T).norm(dim=1).mean()
        return cls(centre_S, apart_KS / length)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Which columns of a token's state begin as which property."""

    names: slice
    colour: slice
    place: slice
    motion: slice
    score: slice
    elapsed: slice
    appearance: slice
    seats: slice

    @classmethod
    def of(cls, decoder: CompactDecoder) -> "_Columns":
        layout = decoder.config.layout
        ends, start = [], 0
        for width in (NAMES, layout.colour, 12, layout.motion, 1, 2):
            ends.append(slice(start, start + width))
            start += width
        if start >= decoder.config.width:
            raise InvalidInput(f"expected a decoder wider than {start}, got {decoder.config.width}")
        rest = slice(start, decoder.config.width)
        return cls(*ends, rest, slice(decoder.config.width, decoder.config.features))


def _embed(decoder: CompactDecoder, columns: _Columns, words: _Words, generator: torch.Generator) -> None:
    embedding = decoder.embedding
    loudness = {"colour": 3.0, "motion": 1.0, "score": 2.0, "elapsed": 1.0}
    for name, gain in loudness.items():
        linear: nn.Linear = getattr(embedding, name)
        mine: slice = getattr(columns, name)
        linear.weight.zero_()
        linear.weight[mine] = gain * torch.eye(linear.in_features)
    embedding.names.weight.zero_()
    embedding.names.weight[columns.names] = 8.0 * words.apart_KS
    embedding.place.weight.zero_()
    embedding.place.weight[columns.place] = _places(embedding.place.in_features)
    embedding.appearance.weight.zero_()
    embedding.appearance.bias.zero_()
    drawn = torch.randn(embedding.appearance.weight[columns.appearance].shape, generator=generator)
    embedding.appearance.weight[columns.appearance] = drawn / math.sqrt(embedding.appearance.in_features)
    for block in decoder.blocks:
        quiet = [block.attention.out, block.feed[-1]] + ([block.memory.out] if block.memory else [])
        for linear in quiet:
            linear.weight.mul_(QUIET)


def _places(waves: int) -> Tensor:
    """The four coordinates, and their slowest sines and cosines."""
    octaves = (waves - 4) // 8
    chosen = [
        *range(4),
        *(4 + axis * octaves for axis in range(4)),
        *(4 + (4 + axis) * octaves for axis in range(4)),
    ]
    places = torch.zeros(12, waves)
    for row, column in enumerate(chosen):
        places[row, column] = 3.0 if row < 4 else 1.0
    return places


def _ask(
    pooling: Pooling, columns: _Columns, layout: PerceptLayout, words: _Words, sharpness: Sharpness
) -> None:
    """Query q asks for seat q; a thing that does not fit the target loses to the whole image."""
    queries_QD, width = pooling.queries_QD, math.sqrt(pooling.queries_QD.shape[1])
    queries = len(queries_QD)
    if queries + 2 + NAMES > queries_QD.shape[1]:
        raise InvalidInput(f"expected attention wider than {queries + 2 + NAMES}, got {queries_QD.shape[1]}")
    for parameter in (queries_QD, pooling.from_target.weight, pooling.from_visual.weight):
        parameter.zero_()
    visual_DW, target_DS = pooling.from_visual.weight, pooling.from_target.weight
    seat, name = math.sqrt(sharpness.seat * width), math.sqrt(sharpness.name * width)
    asked = _asked_seats(queries, layout)
    for query, place in enumerate(asked):
        queries_QD[query, query] = seat
        visual_DW[query, columns.seats.start + place] = seat
    sink, sure = queries, queries + 1
    queries_QD[:, sink], queries_QD[:, sure] = 1.0, 1.0
    lost = sharpness.seat + sharpness.name * sharpness.fits_above
    visual_DW[sink, columns.seats.stop - 1] = lost * width
    visual_DW[sure, columns.score] = sharpness.score * width
    rows = slice(queries + 2, queries + 2 + NAMES)
    visual_DW[rows, columns.names] = name * torch.eye(NAMES)
    target_DS[rows] = name * words.apart_KS
    # What the centre of all names would add to every fit.
    queries_QD[:, rows] = -name * (words.apart_KS @ words.centre_S)
    pooling.visibility.weight.zero_()
    pooling.visibility.weight[0, columns.seats.stop - 1] = -8.0
    pooling.visibility.bias.fill_(4.0)


def _asked_seats(queries: int, layout: PerceptLayout) -> list[int]:
    """Regions have the last queries, detections the others, best first."""
    regions = min(layout.regions, queries // 4)
    detections = min(layout.detections, queries - regions)
    return [*range(detections), *(layout.detections + place for place in range(regions))]


def _associate(association: Association, columns: _Columns, generator: torch.Generator) -> None:
    """Minus the distance between candidate and prototype: GELU(u) + GELU(−u) grows with |u|."""
    hidden, width = association.from_candidate.weight.shape
    half_RW = torch.randn(hidden // 2, width, generator=generator) / math.sqrt(width)
    half_RW[:, columns.seats] = 0.0  # things change seats
    half_RW[:, columns.motion] = 0.0
    half_RW[:, columns.place] *= 2.0
    both_HW = torch.cat([half_RW, -half_RW])
    association.from_candidate.weight.copy_(both_HW)
    association.from_candidate.bias.zero_()
    association.from_prototype.weight.copy_(-both_HW)
    association.from_target.weight.mul_(QUIET)
    association.score.weight.fill_(-8.0 / hidden)
    association.classes_2W.zero_()  # NEW lies in the middle of everything, DEFER far out
    association.classes_2W[1] = 4.0 * torch.randn(width, generator=generator)
