"""Hears which files this process opens: by Python, PyAV, OpenCV or a program it starts. Knows no counters."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Listener = Callable[[object], None]  # told a name, or whatever else was given to be opened

# Libraries that open files behind Python's back, and by what.
_NATIVE = (("av", "open"), ("cv2", "VideoCapture"))
_DESCRIPTORS = Path("/proc/self/fd")

_LISTENING: list[Listener] = []
_INSTALLED: list[bool] = []


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell the listener of every opening before it happens; what it raises prevents it."""
    _install()
    originals = [
        (module, name, getattr(module, name))
        for module, name in ((sys.modules.get(module), name) for module, name in _NATIVE)
        if module is not None
    ]
    _LISTENING.append(listener)
    for module, name, original in originals:
        setattr(module, name, _telling(original))
    try:
        yield
    finally:
        for module, name, original in originals:
            setattr(module, name, original)
        _LISTENING.remove(listener)


@contextmanager
def unheard(listener: Listener) -> Iterator[None]:
    """A listener's own openings are none of its business."""
    listens = listener in _LISTENING
    if listens:
        _LISTENING.remove(listener)
    try:
        yield
    finally:
        if listens:
            _LISTENING.append(listener)


def handles(path: Path) -> int:
    """How many descriptors of this process are open on a file, by whatever code; 0 where none are listed."""
    if not _DESCRIPTORS.is_dir():
        return 0
    file = path.stat()
    return sum(_is_open_on(int(entry.name), file) for entry in _DESCRIPTORS.iterdir())


def _is_open_on(descriptor: int, file: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), file)
    except OSError:  # closed meanwhile, as the one that listed them is
        return False


def _telling(original: Callable[..., Any]) -> Callable[..., Any]:
    def told(*arguments: Any, **named: Any) -> Any:
        for value in (*arguments, *named.values()):
            _tell(value)
        return original(*arguments, **named)

    return told


def _install() -> None:
    """Python's audit hooks stay for good, so there is one, and it sleeps while nobody listens."""
    if not _INSTALLED:
        sys.addaudithook(_heard)
        _INSTALLED.append(True)


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    if not _LISTENING:
        return
    match event:
        case "open":
            _tell(arguments[0])
        case "subprocess.Popen" | "os.posix_spawn" | "os.exec":
            words = arguments[1]
            for word in (words,) if isinstance(words, str | bytes) else words:
                _tell(word)


def _tell(file: object) -> None:
    for listener in tuple(_LISTENING):
        listener(file)
