"""A TFLite file with more outputs: inner tensors can be read where a delegate would keep them to itself.

The file is a flatbuffer. Only one list is replaced, that of the first graph's outputs: the longer one is
appended, and the table's offset is turned to it. Offsets point forward, so nothing else moves.
"""

import struct
from collections.abc import Sequence

SUBGRAPHS, OUTPUTS = 2, 2  # places of these fields in the tables of a model and of a graph


def with_outputs(model: bytes, more: Sequence[int]) -> bytes:
    """The same model, which gives out these tensors, too."""
    buffer = bytearray(model)
    graphs = _vector(buffer, _field(buffer, _unsigned(buffer, 0), SUBGRAPHS))
    graph = graphs + 4 + _unsigned(buffer, graphs + 4)
    place = _field(buffer, graph, OUTPUTS)
    listed = _vector(buffer, place)
    outputs = [*struct.unpack_from(f"<{_unsigned(buffer, listed)}i", buffer, listed + 4), *more]
    buffer.extend(bytes(-len(buffer) % 4))
    struct.pack_into("<I", buffer, place, len(buffer) - place)
    buffer += struct.pack(f"<I{len(outputs)}i", len(outputs), *outputs)
    return bytes(buffer)


def _unsigned(buffer: bytearray, at: int) -> int:
    return int(struct.unpack_from("<I", buffer, at)[0])


def _vector(buffer: bytearray, field: int) -> int:
    return field + _unsigned(buffer, field)


def _field(buffer: bytearray, table: int, number: int) -> int:
    """Where a table keeps a field: its layout lies at a signed offset before it."""
    layout = table - int(struct.unpack_from("<i", buffer, table)[0])
    size, *_ = struct.unpack_from("<H", buffer, layout)
    assert 4 + 2 * number < size, "a model has graphs, and a graph has outputs"
    return table + int(struct.unpack_from("<H", buffer, layout + 4 + 2 * number)[0])
