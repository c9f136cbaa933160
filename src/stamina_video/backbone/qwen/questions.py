"""Answers in words, generated on a fork of the stream's state that nobody keeps. Never a count."""

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy
from transformers import PreTrainedTokenizerBase

from stamina_video.backbone.qwen.model import Qwen
from stamina_video.backbone.qwen.state import QwenState
from stamina_video.semantics import InvalidInput

# The released chat format: what was observed stands before the turn that asks about it.
TURN = "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"
END = "<|im_end|>"


@torch.no_grad()
def answer(qwen: Qwen, tokenizer: PreTrainedTokenizerBase, state: QwenState, question: str) -> str:
    """Greedy, as the benchmarks' protocols ask; the state given stays as it was."""
    if not isinstance(question, str) or not question.strip():
        raise InvalidInput(f"expected a question in words, got {question!r}")
    ids = tokenizer(TURN.format(question), add_special_tokens=False)["input_ids"]
    words = generate(qwen, state, torch.tensor(ids, device=qwen.device))
    return str(tokenizer.decode(words, skip_special_tokens=True)).strip()


def answer_loss(
    qwen: Qwen, tokenizer: PreTrainedTokenizerBase, state: QwenState, question: str, answer: str
) -> Tensor:
    """Mean cross-entropy of an answer's tokens and of the end after them, on a fork that keeps gradients."""
    turns = (TURN.format(question), answer + END)
    asked, said = (tokenizer(turn, add_special_tokens=False)["input_ids"] for turn in turns)
    ids_L = torch.tensor([*asked, *said], device=qwen.device)
    cache = state.window.cache()
    qwen.memory.hold(cache, state.memories)
    positions_L = state.window.position + torch.arange(len(ids_L), device=qwen.device)
    states_LE = qwen.decode(ids_L, positions_L.expand(3, -1), cache)
    logits_AV = qwen.released.lm_head(states_LE[len(asked) - 1 : -1])
    return cross_entropy(logits_AV.float(), ids_L[len(asked) :])


@torch.no_grad()
def generate(qwen: Qwen, state: QwenState, ids_L: Tensor) -> list[int]:
    """The tokens that follow, up to an end token or the most an answer may have."""
    most = qwen.config.answer_tokens
    cache = state.window.fork(room=most)
    qwen.memory.hold(cache, state.memories)
    position, said, ends = state.window.position, list[int](), _ends(qwen)
    while len(said) < most:
        positions_L = torch.arange(position, position + len(ids_L), device=qwen.device)
        states_LE = qwen.decode(ids_L, positions_L.expand(3, -1), cache)
        chosen = int(qwen.released.lm_head(states_LE[-1]).argmax())
        if chosen in ends:
            break
        said.append(chosen)
        position += len(ids_L)
        ids_L = torch.tensor([chosen], device=qwen.device)
    return said


def _ends(qwen: Qwen) -> frozenset[int]:
    settings = qwen.released.generation_config
    ends = None if settings is None else settings.eos_token_id
    if ends is None:
        return frozenset()
    return frozenset([ends] if isinstance(ends, int) else ends)
