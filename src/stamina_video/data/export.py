"""Writes compiled queries as questions in SVCBench's format, so that any counter can be evaluated on them."""

import json
from dataclasses import dataclass
from pathlib import Path

import polars as pl


@dataclass(frozen=True, slots=True)
class Exported:
    """How many questions and points were written, and how many the format cannot hold, by reason."""

    questions: int
    points: int
    left_out: dict[str, int]


def write_annotations(queries: pl.DataFrame, edited: set[str], path: Path) -> Exported:
    """One row a group. `edited` names trajectories whose segment is no file of its own."""
    is_edited = pl.col("trajectory").is_in(sorted(edited))
    left_out = {
        "segments that exist only as a frame map": queries.filter(is_edited).height,
        "changes below zero": queries.filter(~is_edited & (pl.col("answer") < 0)).height,
    }
    kept = queries.filter(~is_edited & (pl.col("answer") >= 0)).sort("group", "time", maintain_order=True)
    grouped = kept.group_by("group", maintain_order=True).agg(
        pl.col("source", "media", "question", "target", "operator").first(), pl.col("time", "answer")
    )
    rows = [
        {
            "id": row["group"],
            "source_dataset": row["source"],
            "video_path": row["media"],
            "question": row["question"],
            "target": row["target"],
            "counting_type": row["operator"][:2],
            "counting_subtype": row["operator"],
            "query_points": {"time": row["time"], "count": row["answer"]},
        }
        for row in grouped.iter_rows(named=True)
    ]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return Exported(len(rows), kept.height, {why: count for why, count in left_out.items() if count})
