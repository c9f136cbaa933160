"""Session processes to be killed: started by order, followed by their progress, ended without goodbye."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0  # seconds; a busy machine is slow, a hung process is for ever


class Workers:
    """The process that forks the sessions."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.runtime.worker"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._lines: Queue[str] = Queue()
        self._listening = threading.Thread(target=self._listen)
        self._listening.start()

    def start(self, *words: object) -> "Worker":
        assert self._process.stdin is not None
        self._process.stdin.write("\t".join(map(str, words)) + "\n")
        self._process.stdin.flush()
        return Worker(int(self._lines.get(timeout=PATIENCE)), self._lines)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        self._listening.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)


class Worker:
    """One session in a process of its own; the next is started after this one ended."""

    def __init__(self, process: int, lines: "Queue[str]") -> None:
        self._process = process
        self._lines = lines

    def kill(self) -> bool:
        """Kill it; whether it was still at work."""
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        return self.ended() == -signal.SIGKILL

    def ended(self) -> int:
        """Wait for its end; the exit code, negative where a signal ended it."""
        return int(self._lines.get(timeout=PATIENCE))

    def is_over(self) -> bool:
        return not self._lines.empty()


def wait_for(worker: Worker, progress: Path, more: int) -> None:
    """Until the worker has made so many new observations, or has ended."""
    before, end = made(progress), time.monotonic() + PATIENCE
    while made(progress) < before + more and not worker.is_over():
        assert time.monotonic() < end, "the session makes no progress"
        time.sleep(0.001)


def made(progress: Path) -> int:
    return progress.stat().st_size if progress.exists() else 0
