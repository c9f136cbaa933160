"""Brings the shards of one run together, wherever they were made."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from stamina_video.evaluation.running.run import PARTS, QUESTIONS, Run, check_same, write_settings
from stamina_video.semantics import InvalidInput


def merge(folders: Sequence[Path], out: Path) -> Run:
    """One folder with every shard's parts; shards made under other settings are refused."""
    if not folders:
        raise InvalidInput("expected at least one shard's folder, got none")
    shards = [Run.read(folder) for folder in folders]
    for other in shards[1:]:
        check_same(shards[0].settings, other.settings, other.folder)
    (out / PARTS).mkdir(parents=True, exist_ok=True)
    for one in shards:
        if one.folder.resolve() == out.resolve():
            continue
        for part in sorted((one.folder / PARTS).glob("*.json")):
            shutil.copyfile(part, out / PARTS / part.name)
        shutil.copyfile(one.folder / QUESTIONS, out / QUESTIONS)
    write_settings(out, shards[0].settings)
    return Run.read(out)
