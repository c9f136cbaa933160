from pathlib import Path

import pytest

from stamina_video.backbone.weights import weights_folder
from stamina_video.backbone.weights.cache import hand_path, keep, kept_path
from stamina_video.semantics import UnreadableFile
from tests.backbone.fake_registry import a_weight


def test_the_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.delenv("STAMINA_CACHE", raising=False)
    assert weights_folder() == tmp_path / "xdg" / "stamina-video" / "weights"
    monkeypatch.setenv("STAMINA_CACHE", str(tmp_path / "own"))
    assert weights_folder() == tmp_path / "own" / "weights"


@pytest.mark.parametrize(
    ("platform", "expected"),
    [("linux", ".cache"), ("darwin", "Library/Caches"), ("win32", "AppData/Local")],
)
def test_the_folder_is_where_the_platform_has_it(
    platform: str, expected: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("STAMINA_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", platform)
    assert weights_folder() == tmp_path / expected / "stamina-video" / "weights"


def test_kept_bytes_are_the_checked_ones(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STAMINA_CACHE", str(tmp_path))
    weight = a_weight(b"as published")
    assert keep(weight, b"as published") == kept_path(weight)
    assert kept_path(weight).read_bytes() == b"as published"
    assert keep(weight, b"as published").parent.name == weight.sha256
    assert [path.name for path in kept_path(weight).parent.iterdir()] == ["tiny.bin"]
    assert hand_path(weight) == tmp_path / "weights" / "tiny.bin"


def test_other_bytes_leave_no_trace(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STAMINA_CACHE", str(tmp_path))
    weight = a_weight(b"as published")
    with pytest.raises(UnreadableFile, match=f"expected tiny.bin with SHA-256 {weight.sha256}, got "):
        keep(weight, b"tampered with")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_nothing_half_done(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STAMINA_CACHE", str(tmp_path))
    weight = a_weight(b"as published")

    def full(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space left"):
        keep(weight, b"as published")
    assert list(kept_path(weight).parent.iterdir()) == []
