"""Who may use an open ledger: one thread at a time, in the process that opened it, until it is closed."""

import os
import threading

from stamina_video.semantics import LedgerError


class Guard:
    """A context around every use. A fork inherits locks and connections that are not its own."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._owner = os.getpid()
        self._lock = threading.RLock()
        self._open = True

    def __enter__(self) -> None:
        if os.getpid() != self._owner:  # asked first: the lock may have been held at the fork
            raise LedgerError(
                f"expected a use of {self._name} in the process that opened it, got one in a fork: "
                f"open it there anew"
            )
        self._lock.acquire()
        if not self._open:
            self._lock.release()
            raise LedgerError(f"expected an open ledger, got {self._name} after it was closed")

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def end(self) -> bool:
        """Let nobody in any more; whether this call is the one that must clear up."""
        if os.getpid() != self._owner:
            return False  # the owner's locks and connections are the owner's to close
        with self._lock:
            was_open, self._open = self._open, False
            return was_open
