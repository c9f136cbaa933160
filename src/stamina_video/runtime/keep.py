"""Where a session keeps its state beside its ledger, so that an interrupted one goes on."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from stamina_video.ledger import Ledger
from stamina_video.runtime.durable import make_folder
from stamina_video.runtime.journal import Journal, read_journal, write_journal
from stamina_video.runtime.model import Model
from stamina_video.runtime.snapshot import load_state, save_state, save_typed, saved_targets, with_typed
from stamina_video.runtime.state import StreamState
from stamina_video.semantics import Commit, InvalidInput, Target


class Keep:
    """A folder beside a ledger's file; a ledger elsewhere has none, and nothing is kept."""

    def __init__(self, ledger: str | Path | Ledger) -> None:
        self._folder = _folder(ledger)

    def load(self, model: Model, stream: str, targets: Sequence[Target]) -> StreamState | None:
        """The state a session left behind, for the same model and targets only."""
        path = self._path(stream)
        if path is None or not path.exists():
            return None
        state = with_typed(model, load_state(model, path), _typed(path))
        if tuple(target.target for target in state.targets) != tuple(targets):
            begun = ", ".join(target.target.description for target in state.targets)
            raise InvalidInput(
                f"expected the targets {begun} that {stream!r} was begun with, "
                f"got {', '.join(target.description for target in targets)}"
            )
        return state

    def save(self, model: Model, state: StreamState) -> int:
        """Returns the bytes written, as does `save_live`; 0 where nothing is kept."""
        if (path := self._path(state.stream)) is None:
            return 0
        make_folder(path.parent)
        return save_state(model, state, path)

    def load_journal(self, stream: str) -> Journal | None:
        path = self._path(stream)
        return None if path is None else read_journal(path.with_suffix(".json"))

    def save_live(self, model: Model, state: StreamState, time: float) -> int:
        """A live stream's state, whose commits the ledger has."""
        if (path := self._path(state.stream)) is None:
            return 0
        make_folder(path.parent)
        write_journal(path.with_suffix(".json"), state.observations, time, [])
        written = save_state(model, state, path)
        _typed(path).unlink(missing_ok=True)  # older than the whole, or left by a stream long gone
        return written

    def save_commits(self, model: Model, state: StreamState, time: float, pending: Sequence[Commit]) -> None:
        """What a live observation decided, and its commits, which the ledger has not got yet."""
        if (path := self._path(state.stream)) is None:
            return
        # The journal first: one without its state is ignored, a state without its journal loses commits.
        write_journal(path.with_suffix(".json"), state.observations, time, pending)
        save_typed(model, state, _typed(path))

    def targets(self, stream: str) -> tuple[Target, ...]:
        """The targets of the state a session would go on from; none where it would start afresh."""
        path = self._path(stream)
        return () if path is None or not path.exists() else saved_targets(path)

    def _path(self, stream: str) -> Path | None:
        name = f"{hashlib.sha256(stream.encode()).hexdigest()[:32]}.safetensors"
        return None if self._folder is None else self._folder / name


def _typed(path: Path) -> Path:
    return path.with_suffix(".typed.safetensors")


def _folder(ledger: str | Path | Ledger) -> Path | None:
    if isinstance(ledger, Ledger) or str(ledger) == ":memory:" or "://" in str(ledger):
        return None
    path = Path(ledger)
    return path.with_name(path.name + "-state")
