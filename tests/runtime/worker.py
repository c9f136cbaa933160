"""Runs sessions for tests that kill them. As a program it forks a child per order and says how it ended.

Orders are lines of tab-separated words on standard input. Every child appends one byte to its progress
file for each new observation. The parent of all children has paid for the imports and the model.
"""

import os
import signal
import sys
from pathlib import Path

import torch

from stamina_video.runtime import Session, StreamState
from stamina_video.semantics import Kind, Observation
from stamina_video.transitions import Outcome
from stamina_video.video import Gap, LiveSettings, open_video
from tests.runtime.tiny import TARGETS, observation, tiny_model

torch.set_num_threads(1)  # a pool of threads would not survive the fork
LENGTH, EVERY = 24, 2
MODEL = tiny_model(17)  # a random one: people come late, and some only leave
PATIENT = LiveSettings(first_wait=0.05, longest_wait=0.2, timeout=2.0, attempts=200, when_full="wait")


def stream() -> list[Observation | Gap]:
    """Always the same: a gap before the first observation, one in the middle, one in the end."""
    items: list[Observation | Gap] = [observation(index) for index in range(LENGTH)]
    items.insert(11, Gap(5.0, 5.5, "damaged data", 4))
    return [Gap(0.0, 0.0, "no timestamps", 0), *items, Gap(11.5, 12.0, "the video ends early")]


def play(ledger: Path, session_type: type[Session] = Session, progress: Path | None = None) -> None:
    with session_type(MODEL, TARGETS, ledger, EVERY) as session:
        for item in stream():
            if session.observe(item) and progress is not None:
                _more(progress, b".")


class Careless(Session):
    """Saves its state before the ledger has the commits, and dies in between.

    It dies where somebody leaves and nobody enters: the ledger would refuse to let go whom it never met.
    """

    DIES_AT = 9

    def _stepped(
        self, state: StreamState, observation: Observation
    ) -> tuple[StreamState, tuple[Outcome, ...]]:
        advanced, outcomes = super()._stepped(state, observation)
        self._keep.save(self.model, advanced)
        kinds = {change.kind for outcome in outcomes for change in outcome.decision.changes}
        if observation.index >= self.DIES_AT and kinds == {Kind.EXIT}:
            os.kill(os.getpid(), signal.SIGKILL)
        return advanced, outcomes


def follow(address: str, ledger: Path, progress: Path, acknowledged: Path, limit: int) -> None:
    """Counts a live stream until it has made `limit` observations."""
    with open_video(address, 10.0, live=PATIENT) as video, Session(MODEL, TARGETS, ledger, EVERY) as session:
        seen = 0
        for item in video:
            decisions = session.observe(item)
            commits = [commit for each in decisions for commit in each.commits(MODEL.fingerprint)]
            _more(acknowledged, "".join(f"{commit.evidence_id}\n" for commit in commits).encode())
            _more(progress, b"." if decisions else b"")
            seen += bool(decisions)
            if seen == limit:
                return


def _more(path: Path, raw: bytes) -> None:
    out = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(out, raw)
    os.close(out)


def _obey(how: str, *words: str) -> None:
    if how == "play":
        play(Path(words[0]), progress=Path(words[1]))
    elif how == "careless":
        play(Path(words[0]), Careless)
    else:
        address, ledger, progress, acknowledged, limit = words
        follow(address, Path(ledger), Path(progress), Path(acknowledged), int(limit))


def main() -> None:
    assert MODEL.fingerprint, "hashed once, before the forks"
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                _obey(*line.rstrip("\n").split("\t"))
                code = 0
            finally:
                os._exit(code)
        print(child, flush=True)  # noqa: T201 - the answer to the order
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
