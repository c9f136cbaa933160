"""Event slots as a value: who each one follows and in which phase it stands. Knows no scores of edges."""

from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from stamina_video.semantics import EventGraph, Phase
from stamina_video.transitions.assignment import assign
from stamina_video.transitions.cosines import cosines
from stamina_video.transitions.patience import Waited

# C visible candidates, S created slots, M slots, W candidate width


@dataclass(frozen=True, eq=False, slots=True)
class Slots:
    """Slots in order of creation. Unused ones wait in the initial phase; none is ever recycled."""

    phases: tuple[Phase, ...] = ()
    prototypes: tuple[Tensor, ...] = ()  # of the created slots
    waited: tuple[Waited, ...] = ()  # of patient ones, what has been gathered since the last edge

    @classmethod
    def initial(cls, number: int, graph: EventGraph) -> "Slots":
        return cls((graph.initial,) * number)


@dataclass(frozen=True, slots=True)
class Seating:
    """Which candidate each slot sees now, and the candidates that found no slot."""

    candidates: tuple[int | None, ...]
    overflow: tuple[int, ...] = ()

    @property
    def present(self) -> tuple[bool, ...]:
        return tuple(candidate is not None for candidate in self.candidates)


@torch.no_grad()
def seat(slots: Slots, features_CW: Tensor, track_cosine: float) -> tuple[Slots, Seating]:
    """Match visible candidates to slots, open unused slots for the rest, and move the prototypes."""
    matched = _match(slots, features_CW, track_cosine)
    created = len(slots.prototypes)
    unmatched = [candidate for candidate, slot in enumerate(matched) if slot is None]
    room = len(slots.phases) - created
    # Absent slots keep prototype and phase: reappearance is not a reset.
    sees: list[int | None] = [None] * created + unmatched[:room]
    sees += [None] * (len(slots.phases) - len(sees))
    for candidate, slot in enumerate(matched):
        if slot is not None:
            sees[slot] = candidate
    prototypes = tuple(
        slots.prototypes[slot] if candidate is None else features_CW[candidate].detach().float().clone()
        for slot, candidate in enumerate(sees)
        if candidate is not None or slot < created
    )
    return replace(slots, prototypes=prototypes), Seating(tuple(sees), tuple(unmatched[room:]))


def _match(slots: Slots, features_CW: Tensor, track_cosine: float) -> list[int | None]:
    """Each candidate's slot, maximising summed cosine above the threshold; ties prefer earlier slots."""
    if not slots.prototypes or len(features_CW) == 0:
        return [None] * len(features_CW)
    cosines_CS = cosines(features_CW, torch.stack(slots.prototypes)).double().cpu().numpy()
    created = cosines_CS.shape[1]
    # The last option, unmatched, is everyone's own and adds nothing to the sum.
    scores = np.zeros((len(cosines_CS), created + 1))
    scores[:, :created] = np.where(cosines_CS > track_cosine, cosines_CS, -np.inf)
    private = np.arange(created + 1) == created
    return [option if option < created else None for option in assign(scores, private).tolist()]
