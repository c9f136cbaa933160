"""An informed start of the compact model: before any lesson, it counts detections whose name fits the target.

Nothing here is a rule of counting: every number is the first value of a trained parameter. Random heads
would have to find out from counts alone that words and classes share a space, that a list has entries, and
that nearness means sameness; here they begin there and learn the rest.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
import torch
from matplotlib.colors import XKCD_COLORS, to_rgb
from numpy.typing import NDArray
from torch import Tensor, nn

from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.clock import ELAPSED_WIDTH
from stamina_video.backbone.decoder import CompactDecoder
from stamina_video.backbone.perception.colour import colour_field
from stamina_video.backbone.perception.percept import PerceptLayout
from stamina_video.backbone.seats import LENGTH as SEAT
from stamina_video.backbone.text import TextEncoder
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput
from stamina_video.transitions.identity import Association
from stamina_video.transitions.pooling import Pooling

# V class names, S width of their vectors, K name columns, C colours, X texts, E decoder width,
# D attention width, Q queries

NAMES = 64  # columns of a token's state that begin as its name
RIDGE = 0.15  # how far names are pulled apart: without it rare directions of the text space shout
LOUD_NAME = 7.0  # how long a name is in a token's final state; a colour is about one long
PLACES = 12  # columns for a box: its coordinates, and one sine and cosine of each
SURVEY = "xkcd:"
COLOUR_WORDS = 120  # of the colours people name most often in the xkcd survey
COLOURED = 16  # class names that every colour word is tried on …
COLOUR_RIDGE = 0.3  # of the regression from texts to colours
EVEN = 0.1  # of the mean variance, so that channels that hardly differ do not shout
PLAIN = 6  # … and how often all names go without one, to count as much
QUIET = 0.1  # how loud the blocks are at first beside what the eyes saw


@dataclass(frozen=True, slots=True)
class Sharpness:
    """How decided the first attention is, in units of its logits."""

    seat: float = 35.0  # a query for its own seat
    name: float = 30.0  # for a perfect fit of name and target
    score: float = 4.0  # for a certain detection over an impossible one
    fits_above: float = 0.3  # the fit of names from which a thing is the target
    colour: float = 4.0  # for the colour that the target names
    coloured_above: float = 0.7  # how much of it a thing must have


def inform(model: Model, vocabulary: Sequence[str], seed: int, sharpness: Sharpness | None = None) -> None:
    """Sets the first values in place; the vocabulary are the detector's class names."""
    backbone = model.backbone
    if not isinstance(backbone, CompactBackbone):
        raise InvalidInput(f"expected a compact backbone to inform, got {type(backbone).__name__}")
    sharpness = sharpness or Sharpness()
    generator = torch.Generator().manual_seed(seed)
    words = _Words.of(backbone.text, vocabulary)
    with torch.no_grad():
        columns = _Columns.of(backbone.decoder)
        _embed(backbone.decoder, columns, words, generator)
        _ask(model.heads.pooling, columns, backbone.decoder.config.layout, words, sharpness, generator)
        _associate(model.heads.association, columns, generator)


def associate(association: Association, decoder: CompactDecoder, seed: int) -> None:
    """The association's first values alone, in place: who looks and stands alike is the same."""
    with torch.no_grad():
        _associate(association, _Columns.of(decoder), torch.Generator().manual_seed(seed))


@dataclass(frozen=True, eq=False, slots=True)
class _Words:
    """The space of class names, pulled apart: a name fits itself and hardly any other; and colours named."""

    centre_S: Tensor
    apart_KS: Tensor
    colours_CS: Tensor  # which colours a text asks for, and in the last row whether it names any …
    offset_C: Tensor  # … after adding this

    @classmethod
    def of(cls, text: TextEncoder, vocabulary: Sequence[str]) -> "_Words":
        names_VS = torch.from_numpy(text.encode(vocabulary))
        centre_S = names_VS.mean(0)
        _, lengths, directions = torch.linalg.svd(names_VS - centre_S, full_matrices=False)
        scale = (lengths[:NAMES].square() + RIDGE).rsqrt()
        apart_KS = directions[:NAMES] * scale[:, None]
        # A class's own name then has length one, on average.
        length = ((names_VS - centre_S) @ apart_KS.T).norm(dim=1).mean()
        return cls(centre_S, apart_KS / length, *_colours(text, vocabulary))


