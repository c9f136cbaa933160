"""Files a command writes: checked before any work, there whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stamina_video.semantics import InvalidInput


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A draft beside the destination that takes its name once the block ends well."""
    draft = path.with_name(f".draft-{path.name}")
    try:
        yield draft
        draft.replace(path)
    except OSError as error:
        raise InvalidInput(f"expected room to write {path}, got {error.strerror or error}") from None
    finally:
        draft.unlink(missing_ok=True)


PICTURES = (".png", ".jpg", ".pdf", ".svg")


def check_writable(option: str, path: Path, suffixes: tuple[str, ...] = ()) -> None:
    """Refuse a destination that could not be written later."""
    if suffixes and path.suffix.lower() not in suffixes:
        raise InvalidInput(f"expected {option} to end in {', '.join(suffixes)}, got {str(path)!r}")
    if path.is_dir():
        raise InvalidInput(f"expected a file for {option}, got the directory {str(path)!r}")
    probe = path.with_name(f".probe-{path.name}")
    try:
        probe.touch()
        probe.unlink()
        if path.exists():
            path.open("ab").close()
    except OSError as error:
        raise InvalidInput(
            f"expected a file that can be written for {option}, got {str(path)!r}: {error.strerror}"
        ) from None


def check_distinct(named: dict[str, Path]) -> None:
    """Refuse to write over an input or two results into one file."""
    owners: dict[Path, str] = {}
    for name, path in named.items():
        other = owners.setdefault(path.resolve(), name)
        if other != name:
            raise InvalidInput(f"expected different files for {other} and {name}, got {str(path)!r} for both")
