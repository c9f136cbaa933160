import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from stamina_video.transitions.registry import ROWS, Registry

WIDTH = 3


def rows(number: int, seed: int = 0) -> Tensor:
    return torch.randn(number, WIDTH, generator=torch.Generator().manual_seed(seed))


def grown(size: int, time: float = 0.0) -> Registry:
    return Registry(WIDTH).write(range(size), rows(size), time)


def everything(registry: Registry) -> Tensor:
    return registry.prototypes(torch.arange(len(registry)))


def test_ids_follow_the_order_of_acceptance() -> None:
    registry = grown(2).write([2, 3], rows(2, seed=1), 5.0)
    assert len(registry) == 4
    assert torch.equal(everything(registry), torch.cat([rows(2), rows(2, seed=1)]))
    assert [registry.accepted(identity) for identity in range(4)] == [0.0, 0.0, 5.0, 5.0]


def test_a_match_replaces_the_prototype_and_keeps_the_time_of_acceptance() -> None:
    registry = grown(3).write([1], rows(1, seed=1), 7.0)
    assert torch.equal(everything(registry)[1], rows(1, seed=1)[0])
    assert (registry.accepted(1), registry.seen(1), registry.seen(0)) == (0.0, 7.0, 0.0)


def test_forks_do_not_see_each_other() -> None:
    origin = grown(ROWS + 2)
    before = everything(origin).clone()
    left = origin.write([0, ROWS + 2], rows(2, seed=1), 1.0)
    right = origin.write([ROWS + 2, ROWS + 1], rows(2, seed=2), 2.0)
    assert torch.equal(everything(origin), before)
    assert torch.equal(left.prototypes(torch.tensor([0, ROWS + 2])), rows(2, seed=1))
    assert torch.equal(right.prototypes(torch.tensor([ROWS + 2, ROWS + 1])), rows(2, seed=2))
    assert torch.equal(right.prototypes(torch.tensor([0]))[0], before[0])
    assert (len(origin), len(left), len(right)) == (ROWS + 2, ROWS + 3, ROWS + 3)


def test_a_write_shares_the_blocks_it_does_not_touch() -> None:
    origin = grown(3 * ROWS)
    written = origin.write([ROWS], rows(1, seed=1), 1.0)
    shared = [one is other for one, other in zip(origin.blocks, written.blocks, strict=True)]
    assert shared == [True, False, True]


def test_prototypes_are_stored_without_gradient_and_by_value() -> None:
    feature = rows(1).requires_grad_()
    registry = Registry(WIDTH).write([0], feature, 0.0)
    with torch.no_grad():
        feature.fill_(9.0)
    assert torch.equal(everything(registry), rows(1))
    assert not everything(registry).requires_grad


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_prototypes_are_float32_whatever_wrote_or_saved_them(dtype: torch.dtype) -> None:
    written = Registry(WIDTH).write([0, 1], rows(2).to(dtype), 0.0)
    loaded = Registry.from_tensors({name: rows.to(dtype) for name, rows in grown(2).to_tensors().items()})
    for registry in (written, loaded):
        tensors = registry.to_tensors()
        assert (tensors["prototypes"].dtype, tensors["scales"].dtype) == (torch.float32, torch.float32)
        assert torch.equal(everything(registry), rows(2).to(dtype).float())
        assert (tensors["accepted"].dtype, tensors["seen"].dtype) == (torch.float64, torch.float64)


def test_nothing_written_is_the_same_registry() -> None:
    registry = grown(2).write([], rows(0), 3.0)
    assert torch.equal(everything(registry), everything(grown(2)))


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 2 * ROWS + 3), st.lists(st.integers(0, 2 * ROWS + 3), min_size=1, max_size=8, unique=True)
)
def test_any_write_equals_a_plain_matrix(size: int, wanted: list[int]) -> None:
    ids = [identity for identity in wanted if identity < size] + [size]
    expected = torch.cat([rows(size), torch.zeros(1, WIDTH)])
    fresh = rows(len(ids), seed=1)
    expected[ids] = fresh
    registry = grown(size).write(ids, fresh, 1.0)
    assert torch.equal(everything(registry), expected)
    loaded = Registry.from_tensors(registry.to_tensors())
    assert len(loaded) == len(registry)
    for one, other in zip(loaded.blocks, registry.blocks, strict=True):
        assert torch.equal(one.prototypes_RW, other.prototypes_RW)
        assert torch.equal(one.scales_R, other.scales_R)
        assert torch.equal(one.accepted_R, other.accepted_R)
        assert torch.equal(one.seen_R, other.seen_R)


def test_an_empty_registry_comes_back_empty_and_of_its_width() -> None:
    loaded = Registry.from_tensors(Registry(WIDTH).to_tensors())
    assert (len(loaded), loaded.width, loaded.blocks) == (0, WIDTH, ())
    assert loaded.prototypes(torch.zeros(5, 0, dtype=torch.int64)).shape == (5, 0, WIDTH)
