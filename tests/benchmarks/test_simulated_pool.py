import pytest

from benchmarks.simulated_pool import GROUPS, INVENTORY, PARENTS, QUERIES, _shares, simulated_pool


@pytest.mark.parametrize("total", [1, 7, 100, GROUPS])
def test_shares_add_up_and_keep_their_proportions(total: int) -> None:
    weights = [5, 3, 2]
    shares = _shares(total, weights)
    assert sum(shares) == total
    assert all(abs(share - total * weight / 10) <= 1 for share, weight in zip(shares, weights, strict=True))


def test_the_pool_has_the_papers_numbers() -> None:
    queries = simulated_pool().queries
    assert queries.height == QUERIES == sum(INVENTORY.values())
    assert queries["group"].n_unique() == GROUPS
    assert queries["parent"].n_unique() == PARENTS
    counted = dict(queries["operator"].value_counts().iter_rows())
    assert counted == {str(operator): number for operator, number in INVENTORY.items()}
