"""The full-size backbone: observations into a released Qwen3-VL with memory, features out."""

import hashlib
import json
from dataclasses import asdict, replace
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional
from transformers import PreTrainedTokenizerBase

from stamina_video.backbone.contract import Observed, Snapshot
from stamina_video.backbone.qwen.config import QwenConfig
from stamina_video.backbone.qwen.files import (
    ADAPTER,
    PAGE,
    TRAINED,
    WEIGHTS,
    Base,
    read_page,
    read_weights,
    write_page,
    write_weights,
)
from stamina_video.backbone.qwen.hashing import weights_hash
from stamina_video.backbone.qwen.loading import load_adapter, load_released
from stamina_video.backbone.qwen.model import Qwen
from stamina_video.backbone.qwen.questions import answer, answer_loss
from stamina_video.backbone.qwen.sight import ImageProcessor, Sights
from stamina_video.backbone.qwen.state import QwenState
from stamina_video.backbone.qwen.window import Window
from stamina_video.semantics import InvalidInput, Observation, UnreadableFile, seconds, target_name


class QwenBackbone:
    """Stream access with a window, Full access without one: the same weights, the same path."""

    def __init__(
        self,
        qwen: Qwen,
        tokenizer: PreTrainedTokenizerBase,
        processor: ImageProcessor,
        base: Base,
        config: QwenConfig | None = None,
    ) -> None:
        self.qwen = qwen
        self.tokenizer = tokenizer
        self.processor = processor
        self.base = base
        self.sights = Sights(qwen, tokenizer, processor)
        self.config = config or qwen.config

    @classmethod
    def from_released(
        cls, name: str | Path, revision: str | None = None, config: QwenConfig | None = None
    ) -> "QwenBackbone":
        """A released model by its hub name or folder, with fresh memories: they say nothing until trained."""
        parts = load_released(name, revision)
        qwen = Qwen(parts.model, config or QwenConfig())
        return cls(qwen, parts.tokenizer, parts.processor, parts.base)

    @classmethod
    def from_pretrained(cls, folder: Path, base: str | Path | None = None) -> "QwenBackbone":
        """What `save_pretrained(folder)` wrote, on the base it names or on the same weights elsewhere."""
        named, config = read_page(folder)
        inside = folder / named.name
        place = base or (inside if not Path(named.name).is_absolute() and inside.is_dir() else named.name)
        try:
            backbone = cls.from_released(place, named.revision if base is None else None, config)
        except UnreadableFile as error:
            raise UnreadableFile(f"{error}, as base or in {folder / PAGE}") from None
        named.check(backbone.base.hash)
        try:
            backbone.qwen.memory.load_state_dict(read_weights(folder))
        except RuntimeError:
            raise UnreadableFile(
                f"expected the weights of {folder / PAGE}, got others in {folder / WEIGHTS}"
            ) from None
        if (folder / ADAPTER).is_dir():
            load_adapter(backbone.qwen, folder / ADAPTER)
        backbone.base = named
        return backbone

    @property
    def width(self) -> int:
        return self.qwen.width

    @property
    def target_width(self) -> int:
        return self.qwen.width

    @property
    def pulses(self) -> int:
        return 0

    @property
    def fingerprint(self) -> str:
        digest = hashlib.sha256(json.dumps(asdict(self.config), sort_keys=True).encode())
        digest.update(f"{self.qwen.dtype} {weights_hash(self.qwen)}".encode())
        return digest.hexdigest()

    def full(self) -> "QwenBackbone":
        """The same model with Full access: nothing leaves its window."""
        unwindowed = replace(self.config, window=None)
        return QwenBackbone(self.qwen, self.tokenizer, self.processor, self.base, unwindowed)

    def encode_target(self, description: str) -> Tensor:
        ids = self.tokenizer(target_name(description), add_special_tokens=False)["input_ids"]
        embeddings = self.qwen.released.get_input_embeddings()
        words_LE: Tensor = embeddings(torch.tensor(ids, device=self.qwen.device))
        return functional.normalize(words_LE.detach().float().mean(0), dim=0)

    def initial(self) -> QwenState:
        return QwenState(Window(), self.qwen.memory.initial())

    def observe(self, state: QwenState, observation: Observation) -> Observed[QwenState]:
        time = seconds(observation.time, "an observation's time")
        if state.time is not None and time < state.time:
            raise InvalidInput(f"expected an observation from {state.time} s on, got one at {time} s")
        sight = self.sights.see(observation.image, time, self.config.visual_tokens)
        state = self._prepared(state, len(sight.ids_L))
        window = state.window
        cache = window.cache()
        self.qwen.memory.hold(cache, state.memories)
        positions_3L = window.position + sight.positions_3L
        states_LE = self.qwen.decode(sight.ids_L, positions_3L, cache, sight.patches, sight.grid_3)
        tokens_ND = states_LE[sight.is_visual_L].float()
        following = QwenState(
            window.appended(cache, len(sight.ids_L), window.position + sight.span),
            self.qwen.memory.held(cache),
            time,
            state.unrolled + len(sight.ids_L),
        )
        return Observed(following, tokens_ND, tokens_ND.mean(0), sight.boxes_N4)

    def ask(self, state: QwenState, question: str, at: float | None = None) -> str:
        """An answer in words, as of the last observation; the state given stays as it was."""
        if at is not None and state.time is not None and seconds(at, "a question's time") < state.time:
            raise InvalidInput(
                f"expected a question from {state.time} s on, the last observation, got {at} s"
            )
        return answer(self.qwen, self.tokenizer, state, question)

    def answer_loss(self, state: QwenState, question: str, answer: str) -> Tensor:
        """How surprising an answer is, as of the last observation; the state given stays as it was."""
        return answer_loss(self.qwen, self.tokenizer, state, question, answer)

    def detached(self, state: QwenState) -> QwenState:
        return state.detached()

    def pack(self, state: QwenState) -> Snapshot:
        compact = torch.contiguous_format
        return Snapshot(
            {
                name: tensor.detach().to("cpu", copy=True, memory_format=compact)
                for name, tensor in state.tensors().items()
            }
        )

    def unpack(self, snapshot: Snapshot) -> QwenState:
        device = self.qwen.device
        return QwenState.from_tensors({name: part.to(device) for name, part in snapshot.tensors.items()})

    def save_pretrained(self, folder: Path) -> None:
        """Our modules; of the base its name, or its weights and adapters too where training moved them."""
        folder.mkdir(parents=True, exist_ok=True)
        write_weights(folder, self.qwen.memory.state_dict())
        write_page(folder, self._saved_base(folder), self.config)

    def _saved_base(self, folder: Path) -> Base:
        released = self.qwen.released
        if getattr(released, "_hf_peft_config_loaded", False):
            released.save_pretrained(folder / ADAPTER)
            return self.base
        if (now := weights_hash(released)) == self.base.hash:
            return self.base
        for part in (released, self.tokenizer, self.processor):
            part.save_pretrained(folder / TRAINED)
        return Base(TRAINED, None, now)

    def _prepared(self, state: QwenState, tokens: int) -> QwenState:
        """Room in the window, positions within bounds, and gradients that end where truncation says."""
        memory = self.config.memory
        if state.unrolled and state.unrolled + tokens > memory.truncation * memory.chunk:
            state = state.detached()
        window = state.window.room_for(tokens, self.config.window)
        if self.config.window is not None and window.position > self.config.positions:
            window = window.moved_back(self.qwen.released.model.language_model.rotary_emb.inv_freq)
        return replace(state, window=window)
