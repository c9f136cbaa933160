from typing import Any

import pytest

from stamina_video.data.frame_map import Span
from stamina_video.data.trajectory import IdentityTrack, PhaseMark, Supported
from stamina_video.semantics import InvalidInput, Role
from tests.data.making import edge, make


def test_unsupported_observations_are_kept_but_never_read_as_counts() -> None:
    seen = make(points=((1.0, 1), (2.0, None), (3.0, 2)))
    assert [endpoint.time for endpoint in seen.supported] == [1.0, 3.0]
    unproved = make(endpoints=(Supported(1.0, 4),))
    assert unproved.supported == ()


def test_the_key_says_what_a_count_is_relative_to() -> None:
    assert make().key == ("kitchen", "whole", "red mugs", "O2-Unique", 0.0)


COMPLETE = PhaseMark("0", 3.0, edge("E2-Periodic", Role.COMPLETE))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"points": ((1.0, 5), (2.0, 3))}, r"expected O2-Unique never to fall, got 5 at 1.0 then 3 at 2.0"),
        ({"parent": " "}, "expected the name of its parent, got none"),
        ({"points": ((float("nan"), 1),)}, "finite and not negative, got nan"),
        ({"points": ((2.0, 1), (2.0, 1))}, "ascending endpoints, got 2.0 then 2.0"),
        ({"points": ((1.0, -1),)}, "expected a count from 0 at 1.0, got -1"),
        ({"points": ((1.0, True),)}, "expected a whole count"),
        ({"points": ((11.0, 1),)}, "expected an endpoint within 10 s, got 11"),
        ({"endpoints": (Supported(3.0, 1, ("seen",), 1.0),)}, "expected no interval label"),
        ({"operator": "O2-Gain", "points": ((3.0, 1),)}, "expected interval labels"),
        ({"tracks": (IdentityTrack("a", (Span(9.0, 12.0),)),)}, "expected the track of a within 10 s"),
        ({"stable": (Span(4.0, 6.0), Span(1.0, 3.0))}, "ascending order and apart"),
        ({"marks": (COMPLETE,)}, "expected no phase marks for O2-Unique"),
        ({"operator": "E1-Action", "points": (), "marks": (COMPLETE,)}, "expected a legal edge of E1-Action"),
    ],
)
def test_bad_records_are_refused_by_id_and_reason(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as error:
        make("t-17", **changed)
    assert str(error.value).startswith("trajectory t-17: ")


def test_a_record_without_an_id_is_refused() -> None:
    with pytest.raises(InvalidInput, match="expected a trajectory with an id"):
        make(" ")
