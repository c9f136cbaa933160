import operator

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import cosine_similarity

from stamina_video.transitions.registry import ROWS, Registry
from stamina_video.transitions.retrieval import nearest


def registry_of(prototypes: Tensor) -> Registry:
    return Registry(prototypes.shape[1]).write(range(len(prototypes)), prototypes, 0.0)


def nearest_one_by_one(prototypes: Tensor, feature: Tensor, most: int) -> list[int]:
    cosines = [float(cosine_similarity(feature, row, dim=0)) for row in prototypes]
    return sorted(range(len(cosines)), key=lambda identity: (-cosines[identity], identity))[:most]


@pytest.mark.parametrize("size", [1, 5, 8, ROWS - 1, ROWS, ROWS + 1, 3 * ROWS + 7])
@pytest.mark.parametrize("most", [1, 8, 20])
def test_the_shortlist_equals_a_full_sort(size: int, most: int) -> None:
    torch.manual_seed(size)
    prototypes, features = torch.randn(size, 16, dtype=torch.float64), torch.randn(5, 16, dtype=torch.float64)
    found = nearest(registry_of(prototypes), features, most)
    assert found.ids_CK.tolist() == [nearest_one_by_one(prototypes, feature, most) for feature in features]


# Unit directions scaled by powers of two: every cosine is exact, so ties are real.
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_equal_cosines_go_to_the_oldest(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 2 * ROWS))
    generator = torch.Generator().manual_seed(data.draw(st.integers(0, 999)))
    axes = torch.randint(0, 3, (size,), generator=generator)
    prototypes = torch.eye(3)[axes] * 2.0 ** torch.randint(-2, 3, (size, 1), generator=generator)
    features = torch.tensor([[1.0, 0.0, 0.0], [0.0, 4.0, 0.0]])
    found = nearest(registry_of(prototypes), features, 8)
    assert found.ids_CK.tolist() == [nearest_one_by_one(prototypes, feature, 8) for feature in features]
    assert set(found.cosines_CK.flatten().tolist()) <= {0.0, 1.0}


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_any_precision_is_compared_in_float32(dtype: torch.dtype) -> None:
    torch.manual_seed(1)
    registry, features = registry_of(torch.randn(50, 16)), torch.randn(3, 16).to(dtype)
    with torch.autocast("cpu", torch.bfloat16):
        found = nearest(registry, features, 8)
    expected = nearest(registry, features.float(), 8)
    assert torch.equal(found.ids_CK, expected.ids_CK)
    assert torch.equal(found.cosines_CK, expected.cosines_CK)


def test_the_newest_prototype_counts() -> None:
    registry = registry_of(torch.eye(4)).write([3], torch.tensor([[1.0, 0.1, 0.0, 0.0]]), 1.0)
    found = nearest(registry, torch.tensor([[1.0, 0.1, 0.0, 0.0]]), 2)
    assert found.ids_CK.tolist() == [[3, 0]]


def test_opposite_prototypes_are_found_where_there_are_no_others() -> None:
    """Blank rows of a block have no cosine at all, not zero."""
    found = nearest(registry_of(torch.tensor([[-1.0, 0.0]])), torch.tensor([[1.0, 0.0]]), 8)
    assert (found.ids_CK.tolist(), found.cosines_CK.tolist()) == ([[0]], [[-1.0]])


def test_empty_registries_and_no_candidates() -> None:
    assert nearest(Registry(2), torch.ones(3, 2), 8).ids_CK.shape == (3, 0)
    assert nearest(registry_of(torch.eye(2)), torch.ones(0, 2), 8).ids_CK.shape == (0, 2)


def test_a_verified_identity_outside_the_shortlist_is_a_miss() -> None:
    found = nearest(registry_of(torch.eye(4)), torch.tensor([[0.0, 0.0, 1.0, 0.5]]), 2)
    assert found.column_of(0, 2) == 0
    assert found.column_of(0, 3) == 1
    assert found.column_of(0, 0) is None


def test_the_same_question_gives_the_same_bits_after_a_reload() -> None:
    torch.manual_seed(0)
    registry = registry_of(torch.randn(700, 32)).write([5, 699], torch.randn(2, 32), 1.0)
    features = torch.randn(9, 32)
    loaded = Registry.from_tensors(registry.to_tensors())
    first, second = nearest(registry, features, 8), nearest(loaded, features, 8)
    assert torch.equal(first.ids_CK, second.ids_CK)
    assert torch.equal(first.cosines_CK, second.cosines_CK)


@pytest.mark.parametrize("width", [3, 48])
def test_beyond_ten_thousand_identities_the_shortlist_is_exact_and_replays_to_the_bit(width: int) -> None:
    torch.manual_seed(width)
    prototypes = torch.randn(12_345, width)
    prototypes[9_000:9_020] = prototypes[17]  # ties across blocks
    features = torch.cat([prototypes[17:18], torch.randn(3, width)])
    registry = registry_of(prototypes).write([11, 12_344], prototypes[[11, 12_344]], 1.0)
    found = nearest(registry, features, 8)
    unit = (prototypes.double() / prototypes.double().norm(dim=1, keepdim=True)).tolist()
    for row, feature in enumerate((features.double() / features.double().norm(dim=1, keepdim=True)).tolist()):
        cosines = [sum(map(operator.mul, feature, other)) for other in unit]
        order = sorted(range(len(cosines)), key=lambda identity: (-cosines[identity], identity))[:8]
        assert found.ids_CK[row].tolist() == order
    again = nearest(Registry.from_tensors(registry.to_tensors()), features, 8)
    assert torch.equal(again.ids_CK, found.ids_CK)
    assert torch.equal(again.cosines_CK, found.cosines_CK)
