"""Imports that extras bring: where one is missing, a line that says what to install, and no traceback."""

from collections.abc import Iterator
from contextlib import contextmanager

from stamina_video.semantics import MissingExtra


@contextmanager
def extras(purpose: str) -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise MissingExtra(
            f"expected {error.name} {purpose}, got none: pip install 'stamina-video[train,data,qwen]'"
        ) from None
