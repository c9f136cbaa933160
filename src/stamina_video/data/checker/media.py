"""Hashes the media again."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from stamina_video.data.checker.report import Fault


def media_faults(trajectories: pl.DataFrame, videos: Path) -> Iterator[Fault]:
    """Hash every file once; a trajectory without a hash makes no claim."""
    claimed = trajectories.filter(pl.col("media_sha256").fill_null("") != "")
    found = {name: _sha256(videos / name) for name in claimed["media"].unique()}
    for id_, name, claim in claimed.select("id", "media", "media_sha256").iter_rows():
        if found[name] != claim:
            got = found[name] or "no such file"
            yield Fault("wrong hash", id_, f"expected {name} with sha256 {claim[:12]}…, got {got[:12]}")


def _sha256(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