def _colours(text: TextEncoder, vocabulary: Sequence[str]) -> tuple[Tensor, Tensor]:
    """Ridge regression from "dark red cups" to the query that finds dark red, and from "cups" to none."""
    asked_WC = _colour_queries()
    some = vocabulary[:: max(1, len(vocabulary) // COLOURED)]
    coloured = [f"{word} {name}s" for word in _colour_words() for name in some]
    plain = [word for name in vocabulary for word in (name, f"{name}s")]
    texts_XS = torch.from_numpy(np.concatenate([text.encode(coloured), *[text.encode(plain)] * PLAIN]))
    none_VC = torch.zeros(PLAIN * len(plain), asked_WC.shape[1])
    asked_XC = torch.cat([asked_WC.repeat_interleave(len(some), 0), none_VC])
    texts_XI = torch.cat([texts_XS, torch.ones(len(texts_XS), 1)], dim=1)
    ridge_II = COLOUR_RIDGE * torch.eye(texts_XI.shape[1])
    fit_IC = torch.linalg.solve(texts_XI.T @ texts_XI + ridge_II, texts_XI.T @ asked_XC)
    return fit_IC[:-1].T, fit_IC[-1]


def _colour_words() -> list[str]:
    """The most frequent words stand last in the survey's list."""
    return [name.removeprefix(SURVEY) for name in list(XKCD_COLORS)[-COLOUR_WORDS:]]


def swatch(colour: tuple[float, float, float]) -> NDArray[np.float32]:
    """The colour channels of a plain surface."""
    plain = np.full((8, 8, 3), np.round(255 * np.array(colour)), np.uint8)
    return np.asarray(colour_field(plain).mean((0, 1)), np.float32)


def _colour_queries() -> Tensor:
    """For every word the direction in which its colour differs from all others: its own colour scores one.

    A last column says that a colour is named at all.
    """
    channels_WC = torch.from_numpy(np.stack([swatch(to_rgb(SURVEY + word)) for word in _colour_words()]))
    grey_C = channels_WC.mean(0)
    apart_WC = channels_WC - grey_C
    spread_CC = apart_WC.T @ apart_WC / len(apart_WC)
    queries_WC = torch.linalg.solve(
        spread_CC + EVEN * spread_CC.trace() / len(grey_C) * torch.eye(len(grey_C)), apart_WC.T
    ).T
    queries_WC = queries_WC / (queries_WC * apart_WC).sum(1, keepdim=True)
    return torch.cat([queries_WC, torch.ones(len(queries_WC), 1)], dim=1)


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
        widths = (NAMES, layout.colour, PLACES, layout.motion, 1, ELAPSED_WIDTH)
        ends = list(accumulate(widths, initial=0))
        if ends[-1] >= decoder.config.width:
            raise InvalidInput(f"expected a decoder wider than {ends[-1]}, got {decoder.config.width}")
        names, colour, place, motion, score, elapsed = (slice(*pair) for pair in pairwise(ends))
        appearance = slice(ends[-1], decoder.config.width)
        seats = slice(decoder.config.width, decoder.config.features)
        return cls(names, colour, place, motion, score, elapsed, appearance, seats)


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
    words: _Words,
    sharpness: Sharpness,
    generator: torch.Generator,
) -> None:
    """Query q asks for seat q; a thing that does not fit the target loses to the whole image."""
    queries_QD, width = pooling.queries_QD, math.sqrt(pooling.queries_QD.shape[1])
    queries, colours = len(queries_QD), len(words.colours_CS) - 1
    seat_rows, sink, sure = slice(0, queries), queries, queries + 1
    name_rows = slice(queries + 2, queries + 2 + NAMES)
    colour_rows = slice(name_rows.stop, name_rows.stop + colours)
    named = colour_rows.stop
    if named >= queries_QD.shape[1]:
        raise InvalidInput(f"expected attention wider than {named}, got {queries_QD.shape[1]}")
    visual_DW, target_DS = pooling.from_visual.weight, pooling.from_target.weight
    for parameter in (queries_QD, target_DS):
        parameter.zero_()
    # Rows that ask for nothing yet must see something, or they would never learn to ask.
    visual_DW.copy_(torch.randn(visual_DW.shape, generator=generator) / math.sqrt(visual_DW.shape[1]))
    visual_DW[: named + 1] = 0.0
    whole = columns.seats.stop - 1
    seat, name, colour = (
        math.sqrt(logit * width) for logit in (sharpness.seat, sharpness.name, sharpness.colour)
    )
    queries_QD[:, seat_rows] = seat * torch.eye(queries)
    for query, place in enumerate(asked_seats(queries, layout)):
        visual_DW[query, columns.seats.start + place] = seat / SEAT
    queries_QD[:, [sink, sure]] = 1.0
    visual_DW[sink, whole] = width / SEAT * (sharpness.seat + sharpness.name * sharpness.fits_above)
    visual_DW[sure, columns.score] = width * sharpness.score
    visual_DW[name_rows, columns.names] = name / LOUD_NAME * torch.eye(NAMES)
    target_DS[name_rows] = name * words.apart_KS
    queries_QD[:, name_rows] = -name * (words.apart_KS @ words.centre_S)
    visual_DW[colour_rows, columns.colour] = colour * torch.eye(colours)
    visual_DW[named, whole] = colour / SEAT * sharpness.coloured_above
    target_DS[colour_rows.start : named + 1] = colour * words.colours_CS
    queries_QD[:, colour_rows.start : named + 1] = colour * words.offset_C
    pooling.visibility.weight.zero_()
    pooling.visibility.weight[0, whole] = -8.0 / SEAT
    pooling.visibility.bias.fill_(4.0)


def asked_seats(queries: int, layout: PerceptLayout) -> list[int]:
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
