"""From the bytes as published to the bytes we keep. The hash has been checked before anything here runs."""

import io

from stamina_video.backbone.weights.manifest import Conversion
from stamina_video.semantics import UnreadableFile

FINER_FIELD = b"/model/stages_2/Transpose_1_output_0"  # TinyViT's last 14 × 14 activations

# Field numbers of ONNX's messages: a model's graph, a graph's output, an output's name.
MODEL_GRAPH, GRAPH_OUTPUT, OUTPUT_NAME = 7, 12, 1


def converted(conversion: Conversion, content: bytes) -> bytes:
    match conversion:
        case Conversion.NONE:
            return content
        case Conversion.CHECKPOINT:
            return tensors_only(content)
        case Conversion.FINER_GRID:
            return with_output(content, FINER_FIELD)


def tensors_only(checkpoint: bytes) -> bytes:
    """A torch checkpoint as safetensors; one that carries anything but tensors is refused."""
    import torch  # noqa: PLC0415  # seconds to import, and only this needs it
    from safetensors.torch import save  # noqa: PLC0415

    try:
        loaded = torch.load(io.BytesIO(checkpoint), map_location="cpu", weights_only=True)
    except Exception as error:  # an unpickler meets whatever the bytes hold
        raise UnreadableFile(f"expected a checkpoint of tensors alone, got {type(error).__name__}") from error
    if not isinstance(loaded, dict) or not all(isinstance(value, torch.Tensor) for value in loaded.values()):
        raise UnreadableFile(f"expected a checkpoint of named tensors, got {type(loaded).__name__}")
    return save({name: tensor.contiguous() for name, tensor in loaded.items()})


def with_output(model: bytes, name: bytes) -> bytes:
    """The ONNX model with one more output: protobuf joins messages that are written one after another."""
    output = _field(GRAPH_OUTPUT, _field(OUTPUT_NAME, name))
    return model + _field(MODEL_GRAPH, output)


def _field(number: int, payload: bytes) -> bytes:
    assert number < 16, "larger numbers need a longer tag"
    assert len(payload) < 128, "longer payloads need a longer length"
    return bytes([number << 3 | 2, len(payload)]) + payload
