"""What we add to a released Qwen3-VL, and how much of a stream its attention keeps."""

from dataclasses import dataclass, field

from stamina_video.backbone.delta import DeltaConfig
from stamina_video.semantics import InvalidInput


@dataclass(frozen=True, slots=True)
class QwenConfig:
    """The paper's defaults; `window=None` is Full access: everything since the origin."""

    window: int | None = 4096  # tokens, those of the current observation included
    visual_tokens: int = 256  # at most, of one observation: a full window then spans 15 of them
    memory_stride: int = 4  # every how many decoder blocks a memory stands beside the attention
    memory: DeltaConfig = field(default_factory=DeltaConfig)
    positions: int = (
        32_768  # past it the window is moved back towards 0: float32 angles lose their last digits
    )
    answer_tokens: int = 1024  # at most, of one answer

    def __post_init__(self) -> None:
        for name in ("visual_tokens", "memory_stride", "positions", "answer_tokens"):
            if getattr(self, name) < 1:
                raise InvalidInput(f"expected {name} from 1, got {getattr(self, name)}")
        if self.window is not None and self.window < 1:
            raise InvalidInput(f"expected a window from 1 token, got {self.window}")

    def memory_blocks(self, blocks: int) -> tuple[int, ...]:
        """Which of the decoder's blocks have a memory: every stride-th."""
        return tuple(range(self.memory_stride - 1, blocks, self.memory_stride))
