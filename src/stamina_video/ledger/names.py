"""What a ledger takes for the name of a stream, and how long any name may be."""

from stamina_video.semantics import Commit, InvalidInput
from stamina_video.semantics.flow import shortened
from stamina_video.semantics.targets import is_printable

LONGEST = 512  # characters: every store can index that many


def stream_name(value: object) -> str:
    """The name of a stream to read; what could never have been written is refused."""
    if not isinstance(value, str) or not value.strip() or not is_printable(value):
        raise InvalidInput(f"expected a stream name in printable characters, got {shortened(value)}")
    return value


def check_lengths(commit: Commit) -> None:
    for what in ("stream", "target", "evidence_id", "model"):
        length = len(getattr(commit, what))
        if length > LONGEST:
            raise InvalidInput(f"expected {what} of at most {LONGEST} characters, got {length}")
