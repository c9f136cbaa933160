import pytest

from stamina_video.data.audit import draw_audit
from stamina_video.data.trajectory import Supported
from stamina_video.semantics import InvalidInput
from tests.data.making import cycling, make, tracked

MANY = [make(f"m{number}", parent=f"p{number}") for number in range(20)]
SQUATS = cycling([(1.0, 2.0)], 4.0)
LABEL = make("label", operator="O2-Gain", endpoints=(Supported(5.0, 2, ("seen",), 1.0),))


def test_every_stratum_is_drawn_from() -> None:
    items = draw_audit([*MANY, tracked(), SQUATS, LABEL, make("single", points=((1.0, 1),))], 5)
    strata = [item.stratum for item in items]
    assert strata.count(("spatial", "O2-Unique")) == 5
    assert strata.count(("spatial", "O1-Snap")) == strata.count(("spatial", "E2-Periodic")) == 1
    assert not {"label", "single"} & {item.id for item in items}


def test_items_say_what_their_record_says() -> None:
    for item in draw_audit([*MANY, tracked()], 5):
        counts = {endpoint.time: endpoint.count for endpoint in item.trajectory.endpoints}
        assert counts[item.time] == item.count
        left, right = counts[item.since], counts[item.until]
        assert left is not None
        assert right is not None
        assert right - left == item.increment
        assert item.since < item.until


def test_a_seed_draws_the_same_whatever_else_is_in_the_pool() -> None:
    first = draw_audit(MANY, 5, seed=3)
    assert [item.id for item in first] == [item.id for item in draw_audit([*reversed(MANY)], 5, seed=3)]
    both = draw_audit([*MANY, tracked()], 5, seed=3)
    assert set(first) < set(both)
    assert [item.id for item in first] != [item.id for item in draw_audit(MANY, 5, seed=4)]


def test_an_empty_sample_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at least one record"):
        draw_audit(MANY, 0)
