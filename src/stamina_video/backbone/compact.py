"""The backbone that runs on a laptop: frozen eyes, a text encoder, and our trained decoder."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from stamina_video.backbone.contract import Frozen, Observed, Snapshot
from stamina_video.backbone.decoder import CompactDecoder, DecoderConfig, DecoderState
from stamina_video.backbone.delta import DeltaConfig
from stamina_video.backbone.perception import Eyes, Glimpse, Percept, PerceptLayout
from stamina_video.backbone.pulses import PULSES, Past, feel
from stamina_video.backbone.text import TextEncoder
from stamina_video.backbone.threads import one_thread
from stamina_video.backbone.tokens import collate
from stamina_video.backbone.wish import Wish
from stamina_video.semantics import InvalidInput, Observation, UnreadableFile, seconds, target_name

CONFIGURATION, WEIGHTS = "decoder.json", "decoder.safetensors"
DECODER, GLIMPSE, PULSE = "decoder.", "glimpse.", "pulse."  # prefixes of a snapshot's tensors


@runtime_checkable
class Kept(Protocol):
    """Eyes with trained parts of their own."""

    def save_pretrained(self, folder: Path) -> None: ...


@dataclass(frozen=True, slots=True)
class CompactState:
    decoder: DecoderState
    glimpse: Glimpse | None = None
    past: Past | None = None  # of the pulses, where they are felt


class CompactBackbone:
    def __init__(self, eyes: Eyes, text: TextEncoder, decoder: CompactDecoder) -> None:
        if eyes.layout != decoder.config.layout:
            raise InvalidInput(f"expected a perception of {decoder.config.layout}, got {eyes.layout}")
        self.eyes = eyes
        self.text = text
        self.decoder = decoder
        self.wish = Wish(text)
        if self.wish.listed.width != decoder.config.layout.names:
            raise InvalidInput(
                f"expected tokens of {self.wish.listed.width} names, got {decoder.config.layout.names}"
            )

    @property
    def width(self) -> int:
        return self.decoder.config.features

    @property
    def target_width(self) -> int:
        return self.wish.width

    @property
    def pulses(self) -> int:
        """How many numbers stand beside the mean state."""
        return len(PULSES) if self.decoder.config.pulses else 0

    @property
    def fingerprint(self) -> str:
        digest = hashlib.sha256(_as_json(self.decoder.config).encode())
        for name, tensor in sorted(self.decoder.state_dict().items()):
            digest.update(name.encode())
            digest.update(tensor.cpu().contiguous().numpy().tobytes())
        for part in (self.eyes, self.text):
            if isinstance(part, Frozen):  # a stand-in of a few lines has no weights
                digest.update(part.fingerprint.encode() + b"\n")
        return digest.hexdigest()

    def encode_target(self, description: str) -> Tensor:
        return torch.from_numpy(self.wish(target_name(description)))

    def initial(self) -> CompactState:
        return CompactState(self.decoder.initial())

    def observe(self, state: CompactState, observation: Observation) -> Observed[CompactState]:
        time = seconds(observation.time, "an observation's time")
        before = state.decoder.time_B
        if before is not None and time < before.item():
            raise InvalidInput(f"expected an observation from {before.item()} s on, got one at {time} s")
        percept, glimpse = self.eyes.perceive(observation.image, state.glimpse)
        with one_thread():
            decoded = self.decoder(collate([[(time, percept)]]), state.decoder)
        pulses_P, past = self.feel(percept, time, state.past)
        return Observed(
            CompactState(decoded.state, glimpse, past),
            decoded.tokens_BTNF[0, 0],
            torch.cat([decoded.mean_BTF[0, 0], pulses_P]),
            torch.from_numpy(percept.boxes_N4),
        )

    def feel(self, percept: Percept, time: float, past: Past | None) -> tuple[Tensor, Past | None]:
        """The pulses of one look; none of a model that reads none."""
        if not self.pulses:
            return torch.empty(0), None
        pulses_P, past = feel(percept, time, past)
        return torch.from_numpy(pulses_P), past

    def with_eyes(self, eyes: Eyes) -> "CompactBackbone":
        """The same weights behind other eyes."""
        return CompactBackbone(eyes, self.text, self.decoder)

    def full(self) -> "CompactBackbone":
        """The same weights with Full access: nothing leaves the decoder's window."""
        with torch.device("meta"):
            decoder = CompactDecoder(replace(self.decoder.config, window=None))
        decoder.load_state_dict(self.decoder.state_dict(), assign=True)  # shared, not copied
        return CompactBackbone(self.eyes, self.text, decoder.eval())

    def detached(self, state: CompactState) -> CompactState:
        return replace(state, decoder=state.decoder.detached())

    def pack(self, state: CompactState) -> Snapshot:
        named = {DECODER + name: tensor for name, tensor in state.decoder.tensors().items()}
        if state.glimpse is not None:
            named |= {GLIMPSE + name: torch.from_numpy(a) for name, a in state.glimpse.arrays().items()}
        if state.past is not None:
            named |= {PULSE + name: torch.from_numpy(a) for name, a in state.past.arrays().items()}
        copies = {name: tensor.detach().contiguous().clone() for name, tensor in named.items()}
        return Snapshot(copies)

    def unpack(self, snapshot: Snapshot) -> CompactState:
        decoder = DecoderState.from_tensors(_under(DECODER, snapshot.tensors), self.decoder.config.blocks)
        glimpse, past = (
            {name: tensor.numpy() for name, tensor in _under(prefix, snapshot.tensors).items()}
            for prefix in (GLIMPSE, PULSE)
        )
        return CompactState(
            decoder,
            Glimpse.from_arrays(glimpse) if glimpse else None,
            Past.from_arrays(past) if past else None,
        )

    def save_pretrained(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / CONFIGURATION).write_text(_as_json(self.decoder.config) + "\n", "utf-8")
        save_file(self.decoder.state_dict(), folder / WEIGHTS)
        if isinstance(self.eyes, Kept):
            self.eyes.save_pretrained(folder)

    @classmethod
    def from_pretrained(cls, folder: Path, eyes: Eyes, text: TextEncoder) -> "CompactBackbone":
        decoder = CompactDecoder(_config(folder / CONFIGURATION))
        path = folder / WEIGHTS
        try:
            decoder.load_state_dict(load_file(path))
        except (OSError, SafetensorError) as error:
            raise UnreadableFile(f"expected decoder weights, got {path}: {error}") from None
        except RuntimeError:
            raise UnreadableFile(
                f"expected the weights of {folder / CONFIGURATION}, got others in {path}"
            ) from None
        return cls(eyes, text, decoder.eval())


def _as_json(config: DecoderConfig) -> str:
    return json.dumps(asdict(config), indent=2)


def _config(path: Path) -> DecoderConfig:
    try:
        fields: dict[str, Any] = json.loads(path.read_text("utf-8"))
        layout, memory = PerceptLayout(**fields.pop("layout")), DeltaConfig(**fields.pop("memory"))
        return DecoderConfig(layout=layout, memory=memory, **fields)
    except OSError as error:
        raise UnreadableFile(f"{path}: expected a readable file, got {error.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnreadableFile(f"{path}: expected a decoder's configuration, got {error}") from None


def _under(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}
