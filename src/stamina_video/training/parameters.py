"""Which parameters learn, and at which rate: new modules, what was pretrained, and what stays frozen."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from torch import Tensor, nn

from stamina_video.backbone import CompactBackbone
from stamina_video.backbone.delta import DeltaMemory
from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput
from stamina_video.training.recipe import Recipe

ASSOCIATION = "heads.association."
CLOSED = -1e4  # a gate's logit: σ gives 0 exactly

Named = dict[str, nn.Parameter]


@dataclass(frozen=True, slots=True)
class Groups:
    """By name, so that a checkpoint can tell them apart. Everything else of a model is frozen."""

    new: Named
    pretrained: Named
    measured: dict[str, Tensor] = field(default_factory=dict)  # set between stages, never by the optimiser

    @property
    def trained(self) -> Named:
        return self.new | self.pretrained

    @property
    def changing(self) -> dict[str, Tensor]:
        """All that a checkpoint must keep."""
        return {**self.trained, **self.measured}

    def let_learn(self, everything: bool) -> None:
        """Everything, or new modules alone: the others then get no gradient and keep no moment."""
        for parameter in self.new.values():
            parameter.requires_grad_(True)
        for parameter in self.pretrained.values():
            parameter.requires_grad_(everything)
            if not everything:
                parameter.grad = None


def modules(model: Model) -> dict[str, nn.Module]:
    """Everything in a model that has parameters, by the names checkpoints use."""
    backbone = model.backbone
    if isinstance(backbone, CompactBackbone):
        return {"decoder": backbone.decoder, "heads": model.heads}
    qwen = getattr(backbone, "qwen", None)
    if not isinstance(qwen, nn.Module):
        raise InvalidInput(f"expected a backbone with parameters to train, got {type(backbone).__name__}")
    return {"qwen": qwen, "heads": model.heads}


def groups(model: Model, recipe: Recipe) -> Groups:
    """The compact decoder is new as a whole; of Qwen3-VL the memories are, and the vision encoder rests.

    After a stage of seeing only the association is new: all else has learned already.
    """
    parts = modules(model)
    if not recipe.memory:
        _close_memories(parts)
    new = dict(_named("heads", parts["heads"])) if recipe.state else {}
    if "decoder" in parts:
        memories = set() if recipe.memory else _memory_parameters(parts["decoder"])
        new |= {name: one for name, one in _named("decoder", parts["decoder"]) if one not in memories}
        rests = () if recipe.seeing is None else tuple(n for n in new if not n.startswith(ASSOCIATION))
        seen = {name: new.pop(name) for name in rests}
        measured = dict(parts["heads"].named_buffers("heads"))
        return _freezing(parts, Groups(new, seen, measured))
    memory = "qwen.memory."
    learned = [pair for pair in _named("qwen", parts["qwen"]) if pair[1].requires_grad]
    pretrained = {name: one for name, one in learned if not name.startswith(memory)}
    if recipe.memory:
        new |= {name: one for name, one in learned if name.startswith(memory)}
    return _freezing(parts, Groups(new, pretrained))


def _freezing(parts: dict[str, nn.Module], found: Groups) -> Groups:
    trained = set(found.trained.values())
    for part in parts.values():
        for parameter in part.parameters():
            parameter.requires_grad_(parameter in trained)
    return found


def _named(prefix: str, module: nn.Module) -> Iterator[tuple[str, nn.Parameter]]:
    return module.named_parameters(prefix)


def _memories(parts: dict[str, nn.Module]) -> Iterator[DeltaMemory]:
    for part in parts.values():
        yield from (inner for inner in part.modules() if isinstance(inner, DeltaMemory))


def _memory_parameters(module: nn.Module) -> set[nn.Parameter]:
    return {one for memory in _memories({"": module}) for one in memory.parameters()}


def _close_memories(parts: dict[str, nn.Module]) -> None:
    for memory in _memories(parts):
        nn.init.zeros_(memory.gate.weight)
        nn.init.constant_(memory.gate.bias, CLOSED)
