"""Puts a file in another's place: a crash or a power cut leaves the older one or the new one, whole."""

import os
from pathlib import Path


def put_in_place(draft: Path, path: Path) -> None:
    """On return the draft is on disk under its name, and so is everything put in place before."""
    with draft.open("rb+") as file:
        os.fsync(file.fileno())
    draft.replace(path)
    sync_folder(path.parent)


def make_folder(folder: Path) -> None:
    """A folder inside one that is there, on disk on return."""
    if not folder.is_dir():
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """A name belongs to its folder, and reaches the disk with it."""
    if os.name == "nt":
        return  # where a folder cannot be opened, and names are journalled
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
