import io
import pickle
from pathlib import Path

import numpy as np
import onnxruntime as ort  # type: ignore[import-untyped]  # ships no types
import pytest
import torch
from safetensors.torch import load

from stamina_video.backbone.weights.convert import converted, tensors_only, with_output
from stamina_video.backbone.weights.manifest import Conversion
from stamina_video.semantics import UnreadableFile


def checkpoint(value: object) -> bytes:
    buffer = io.BytesIO()
    torch.save(value, buffer)
    return buffer.getvalue()


def test_as_is_is_as_is() -> None:
    assert converted(Conversion.NONE, b"anything") == b"anything"


def test_a_checkpoint_becomes_safetensors() -> None:
    tensors = {"layer.weight": torch.arange(6.0).reshape(2, 3).T, "layer.bias": torch.ones(2)}
    loaded = load(converted(Conversion.CHECKPOINT, checkpoint(tensors)))
    assert set(loaded) == set(tensors)
    assert all(torch.equal(loaded[name], tensors[name]) for name in tensors)


class Burglar:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (Path.touch, (Path("entered"),))  # type: ignore[return-value]  # what a pickle may hold


@pytest.mark.parametrize("save", [checkpoint, pickle.dumps], ids=["torch", "pickle"])
def test_a_checkpoint_with_code_is_refused_unrun(
    save: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert callable(save)
    with pytest.raises(UnreadableFile, match="expected a checkpoint of tensors alone"):
        tensors_only(save({"weight": Burglar()}))
    assert not Path("entered").exists()


def test_a_checkpoint_of_something_else_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="expected a checkpoint of named tensors, got list"):
        tensors_only(checkpoint([torch.ones(1)]))


def message(number: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return bytes([number << 3 | 2, len(body)]) + body


def number(field: int, value: int) -> bytes:
    return bytes([field << 3, value])


def value_info(field: int, name: bytes) -> bytes:
    tensor_type = message(1, number(1, 1), message(2, message(1, number(1, 2))))  # two float32
    return message(field, message(1, name), message(2, tensor_type))


def doubling_twice() -> bytes:
    """x → doubled → quadrupled, of which only the last is given out."""
    nodes = [
        message(1, message(1, source), message(1, source), message(2, result), message(4, b"Add"))
        for source, result in ((b"x", b"doubled"), (b"doubled", b"quadrupled"))
    ]
    graph = message(7, *nodes, message(2, b"g"), value_info(11, b"x"), value_info(12, b"quadrupled"))
    return number(1, 7) + message(8, number(2, 14)) + graph


def test_an_inner_value_can_be_given_out() -> None:
    model = with_output(doubling_twice(), b"doubled")
    session = ort.InferenceSession(model, providers=["CPUExecutionProvider"])
    quadrupled, doubled = session.run(None, {"x": np.array([1.0, 2.0], np.float32)})
    assert quadrupled.tolist() == [4.0, 8.0]
    assert doubled.tolist() == [2.0, 4.0]
