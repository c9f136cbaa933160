"""What a live stream's state cannot say of itself: its clock, and commits on their way into the ledger.

A file can be delivered again after a crash, a live picture cannot. So what it decided is saved together
with its commits, before the ledger has them, and they are appended again when it is resumed.
"""

import json
import time as clock
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from stamina_video.runtime.durable import put_in_place
from stamina_video.semantics import Commit, UnreadableFile


@dataclass(frozen=True, slots=True)
class Journal:
    """Written before the state it belongs to, which has consumed so many observations."""

    observations: int
    time: float  # of the last of them
    before: float  # of the last one in the state saved before
    wall: float  # seconds since 1970 at that moment
    pending: tuple[Commit, ...] = ()

    def belongs_to(self, observations: int) -> bool:
        return self.observations == observations


def write_journal(path: Path, observations: int, time: float, pending: Sequence[Commit]) -> None:
    """Written whole or not at all."""
    earlier = read_journal(path)
    before = time if earlier is None else earlier.time
    draft = path.with_name(path.name + ".draft")
    journal = Journal(observations, time, before, clock.time(), tuple(pending))
    draft.write_text(json.dumps(asdict(journal)), "utf-8")
    put_in_place(draft, path)


def read_journal(path: Path) -> Journal | None:
    """None where no live stream was ever kept here."""
    try:
        fields: dict[str, Any] = json.loads(path.read_text("utf-8"))
        pending = tuple(Commit(**commit) for commit in fields.pop("pending"))
        return Journal(**fields, pending=pending)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnreadableFile(f"{path}: expected the journal of a live stream, got {error}") from None
