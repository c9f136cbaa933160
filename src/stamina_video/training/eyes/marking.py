"""How marks are learned: which two things are surely one and the same, and which are surely two.

In a scene everybody is known. In a clip nobody is: what stays in its place from one look to the next is taken
for the same one; others are surely others only where one look shows both, or where they are of two clips.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from stamina_video.backbone.perception.boxes import overlaps
from stamina_video.backbone.perception.finder import Reading
from stamina_video.backbone.perception.namer import Marker
from stamina_video.semantics import InvalidInput
from stamina_video.training.eyes.fitting import Report, fit
from stamina_video.training.eyes.glance import Glance
from stamina_video.training.eyes.things import NOTHING, Found, who
from stamina_video.training.recipe import Course

# M things of all glances, B of a batch, K and S of two looks

SHARP = 12.0  # of the cosine of two marks
STAYED = 0.4  # overlap from which a thing of a clip stayed in its place
REAL = 8  # for so many scenes of a batch there is one clip
FEW = 40  # things of one scene or clip in a batch


@dataclass(frozen=True, eq=False, slots=True)
class Individuals:
    """Things whose individual is known, those of scenes first."""

    features_ME: Tensor
    colours_MC: Tensor
    who_M: Tensor  # one number for each individual
    place_M: Tensor  # of the scene or clip among all
    look_M: Tensor  # the same number where others are others: all of a scene, one look of a clip
    name_M: Tensor
    staged: int  # how many places are scenes

    @classmethod
    def of(
        cls,
        places: Sequence[Sequence[Glance]],
        things: Sequence[Found],
        readings: Sequence[Reading],
        staged: int,
    ) -> "Individuals":
        """So many `staged` places come first, clips after them; `things` are those of all glances."""
        parts: list[_Part] = []
        seen, read = iter(things), iter(readings)
        for number, glances in enumerate(places):
            here = [next(seen) for _ in glances]
            whose = map(who, glances, here) if number < staged else _followed(glances, here)
            for look, (glance, one, who_K) in enumerate(zip(glances, here, whose, strict=True)):
                known = np.flatnonzero(who_K >= 0)
                names_K = glance.told.names_K[one.there_K[known]]
                moment = 0 if number < staged else look
                parts.append(_Part(number, moment, one, next(read), known, who_K[known], names_K))
        pairs = [(part.place, int(one)) for part in parts for one in part.who_K]
        numbers = {pair: count for count, pair in enumerate(dict.fromkeys(pairs))}
        return cls(
            torch.cat([part.read.features_KE[part.rows] for part in parts]),
            torch.cat([torch.from_numpy(part.thing.seen.colours_KC[part.rows]) for part in parts]),
            torch.tensor([numbers[pair] for pair in pairs]),
            torch.tensor([place for place, _ in pairs]),
            torch.tensor([part.look for part in parts for _ in part.who_K]),
            torch.from_numpy(np.concatenate([part.names_K for part in parts])),
            staged,
        )

    def spans(self) -> tuple[list[range], list[range]]:
        """The rows of every scene that has two, and of every such clip."""
        places, counts = torch.unique_consecutive(self.place_M, return_counts=True)
        stops = counts.cumsum(0)
        rows = [
            (int(place), range(int(stop - count), int(stop)))
            for place, count, stop in zip(places, counts, stops, strict=True)
            if count > 1
        ]
        return (
            [span for place, span in rows if place < self.staged],
            [span for place, span in rows if place >= self.staged],
        )

    def compared(self, rows_B: Tensor) -> tuple[Tensor, Tensor]:
        """(B, B): which two are surely one and the same, and which are surely two."""
        who_B, place_B, name_B = self.who_M[rows_B], self.place_M[rows_B], self.name_M[rows_B]
        is_real_B = place_B >= self.staged
        one_place_BB = place_B[:, None] == place_B
        together_BB = one_place_BB & (self.look_M[rows_B][:, None] == self.look_M[rows_B])
        elsewhere_BB = ~one_place_BB & is_real_B[:, None] & is_real_B & (name_B[:, None] == name_B)
        same_BB = who_B[:, None] == who_B
        himself_BB = torch.eye(len(rows_B), dtype=torch.bool)
        return same_BB & ~himself_BB, (together_BB | elsewhere_BB) & ~same_BB


@dataclass(frozen=True, eq=False, slots=True)
class _Part:
    """What is known of one look."""

    place: int
    look: int
    thing: Found
    read: Reading
    rows: NDArray[np.intp]
    who_K: NDArray[np.int64]
    names_K: NDArray[np.int64]


def learn_marks(marker: Marker, known: Individuals, course: Course, report: Report) -> None:
    """Marks of one and the same are near, marks of others are far."""
    staged, real = known.spans()
    if not staged:
        raise InvalidInput("expected scenes that show somebody twice to learn marks from, got none")

    def loss() -> Tensor:
        drawn = [*_drawn(staged, course.batch), *_drawn(real, course.batch // REAL)]
        rows_B = torch.tensor([row for span in dict.fromkeys(drawn) for row in _few(span)])
        marks_BM = marker(known.features_ME[rows_B], known.colours_MC[rows_B])
        same_BB, other_BB = known.compared(rows_B)
        logits_BB = (SHARP * marks_BM @ marks_BM.T).masked_fill(~(same_BB | other_BB), -torch.inf)
        met_B = same_BB.any(1) & other_BB.any(1)
        if not met_B.any():
            return torch.zeros((), requires_grad=True)
        error: Tensor = -logits_BB[met_B].log_softmax(-1)[same_BB[met_B]].mean()
        return error

    fit(marker, course, loss, "learning marks", report)


def _drawn(spans: Sequence[range], count: int) -> list[range]:
    return [spans[place] for place in torch.randint(len(spans), (count,)).tolist()] if spans else []


def _few(span: range) -> list[int]:
    """A long clip has no more to say at once than a scene."""
    if len(span) <= FEW:
        return list(span)
    return [span[place] for place in sorted(torch.randperm(len(span))[:FEW].tolist())]


def _followed(glances: Sequence[Glance], things: Sequence[Found]) -> list[NDArray[np.int64]]:
    """Numbers for what stays in its place, under its name, from one look at a clip to the next."""
    followed: list[NDArray[np.int64]] = []
    following = 0
    for look, (glance, now) in enumerate(zip(glances, things, strict=True)):
        who_K = np.full(len(now), NOTHING, np.int64)
        told = np.flatnonzero(now.there_K >= 0)
        if look and len(told):
            before = _Before(things[look - 1], glances[look - 1], followed[-1])
            who_K[told] = before.stayed(now.seen.boxes_K4[told], glance.told.names_K[now.there_K[told]])
        for row in told[who_K[told] < 0]:
            who_K[row], following = following, following + 1
        followed.append(who_K)
    return followed


@dataclass(frozen=True, eq=False, slots=True)
class _Before:
    """The look before, and who was who in it."""

    things: Found
    glance: Glance
    who_S: NDArray[np.int64]

    def stayed(self, boxes_K4: NDArray[np.float32], names_K: NDArray[np.int64]) -> NDArray[np.int64]:
        """Who each of these boxes was; −1 of those that were elsewhere. Nobody is two."""
        there_S = self.things.there_K
        names_S = np.where(there_S >= 0, np.append(self.glance.told.names_K, -1)[np.maximum(there_S, -1)], -1)
        overlap_KS = overlaps(boxes_K4, self.things.seen.boxes_K4) * (names_K[:, None] == names_S)
        stayed_K = np.full(len(boxes_K4), NOTHING, np.int64)
        if not overlap_KS.size:
            return stayed_K
        best_K = overlap_KS.argmax(axis=1)
        is_mutual_K = overlap_KS.argmax(axis=0)[best_K] == np.arange(len(best_K))
        is_one_K = is_mutual_K & (overlap_KS.max(axis=1) >= STAYED)
        return np.where(is_one_K, self.who_S[best_K], stayed_K)
