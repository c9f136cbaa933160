"""Made-up footage and tracks: everything an experiment needs but scenes and eyes."""

from pathlib import Path

import torch

from stamina_video.semantics import Edge, Operator, Phase, Role, Target, graph_for
from stamina_video.semantics.capacity import Endpoint
from stamina_video.training.experiments.catalogue import Trial
from stamina_video.training.experiments.tracks import Track
from stamina_video.training.footage import Aim, Footage, Step, Take, Visible
from stamina_video.training.stretch import Stretch
from stamina_video.transitions import BoundarySite, HeadsConfig

CONFIG = HeadsConfig(width=6, target_width=5, hidden=16, attention=8, queries=4)
COMPLETE = Edge(Phase.READY, Phase.REFRACTORY, Role.COMPLETE)
RESET = Edge(Phase.REFRACTORY, Phase.READY, Role.RESET)
BOX = (0.1, 0.1, 0.4, 0.4)


def an_aim(completions: tuple[float, ...] = (1.2, 3.3), entities: tuple[int, ...] = (1,)) -> Aim:
    """Something that happens to entity 1 and is over half a second later."""
    steps = [Step(1, time, COMPLETE) for time in completions]
    steps += [Step(1, time + 0.5, RESET) for time in completions]
    return Aim(
        Target("mugs picked up", "E1-Action"),
        entities,
        completions,
        tuple(sorted(steps, key=lambda step: step.time)),
    )


def footage(
    folder: Path, aims: tuple[Aim, ...] | None = None, seconds: float = 6.0, seed: int = 0
) -> Footage:
    """Entity 1 is always in view, entity 2 in every other second; two looks a second."""
    take = Take("packing", seed, seconds, 2.0)
    both, one = (Visible(1, BOX), Visible(2, (0.5, 0.5, 0.9, 0.9))), (Visible(1, BOX),)
    visible = tuple(both if int(time) % 2 else one for time in take.times)
    things = Aim(Target("mugs", "O2-Unique"), (1, 2))
    return Footage(take, aims or (an_aim(), things), visible, folder / f"{take.name}.safetensors")


def a_track(number: int, operator: Operator = Operator.E1_ACTION, looks: int = 12, slots: int = 1) -> Track:
    """Inputs shine at look 4 and at look 9, where something completes; it is over at looks 6 and 11."""
    aim = Aim(Target(f"thing {operator}", operator), (1,), (1.9, 4.4))
    take = Take("packing", number, looks / 2, 2.0)
    stretch = Stretch(Footage(take, (aim,), ((),) * looks, Path("none")), 0, looks)
    generator = torch.Generator().manual_seed(number)
    inputs_TMI = 0.1 * torch.randn(looks, slots, 2 * CONFIG.width, generator=generator)
    inputs_TMI[[4, 9], 0, 0] += 3.0
    inputs_TMI[[look for look in (6, 11) if look < looks], 0, 1] += 3.0
    endpoints = tuple(map(Endpoint, stretch.ends, stretch.counts(aim)))
    return Track(
        Trial(stretch, aim, "boundary supported"),
        inputs_TMI[:, 0, : CONFIG.width].clone(),
        inputs_TMI,
        torch.ones(looks, slots, dtype=torch.bool),
        torch.full((CONFIG.target_width,), CONFIG.target_width**-0.5),
        _sites(operator, looks),
        endpoints,
        endpoints,
    )


def _sites(operator: Operator, looks: int) -> tuple[BoundarySite, ...]:
    graph = graph_for(operator)
    phase, found = graph.initial, []
    moves = {4: Role.COMPLETE, 6: Role.RESET, 9: Role.COMPLETE, 11: Role.RESET}
    for look in range(looks):
        role = moves.get(look, Role.HOLD)
        edge = next((edge for edge in graph.outgoing(phase) if edge.role is role), None)
        if edge is not None:
            found.append(BoundarySite(look, 0, graph.edges.index(edge)))
            phase = edge.target
    return tuple(found)
