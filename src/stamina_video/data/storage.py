"""Trajectories in Parquet, one row each. The column names are the contract that the checker reads too."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from stamina_video.data.frame_map import FrameMap, Piece, Span
from stamina_video.data.links import links_of
from stamina_video.data.loaded import Loaded, accepted
from stamina_video.data.trajectory import (
    IdentityTrack,
    Mask,
    Media,
    PhaseMark,
    Provenance,
    Supported,
    Trajectory,
)
from stamina_video.semantics import (
    Edge,
    InvalidInput,
    MissingExtra,
    Operator,
    Phase,
    Role,
    Scope,
    Target,
    UnreadableFile,
)

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise MissingExtra(
        "expected pyarrow to store data, got none: pip install 'stamina-video[data]'"
    ) from None

_WORDS = pa.list_(pa.string())
_SPAN = pa.struct({"start": pa.float64(), "end": pa.float64()})

SCHEMA = pa.schema(
    {
        "id": pa.string(),
        "parent": pa.string(),
        "scene": pa.string(),
        "media": pa.string(),
        "media_sha256": pa.string(),
        "media_of_segment": pa.bool_(),
        "segment": pa.string(),
        "frame_map": pa.list_(
            pa.struct({name: pa.float64() for name in ("start", "end", "source_start", "source_end")})
        ),
        "target": pa.string(),
        "operator": pa.string(),
        "scope": pa.string(),
        "question": pa.string(),
        "aliases": _WORDS,
        "possible_aliases": _WORDS,
        "origin": pa.float64(),
        "entities": _WORDS,
        "endpoints": pa.list_(
            pa.struct({"time": pa.float64(), "count": pa.int64(), "evidence": _WORDS, "since": pa.float64()})
        ),
        "tracks": pa.list_(pa.struct({"identity": pa.string(), "visible": pa.list_(_SPAN)})),
        "marks": pa.list_(
            pa.struct(
                {
                    "subject": pa.string(),
                    "time": pa.float64(),
                    "source": pa.string(),
                    "target": pa.string(),
                    "role": pa.string(),
                }
            )
        ),
        "stable": pa.list_(_SPAN),
        "masks": _WORDS,
        "provenance": pa.struct(
            {
                "source": pa.string(),
                "record": pa.string(),
                "group": pa.string(),
                "derived_from": pa.string(),
                "steps": _WORDS,
                "ancestors": _WORDS,
            }
        ),
        "links": _WORDS,  # what ties it to other supervision; see links.py
    }
)


def write_trajectories(trajectories: Iterable[Trajectory], path: Path) -> None:
    table = pa.Table.from_pylist([_row(trajectory) for trajectory in trajectories], SCHEMA)
    part = path.with_name(path.name + ".part")
    pq.write_table(table, part, compression="zstd")
    part.replace(path)


def read_trajectories(path: Path) -> Loaded:
    """Every trajectory of a file; a row that breaks a rule is refused by its id."""
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise UnreadableFile(f"{path}: expected trajectories in Parquet, got {error}") from None
    missing = [name for name in SCHEMA.names if name not in table.schema.names]
    if missing:
        raise UnreadableFile(f"{path}: expected trajectories, got no column {missing[0]!r}")
    made, refused = accepted(table.to_pylist(), lambda row: str(row["id"]), _trajectory)
    return Loaded(tuple(made), tuple(refused))


def _row(trajectory: Trajectory) -> dict[str, Any]:
    past = trajectory.provenance
    return {
        "id": trajectory.id,
        "parent": trajectory.parent,
        "scene": trajectory.scene,
        "media": trajectory.media.path,
        "media_sha256": trajectory.media.sha256,
        "media_of_segment": trajectory.media.of_segment,
        "segment": trajectory.segment,
        "frame_map": [_fields(piece) for piece in trajectory.frame_map.pieces],
        "target": trajectory.target.description,
        "operator": str(trajectory.operator),
        "scope": str(trajectory.target.scope),
        "question": trajectory.question,
        "aliases": trajectory.aliases,
        "possible_aliases": trajectory.possible_aliases,
        "origin": trajectory.origin,
        "entities": trajectory.entities,
        "endpoints": [_fields(endpoint) for endpoint in trajectory.endpoints],
        "tracks": [
            {"identity": track.identity, "visible": [_fields(span) for span in track.visible]}
            for track in trajectory.tracks
        ],
        "marks": [
            {"subject": mark.subject, "time": mark.time} | _fields(mark.edge) for mark in trajectory.marks
        ],
        "stable": [_fields(span) for span in trajectory.stable],
        "masks": sorted(trajectory.masks),
        "provenance": _fields(past),
        "links": links_of(trajectory),
    }


def _fields(record: Piece | Supported | Span | Edge | Provenance) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__slots__}


def _trajectory(row: dict[str, Any]) -> Trajectory:
    missing = next((name for name in SCHEMA.names if row[name] is None), None)
    if missing:
        raise InvalidInput(f"trajectory {row['id']}: expected its {missing}, got none")
    try:
        return Trajectory(
            id=row["id"],
            parent=row["parent"],
            scene=row["scene"],
            media=Media(row["media"], row["media_sha256"], row["media_of_segment"]),
            segment=row["segment"],
            frame_map=FrameMap(tuple(Piece(**piece) for piece in row["frame_map"])),
            target=Target(row["target"], Operator.parse(row["operator"]), Scope(row["scope"])),
            question=row["question"],
            provenance=_provenance(row["provenance"]),
            aliases=tuple(row["aliases"]),
            possible_aliases=tuple(row["possible_aliases"]),
            origin=row["origin"],
            entities=tuple(row["entities"]),
            endpoints=tuple(
                Supported(end["time"], end["count"], tuple(end["evidence"]), end["since"])
                for end in row["endpoints"]
            ),
            tracks=tuple(
                IdentityTrack(track["identity"], _spans(track["visible"])) for track in row["tracks"]
            ),
            marks=tuple(map(_mark, row["marks"])),
            stable=_spans(row["stable"]),
            masks=frozenset(map(Mask, row["masks"])),
        )
    except ValueError as error:  # ours, or a name that no phase, role, scope or mask has
        said = str(error)
        named = said if said.startswith("trajectory ") else f"trajectory {row['id']}: {said}"
        raise InvalidInput(named) from None


def _provenance(row: dict[str, Any]) -> Provenance:
    words = {name: tuple(row[name]) for name in ("steps", "ancestors")}
    return Provenance(**(row | words))


def _mark(row: dict[str, Any]) -> PhaseMark:
    return PhaseMark(
        row["subject"], row["time"], Edge(Phase(row["source"]), Phase(row["target"]), Role(row["role"]))
    )


def _spans(rows: Sequence[dict[str, float]]) -> tuple[Span, ...]:
    return tuple(Span(row["start"], row["end"]) for row in rows)
