"""Before a power cut: nobody cuts it here, but the order in which things reach the disk is watched."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from stamina_video.runtime import Session
from stamina_video.runtime.durable import make_folder, put_in_place
from stamina_video.semantics import Commit, Kind
from tests.cli.scenes import counting_model
from tests.runtime.tiny import TARGETS, observation

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="names of open files are Linux's")


@pytest.fixture
def deeds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was flushed and renamed, in order, by the last part of its name."""
    done: list[str] = []
    fsync, rename = os.fsync, Path.replace

    def flushed(descriptor: int) -> None:
        opened = Path("/proc/self/fd") / str(descriptor)
        done.append(f"flush {opened.readlink().name}")
        fsync(descriptor)

    def renamed(draft: Path, path: Path) -> Path:
        done.append(f"rename {draft.name}")
        return rename(draft, path)

    monkeypatch.setattr(os, "fsync", flushed)
    monkeypatch.setattr(Path, "replace", renamed)
    return done


def test_a_file_is_flushed_before_it_gets_its_name_and_its_name_after(
    tmp_path: Path, deeds: list[str]
) -> None:
    folder = tmp_path / "kept"
    make_folder(folder)
    make_folder(folder)  # already there: nothing to do
    (folder / "new").write_text("new")
    (folder / "state").write_text("old")
    put_in_place(folder / "new", folder / "state")
    assert deeds == [f"flush {tmp_path.name}", "flush new", "rename new", "flush kept"]
    assert [path.read_text() for path in folder.iterdir()] == ["new"]


def test_a_live_state_is_on_disk_before_its_commits_are(
    tmp_path: Path, deeds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "counts.db"
    with Session(counting_model(), TARGETS, path) as session:
        append_all = session.ledger.append_all

        def appended(commits: Sequence[Commit]) -> list[bool]:
            if any(commit.kind is not Kind.TARGET for commit in commits):
                deeds.append("commit")
            return append_all(commits)

        monkeypatch.setattr(session.ledger, "append_all", appended)
        for index in range(6):
            session.observe(replace(observation(index, "door"), live=True))
    assert "commit" in deeds
    for place in (place for place, deed in enumerate(deeds) if deed == "commit"):
        journal, state = deeds[place - 6 : place - 3], deeds[place - 3 : place]
        for kept, ending in ((journal, ".json.draft"), (state, ".safetensors.draft")):
            flush, rename, folder = kept
            assert flush.removeprefix("flush ") == rename.removeprefix("rename ")
            assert flush.endswith(ending)
            assert folder == "flush counts.db-state"
