import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from stamina_video.runtime import Session, StreamState, load_state, save_state, snapshot, step
from stamina_video.runtime.snapshot import due_after, save_typed, with_typed
from stamina_video.semantics import InvalidInput, UnreadableFile
from tests.runtime.tiny import TARGETS, observation, tiny_model

MODEL = tiny_model()


def test_a_loaded_state_continues_bit_for_bit(tmp_path: Path) -> None:
    path = tmp_path / "state"
    state = StreamState.initial(MODEL, "table", TARGETS)
    for index in range(12):
        save_state(MODEL, state, path)
        loaded = load_state(MODEL, path)
        state, outcomes = step(MODEL, state, observation(index))
        _, again = step(MODEL, loaded, observation(index))
        assert [o.decision for o in outcomes] == [o.decision for o in again]


def test_what_was_decided_later_goes_on_an_older_context(tmp_path: Path) -> None:
    early = StreamState.initial(MODEL, "table", TARGETS)
    late = early
    for index in range(6):
        late, _ = step(MODEL, late, observation(index))
    save_typed(MODEL, late, tmp_path / "typed")
    joined = with_typed(MODEL, early, tmp_path / "typed")
    assert joined.backbone is early.backbone
    assert joined.observations == 6
    for typed, expected in zip(joined.targets, late.targets, strict=True):
        assert typed.metadata() == expected.metadata()
        ours, theirs = typed.to_tensors(), expected.to_tensors()
        assert all(torch.equal(ours[name], theirs[name]) for name in theirs)
    step(MODEL, joined, observation(6))
    assert with_typed(MODEL, late, tmp_path / "typed") is late, "it is no later than this one"
    assert with_typed(MODEL, early, tmp_path / "absent") is early
    with pytest.raises(InvalidInput, match=r"expected a snapshot of tiny-\w+, got one of tiny-"):
        with_typed(tiny_model(seed=1), early, tmp_path / "typed")


def test_another_model_is_refused(tmp_path: Path) -> None:
    save_state(MODEL, StreamState.initial(MODEL, "table", TARGETS), tmp_path / "state")
    with pytest.raises(InvalidInput, match=r"expected a snapshot of tiny-\w+, got one of tiny-"):
        load_state(tiny_model(seed=1), tmp_path / "state")


@pytest.mark.parametrize("damage", ["absent", "text", "cut", "version", "no header"])
def test_what_is_no_snapshot_is_refused_in_one_line(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "state"
    save_state(MODEL, StreamState.initial(MODEL, "table", TARGETS), path)
    if damage == "absent":
        path.unlink()
    elif damage == "text":
        path.write_text("not a snapshot")
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:-10])
    elif damage == "version":
        save_file(load_file(path), path, metadata={"state": json.dumps({"version": 9})})
    else:
        save_file(load_file(path), path)
    with pytest.raises((UnreadableFile, InvalidInput), match="expected a snapshot") as refusal:
        load_state(MODEL, path)
    assert "\n" not in str(refusal.value)


def test_a_snapshot_is_written_whole(tmp_path: Path) -> None:
    save_state(MODEL, StreamState.initial(MODEL, "table", TARGETS), tmp_path / "state")
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def test_a_snapshot_says_how_many_bytes_it_is(tmp_path: Path) -> None:
    written = save_state(MODEL, StreamState.initial(MODEL, "table", TARGETS), tmp_path / "state")
    assert written == (tmp_path / "state").stat().st_size


def test_small_snapshots_come_often_and_large_ones_in_proportion() -> None:
    assert due_after(0) == due_after(1_000_000) == 30
    assert due_after(604_000_000) == 151  # the window of a full-size model
    assert due_after(2 * 604_000_000) == 302


def test_a_session_spaces_its_snapshots_by_their_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved: list[int] = []

    def save(model: object, state: StreamState, path: Path) -> int:
        saved.append(state.observations)
        return 5 * snapshot.BYTES_AN_OBSERVATION

    monkeypatch.setattr("stamina_video.runtime.keep.save_state", save)
    monkeypatch.setattr(snapshot, "OFTEN", 2)
    monkeypatch.setattr("stamina_video.runtime.session.OFTEN", 2)
    with Session(MODEL, TARGETS, tmp_path / "counts.db") as session:
        for index in range(13):
            session.observe(observation(index))
    assert saved == [2, 7, 12, 13]  # the last on leaving
