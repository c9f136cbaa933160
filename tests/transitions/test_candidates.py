import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from stamina_video.transitions.candidates import Candidates, surviving

DUPLICATE = 0.95


def survivors_one_by_one(features: list[list[float]], visibilities: list[float]) -> list[int]:
    kept: list[int] = []
    for query in sorted(range(len(features)), key=lambda index: (-visibilities[index], index)):
        if all(cosine(features[query], features[earlier]) < DUPLICATE for earlier in kept):
            kept.append(query)
    return kept


def cosine(one: list[float], other: list[float]) -> float:
    first, second = torch.tensor(one, dtype=torch.float64), torch.tensor(other, dtype=torch.float64)
    lengths = first.norm() * second.norm()
    return float(first @ second / lengths) if lengths else 0.0


# Angles between these never fall near the threshold, so float rounding cannot matter.
DIRECTIONS = [[1.0, 0.0], [1.0, 0.1], [1.0, 0.6], [0.0, 1.0], [0.0, 0.0], [-1.0, 0.0]]


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(DIRECTIONS), st.sampled_from([0.2, 0.5, 0.7])), min_size=1, max_size=12
    )
)
def test_survivors_equal_the_plain_loop(rows: list[tuple[list[float], float]]) -> None:
    features, visibilities = [list(row[0]) for row in rows], [row[1] for row in rows]
    found = surviving(torch.tensor(features), torch.tensor(visibilities), DUPLICATE)
    assert found == survivors_one_by_one(features, visibilities)


def test_only_survivors_suppress() -> None:
    """B is too close to A and falls; C is too close to B only and stays."""
    angles = torch.tensor([0.0, 0.25, 0.5])  # cos 0.25 = 0.969, cos 0.5 = 0.878
    features = torch.stack([angles.cos(), angles.sin()], dim=1)
    assert surviving(features, torch.tensor([0.9, 0.8, 0.7]), DUPLICATE) == [0, 2]


def test_the_threshold_itself_suppresses() -> None:
    features = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    assert surviving(features, torch.tensor([0.6, 0.6]), 1.0) == [0]


def pooled(attention: Tensor) -> Candidates:
    rows = len(attention)
    return Candidates(torch.eye(rows), torch.ones(rows), torch.ones(rows) > 0, tuple(range(rows)), attention)


def test_a_candidate_looks_where_its_attention_is_at_least_half_the_strongest() -> None:
    candidates = pooled(torch.tensor([[0.1, 0.4, 0.2, 0.3], [0.25, 0.25, 0.25, 0.25]]))
    assert candidates.looks_at(0) == [1, 3, 2]
    assert candidates.looks_at(1, most=2) == [0, 1]
    assert candidates.visible == 2
