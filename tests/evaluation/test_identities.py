from hypothesis import given
from hypothesis import strategies as st

from stamina_video.evaluation.identities import IdentityTally, tally_identities
from stamina_video.evaluation.trajectories import Birth, Identity

CAT = Identity("cat", (1.0, 10.0, 20.0))
DOG = Identity("dog", (4.0,))


def test_the_first_birth_is_right_and_repeats_are_not() -> None:
    births = [Birth(2.0, "cat"), Birth(3.0, "cat"), Birth(5.0, None), Birth(6.0, "dog")]
    tally = tally_identities([CAT, DOG], births, [])
    assert (tally.accepted, tally.births, tally.identities) == (2, 4, 2)
    assert tally.delay == (2.0 - 1.0) + (6.0 - 4.0)


def test_double_counts_are_per_reentry_encounter() -> None:
    births = [Birth(1.0, "cat"), Birth(11.0, "cat"), Birth(12.0, "cat")]
    tally = tally_identities([CAT], births, [])
    assert (tally.double_counts, tally.reentries) == (1, 2)


def test_a_repeat_before_leaving_is_no_reentry_error() -> None:
    tally = tally_identities([CAT], [Birth(1.0, "cat"), Birth(2.0, "cat")], [])
    assert tally.double_counts == 0


def test_a_late_first_birth_on_reentry_is_an_acceptance() -> None:
    tally = tally_identities([CAT], [Birth(10.5, "cat")], [])
    assert (tally.accepted, tally.double_counts, tally.delay) == (1, 0, 9.5)


def test_unresolved_sums_over_queries() -> None:
    tally = tally_identities([CAT, DOG], [Birth(5.0, "cat")], [0.5, 2.0, 4.0, 6.0])
    # seen: none, cat, both, both; unaccepted: none, cat, both, dog
    assert (tally.unresolved, tally.exposures) == (4, 5)


def test_nobody_is_recognised_before_being_seen() -> None:
    tally = tally_identities([DOG], [Birth(3.0, "dog")], [9.0])
    assert (tally.accepted, tally.births, tally.unresolved) == (0, 1, 1)


def plain(identities: list[Identity], births: list[Birth], queries: list[float]) -> IdentityTally:
    """Straight from the definitions, one identity at a time."""
    accepted = double = reentries = unresolved = exposures = 0
    delay = 0.0
    for one in identities:
        own = sorted(
            birth.time for birth in births if birth.matched == one.name and birth.time >= one.seen[0]
        )
        accepted += bool(own)
        delay += own[0] - one.seen[0] if own else 0
        reentries += len(one.seen) - 1
        for index in range(1, len(one.seen)):
            until = one.seen[index + 1] if index + 1 < len(one.seen) else float("inf")
            double += any(one.seen[index] <= time < until for time in own[1:])
        for query in queries:
            if one.seen[0] <= query:
                exposures += 1
                unresolved += not any(time <= query for time in own)
    return IdentityTally(
        accepted, len(births), len(identities), double, reentries, unresolved, exposures, delay
    )


TIMES = st.integers(0, 20).map(float)
SEEN = st.lists(TIMES, min_size=1, max_size=4, unique=True).map(lambda times: tuple(sorted(times)))


@given(
    st.lists(SEEN, max_size=3),
    st.lists(st.builds(Birth, TIMES, st.sampled_from(["0", "1", "2", None])), max_size=8),
    st.lists(TIMES, max_size=5),
)
def test_tallies_follow_the_definitions(
    seen: list[tuple[float, ...]], births: list[Birth], queries: list[float]
) -> None:
    identities = [Identity(str(index), times) for index, times in enumerate(seen)]
    assert tally_identities(identities, births, queries) == plain(identities, births, queries)
