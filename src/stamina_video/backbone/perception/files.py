"""Object files: what is kept of each thing while it is in view, whatever it is. Knows no target.

One look at a thing says little; many looks at the same thing say what it is. A file gathers them. It keeps
its seat while it is open, and closes when the thing has not been seen for a few looks. Who returns later gets
another file: whether it is the same one as before is not decided here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from stamina_video.backbone.perception.gait import Gaits
from stamina_video.backbone.perception.linking import Links, Sights
from stamina_video.backbone.perception.percept import Floats

# S seats, K things of a look, N names, E features

KEPT = 3  # looks for which a thing may not be seen while its file stays open
GATHERED = 16  # looks that count; with more, the oldest fade
FRESH = 0.5  # of the features: how a thing looks changes as it turns
FAINTEST = 1e-4  # share of a name
GAITS = "gaits"


@dataclass(frozen=True, slots=True, eq=False)
class Files:
    """S seats. `looks_S` is 0 in an empty one; `missed_S` counts looks since the thing was last seen."""

    looks_S: NDArray[np.int32]
    missed_S: NDArray[np.int32]
    vacant_S: NDArray[np.int32]  # for how many looks a seat has been empty: the longest is taken first
    boxes_S4: Floats
    scores_S: Floats
    names_SN: Floats  # mean logarithms of shares
    paints_S3: Floats
    features_SE: Floats
    gaits: Gaits

    @classmethod
    def empty(cls, seats: int, names: int, features: int) -> "Files":
        none_S = np.zeros(seats, np.int32)
        return cls(
            none_S,
            none_S,
            np.arange(seats, 0, -1, dtype=np.int32),
            np.zeros((seats, 4), np.float32),
            np.zeros(seats, np.float32),
            np.zeros((seats, names), np.float32),
            np.zeros((seats, 3), np.float32),
            np.zeros((seats, features), np.float32),
            Gaits.none(seats),
        )

    @property
    def open(self) -> NDArray[np.intp]:
        return np.flatnonzero(self.looks_S)

    @property
    def seen(self) -> NDArray[np.intp]:
        """Seats of the things of the last look."""
        return np.flatnonzero((self.looks_S > 0) & (self.missed_S == 0))

    def shares(self, power: float = 1.0) -> Floats:
        """Of the names, from all looks: they add up to one. A power above one makes up the eyes' mind."""
        best_S1 = self.names_SN.max(axis=1, keepdims=True, initial=-np.inf)
        shares_SN = np.exp(power * (self.names_SN - best_S1))
        return np.asarray(shares_SN / shares_SN.sum(axis=1, keepdims=True), np.float32)

    def sights(self) -> Sights:
        """Of the open ones."""
        seats = self.open
        return Sights(
            self.boxes_S4[seats],
            self.scores_S[seats],
            self.shares()[seats],
            self.paints_S3[seats],
            self.features_SE[seats],
            np.zeros((len(seats), 2), np.float32),
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        named = {field.name: getattr(self, field.name) for field in fields(self) if field.name != GAITS}
        return named | {f"{GAITS}.{name}": array for name, array in self.gaits.arrays().items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Files":
        gaits = Gaits(**{field.name: arrays[f"{GAITS}.{field.name}"] for field in fields(Gaits)})
        return cls(
            **{field.name: arrays[field.name] for field in fields(cls) if field.name != GAITS}, gaits=gaits
        )


def gathered(files: Files, now: Sights, linker: Links) -> tuple[Files, NDArray[np.intp]]:
    """The files after one more look, and the seat of each thing of it; −1 where no seat was left."""
    seats_K, linked_K = _seated(files, now, linker)
    sights = np.flatnonzero(seats_K >= 0)
    seats = seats_K[sights]
    missed_S = np.where(files.looks_S > 0, files.missed_S + 1, 0).astype(np.int32)
    missed_S[seats] = 0
    looks_S = np.where(missed_S > KEPT, 0, files.looks_S).astype(np.int32)
    looks_S[seats] = np.where(linked_K[sights], files.looks_S[seats], 0) + 1
    vacant_S = np.where(looks_S > 0, 0, files.vacant_S + 1).astype(np.int32)
    share = (1 / np.minimum(looks_S[seats], GATHERED)).astype(np.float32)
    fresh = np.maximum(share, FRESH)
    advanced = replace(
        files,
        looks_S=looks_S,
        missed_S=np.where(looks_S > 0, missed_S, 0).astype(np.int32),
        vacant_S=vacant_S,
        boxes_S4=_moved(files.boxes_S4, seats, now.boxes_K4[sights], np.ones_like(share)),
        scores_S=_moved(files.scores_S, seats, now.scores_K[sights], fresh),
        names_SN=_moved(files.names_SN, seats, np.log(np.maximum(now.names_KN[sights], FAINTEST)), share),
        paints_S3=_moved(files.paints_S3, seats, now.paints_K3[sights], share),
        features_SE=_moved(files.features_SE, seats, now.features_KE[sights], fresh),
        gaits=files.gaits.gone_on(seats, now.boxes_K4[sights], looks_S[seats] == 1),
    )
    return advanced, seats_K


def _moved(kept: Floats, seats: NDArray[np.intp], news: Floats, share: Floats) -> Floats:
    """Towards the news by a share, in a copy: states are values."""
    after = kept.copy()
    by = share.reshape(-1, *([1] * (kept.ndim - 1)))
    after[seats] = (1 - by) * kept[seats] + by * news
    return after


def _seated(files: Files, now: Sights, linker: Links) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """One to one, by the greatest summed log odds; who is linked to nobody takes an empty seat."""
    seats_K, linked_K = np.full(len(now), -1, np.intp), np.zeros(len(now), bool)
    seats = files.open
    if len(now) and len(seats):
        links_KS = linker.links(now, files.sights(), files.missed_S[seats].astype(np.float32))
        rows, columns = linear_sum_assignment(np.maximum(links_KS, 0), maximize=True)
        is_link = links_KS[rows, columns] > 0
        seats_K[rows[is_link]] = seats[columns[is_link]]
        linked_K[rows[is_link]] = True
    taken = set(seats_K.tolist())
    still_open = {int(seat) for seat in seats if files.missed_S[seat] < KEPT}
    free = [seat for seat in range(len(files.looks_S)) if seat not in taken and seat not in still_open]
    free.sort(key=lambda seat: (-int(files.vacant_S[seat]), seat))
    waiting = [int(thing) for thing in np.argsort(-now.scores_K, kind="stable") if seats_K[thing] < 0]
    for thing, seat in zip(waiting, free, strict=False):
        seats_K[thing] = seat
    return seats_K, linked_K
