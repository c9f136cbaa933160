"""Target vectors: a description → a unit vector in which "mug", "cup" and "coffee mug" lie close together."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.functional import gelu, layer_norm, linear, normalize, scaled_dot_product_attention

from stamina_video.backbone.threads import one_thread
from stamina_video.backbone.weights import fetch, hashes_of
from stamina_video.semantics import InvalidInput, UnreadableFile

HEADS = 12
NORM_EPSILON = 1e-12
LONGEST = 128  # word pieces; a description of a target is a few
REMEMBERED = 4096  # descriptions


class TextEncoder(Protocol):
    @property
    def width(self) -> int: ...

    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """One row of unit length for each text."""
        ...


class MiniLM:
    """all-MiniLM-L6-v2 in float32: a BERT encoder whose mean over word pieces stands for the sentence."""

    def __init__(self, weights: Path, tokenizer: Path, fingerprint: str = "") -> None:
        self.fingerprint = fingerprint
        try:
            self._weights = load_file(weights)
            self._tokenizer = Tokenizer.from_file(str(tokenizer))
        except (OSError, SafetensorError) as error:
            raise UnreadableFile(f"expected text weights, got {weights}: {error}") from error
        except Exception as error:  # the tokenizer library raises nothing narrower
            raise UnreadableFile(f"expected a tokenizer, got {tokenizer}: {error}") from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)
        self._layers = len(
            {name.split(".")[2] for name in self._weights if name.startswith("encoder.layer.")}
        )
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._vector)

    @property
    def width(self) -> int:
        return int(self._weights["embeddings.word_embeddings.weight"].shape[1])

    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        if not texts:
            return np.zeros((0, self.width), np.float32)
        return np.stack([self._remembered(" ".join(text.split())) for text in texts])

    @torch.inference_mode()
    def _vector(self, text: str) -> NDArray[np.float32]:
        if not text:
            raise InvalidInput("expected a description of something to count, got an empty text")
        with one_thread():
            states_LD = self._embedded(self._tokenizer.encode(text).ids)
            for layer in range(self._layers):
                states_LD = self._block(states_LD, f"encoder.layer.{layer}.")
        return np.asarray(normalize(states_LD.mean(dim=0), dim=0).numpy())

    def _embedded(self, pieces: list[int]) -> Tensor:
        words_LD = self._weights["embeddings.word_embeddings.weight"][pieces]
        places_LD = self._weights["embeddings.position_embeddings.weight"][: len(pieces)]
        sentence_D = self._weights["embeddings.token_type_embeddings.weight"][0]
        return self._norm(words_LD + places_LD + sentence_D, "embeddings.LayerNorm")

    def _block(self, states_LD: Tensor, at: str) -> Tensor:
        query, key, value = (
            self._linear(states_LD, f"{at}attention.self.{part}")
            .view(len(states_LD), HEADS, -1)
            .transpose(0, 1)
            for part in ("query", "key", "value")
        )
        mixed_LD = scaled_dot_product_attention(query, key, value).transpose(0, 1).flatten(1)
        attended_LD = self._linear(mixed_LD, f"{at}attention.output.dense")
        states_LD = self._norm(states_LD + attended_LD, f"{at}attention.output.LayerNorm")
        widened = gelu(self._linear(states_LD, f"{at}intermediate.dense"))
        return self._norm(states_LD + self._linear(widened, f"{at}output.dense"), f"{at}output.LayerNorm")

    def _linear(self, states: Tensor, name: str) -> Tensor:
        return linear(states, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _norm(self, states: Tensor, name: str) -> Tensor:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return layer_norm(states, weight.shape, weight, bias, NORM_EPSILON)


def load_text_encoder() -> MiniLM:
    """The text encoder of the compact backbone, fetched on first use."""
    weights, tokenizer = "all-minilm-l6-v2", "minilm-tokenizer"
    return MiniLM(fetch(weights), fetch(tokenizer), hashes_of(weights, tokenizer))
