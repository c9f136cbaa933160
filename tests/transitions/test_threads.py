import threading
from collections.abc import Iterator

import pytest
import torch

from stamina_video.semantics import Target
from stamina_video.transitions.decide import decide
from stamina_video.transitions.state import TargetState
from stamina_video.transitions.threads import one_thread
from tests.transitions.decision_cases import CONFIG, hand_made_heads, picture


@pytest.fixture(autouse=True)
def _two_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def test_the_number_of_threads_returns_even_after_an_error() -> None:
    def fail() -> None:
        with one_thread():
            found.append(torch.get_num_threads())
            raise KeyError

    found: list[int] = []
    with pytest.raises(KeyError):
        fail()
    assert [*found, torch.get_num_threads()] == [1, 2]


def test_other_threads_keep_their_number() -> None:
    found: list[int] = []
    ready, done = threading.Event(), threading.Event()

    def other() -> None:
        found.append(torch.get_num_threads())
        ready.set()
        done.wait()
        found.append(torch.get_num_threads())

    thread = threading.Thread(target=other)
    thread.start()
    ready.wait()
    with one_thread():
        done.set()
        thread.join()
    assert found == [2, 2]


@pytest.mark.parametrize("operator", ["O2-Unique", "E2-Episode"])
def test_a_decision_runs_on_one_thread(operator: str) -> None:
    heads, found = hand_made_heads(), []
    heads.pooling.register_forward_hook(lambda *_: found.append(torch.get_num_threads()))
    decide(heads, TargetState.initial("cam", Target("mugs", operator, "entity"), CONFIG), picture(0, [1]))
    assert found == [1]
    assert torch.get_num_threads() == 2
