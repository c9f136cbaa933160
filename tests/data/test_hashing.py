import hashlib
from pathlib import Path

import pytest

from stamina_video.data.hashing import CHUNK, MediaHashes, sha256_of
from stamina_video.semantics import UnreadableFile


def test_large_files_are_hashed_in_pieces(tmp_path: Path) -> None:
    content = bytes(range(256)) * (CHUNK // 256) + b"more"
    (tmp_path / "film").write_bytes(content)
    assert sha256_of(tmp_path / "film") == hashlib.sha256(content).hexdigest()


def test_a_missing_file_has_no_hash_or_is_refused(tmp_path: Path) -> None:
    assert MediaHashes(tmp_path)("film") == MediaHashes(None)("film") == ""
    with pytest.raises(UnreadableFile, match="expected a readable video"):
        sha256_of(tmp_path / "film")


def test_a_file_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "film").write_bytes(b"a")
    hashes = MediaHashes(tmp_path)
    first = hashes("film")
    (tmp_path / "film").write_bytes(b"b")
    assert hashes("film") == first
