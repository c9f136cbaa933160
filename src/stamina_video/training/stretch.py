"""Part of a take with a count origin of its own: its looks, and what is verified about each target in it.

The camera runs on through a cut between two stretches; every count and every phase begins afresh.
"""

import operator
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import accumulate, pairwise

import torch

from stamina_video.backbone.perception import Percept
from stamina_video.semantics import Phase, graph_for
from stamina_video.training.footage import Aim, Footage
from stamina_video.training.sample import Crossing, Lesson, Shown
from stamina_video.transitions import CountLabels

ENDPOINTS = 5


@dataclass(frozen=True, slots=True)
class Stretch:
    footage: Footage
    first: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.first

    @property
    def name(self) -> str:
        return f"{self.parent}-{self.first}-{self.stop}"

    @property
    def parent(self) -> str:
        return self.footage.take.name

    @property
    def origin(self) -> float:
        return self.footage.take.times[self.first]

    @property
    def times(self) -> tuple[float, ...]:
        return tuple(time - self.origin for time in self.footage.take.times[self.first : self.stop])

    @property
    def ends(self) -> tuple[int, ...]:
        """Looks consumed at each of five endpoints, spread evenly."""
        return tuple(max(round(number * len(self) / ENDPOINTS), 1) for number in range(1, ENDPOINTS + 1))

    def percepts(self) -> list[Percept]:
        return self.footage.percepts()[self.first : self.stop]

    def completions(self, aim: Aim) -> tuple[float, ...]:
        """What the looks can show: completed after the first look, or at it where the scene begins."""
        last = self.times[-1]
        since = [time - self.origin for time in aim.completions]
        return tuple(time for time in since if 0 < time <= last or time == self.first == 0)

    def counts(self, aim: Aim) -> tuple[int, ...]:
        """Completed by each endpoint."""
        times, completions = self.times, self.completions(aim)
        return tuple(bisect_right(completions, times[end - 1]) for end in self.ends)

    def crossings(self, aim: Aim) -> tuple[Crossing, ...] | None:
        """Every change of phase from the initial one; None where that cannot follow all that completed."""
        graph, times = graph_for(aim.target.operator), self.times
        phases: dict[int, Phase] = {}
        found = []
        for step in aim.steps:
            time = step.time - self.origin
            legal = step.edge.source == phases.get(step.subject, graph.initial)
            if 0 <= time <= times[-1] and legal:
                phases[step.subject] = step.edge.target
                found.append(Crossing(f"entity {step.subject}", bisect_left(times, time), step.edge))
        followed = sum(crossing.edge.increment for crossing in found) == len(self.completions(aim))
        return tuple(found) if followed else None

    def shown(self, aim: Aim) -> tuple[tuple[Shown, ...], ...]:
        wanted = set(aim.entities)
        return tuple(
            tuple(Shown(f"entity {one.entity}", one.box) for one in look if one.entity in wanted)
            for look in self.footage.visible[self.first : self.stop]
        )

    def event_lesson(self, aim: Aim, boundaries: bool) -> Lesson:
        return Lesson(
            aim.target,
            completed=CountLabels(torch.tensor(self.ends), torch.tensor(self.counts(aim))),
            shown=self.shown(aim),
            crossings=self.crossings(aim) if boundaries else None,
        )

    def object_lesson(self, aim: Aim, identities: bool) -> Lesson:
        """Visible and unique counts at the endpoints; with `identities` also who is who."""
        shown = self.shown(aim)
        ends_J = torch.tensor(self.ends)
        visible = [len(shown[end - 1]) for end in self.ends]
        met = list(accumulate((frozenset(one.identity for one in look) for look in shown), operator.or_))
        return Lesson(
            aim.target,
            visible=CountLabels(ends_J, torch.tensor(visible)),
            unique=CountLabels(ends_J, torch.tensor([len(met[end - 1]) for end in self.ends])),
            shown=shown if identities else None,
        )


def stretches(footage: Footage, number: int) -> list[Stretch]:
    """A take cut into so many parts of nearly equal length."""
    looks = len(footage.take.times)
    cuts = [round(place * looks / number) for place in range(number + 1)]
    return [Stretch(footage, first, stop) for first, stop in pairwise(cuts)]
