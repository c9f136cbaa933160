"""Sessions killed at random moments end with the ledger of an uninterrupted run, commit for commit."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from stamina_video.ledger import Ledger
from stamina_video.semantics import Commit
from tests.runtime.killing import Workers, wait_for
from tests.runtime.worker import LENGTH, play

KILLS = 50
MOST_STEPS = 6  # between two kills


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    workers = Workers()
    yield workers
    workers.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[Commit]:
    path = tmp_path_factory.mktemp("whole") / "counts.db"
    play(path)
    return recorded(path)


def recorded(path: Path) -> list[Commit]:
    with Ledger.open(path, readonly=True) as ledger:
        ledger.verify()
        return [row.commit for row in ledger.rows("table")]


def test_the_script_commits_all_along(whole: list[Commit]) -> None:
    counted = {commit.observation for commit in whole if commit.kind.measure is not None}
    assert len(counted) > LENGTH / 3, "a ledger that hardly changes would hide what is lost"
    assert sum(commit.kind == "gap" for commit in whole) == 3


def test_fifty_kills_leave_no_trace(workers: Workers, whole: list[Commit], tmp_path: Path) -> None:
    chance = random.Random(11)
    progress = tmp_path / "progress"
    kills = ledgers = 0
    while kills < KILLS:
        path = tmp_path / f"{ledgers}.db"
        is_finished = False
        while not is_finished:
            worker = workers.start("play", path, progress)
            if kills < KILLS:
                wait_for(worker, progress, chance.randrange(MOST_STEPS + 1))
                time.sleep(chance.uniform(0, 0.02))
                is_finished = not worker.kill()
                kills += not is_finished
            else:
                assert worker.ended() == 0
                is_finished = True
        assert recorded(path) == whole
        ledgers += 1
    assert (kills, ledgers > 1) == (KILLS, True)


def test_a_session_that_saves_before_it_commits_would_be_found_out(
    workers: Workers, whole: list[Commit], tmp_path: Path
) -> None:
    path = tmp_path / "careless.db"
    assert workers.start("careless", path).ended() != 0
    play(path)
    lost = [commit for commit in whole if commit not in recorded(path)]
    assert lost
    assert len({commit.observation for commit in lost}) == 1
