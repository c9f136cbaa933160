from collections.abc import Iterator

import pytest
import torch

from stamina_video.backbone.threads import one_thread
from stamina_video.semantics import Observation
from tests.backbone.test_compact import a_backbone, a_picture


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


def test_one_observation_is_decoded_on_one_thread() -> None:
    backbone, found = a_backbone(), []
    backbone.decoder.register_forward_hook(lambda *_: found.append(torch.get_num_threads()))
    backbone.observe(backbone.initial(), Observation("door", 0, 0.0, a_picture(0), 0))
    assert [*found, torch.get_num_threads()] == [1, 2]
