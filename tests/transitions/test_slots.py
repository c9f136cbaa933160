import itertools

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from stamina_video.semantics import Phase, graph_for
from stamina_video.transitions.slots import Slots, seat

TRACK = 0.5
EPISODE = graph_for("E2-Episode")


def axes(*which: int) -> Tensor:
    return torch.eye(6)[list(which)]


def empty(number: int = 4) -> Slots:
    return Slots.initial(number, EPISODE)


def test_new_candidates_open_slots_in_candidate_order() -> None:
    slots, seating = seat(empty(), axes(3, 1), TRACK)
    assert seating.candidates == (0, 1, None, None)
    assert seating.present == (True, True, False, False)
    assert slots.phases == (Phase.READY,) * 4
    assert torch.equal(torch.stack(slots.prototypes), axes(3, 1))


def test_candidates_return_to_the_slot_that_knows_them() -> None:
    slots, _ = seat(empty(), axes(0, 1), TRACK)
    _, seating = seat(slots, axes(1, 2, 0), TRACK)
    assert seating.candidates == (2, 0, 1, None)


def test_absence_keeps_phase_and_prototype_and_blocks_recycling() -> None:
    slots, _ = seat(empty(2), axes(0, 1), TRACK)
    slots = Slots((Phase.ACTIVE, Phase.REFRACTORY), slots.prototypes)
    for _ in range(3):
        slots, seating = seat(slots, axes(5), TRACK)
        assert (seating.candidates, seating.overflow) == ((None, None), (0,))
    slots, seating = seat(slots, axes(1), TRACK)
    assert seating.candidates == (None, 0)
    assert slots.phases == (Phase.ACTIVE, Phase.REFRACTORY)
    assert torch.equal(torch.stack(slots.prototypes), axes(0, 1))


def test_excess_candidates_overflow_in_candidate_order() -> None:
    _, seating = seat(empty(2), axes(0, 1, 2, 3), TRACK)
    assert (seating.candidates, seating.overflow) == ((0, 1), (2, 3))


def test_matched_prototypes_are_replaced_by_detached_copies() -> None:
    feature = torch.tensor([[1.0, 0.2]], requires_grad=True)
    slots, _ = seat(Slots((Phase.READY,), (torch.tensor([1.0, 0.0]),)), feature, TRACK)
    with torch.no_grad():
        feature.zero_()
    assert slots.prototypes[0].tolist() == torch.tensor([1.0, 0.2]).tolist()
    assert not slots.prototypes[0].requires_grad


def test_a_cosine_of_exactly_the_threshold_is_no_match() -> None:
    known = Slots((Phase.READY,) * 2, (torch.tensor([1.0, 1.0, 1.0, 1.0]),))
    candidate = torch.tensor([[1.0, 0.0, 0.0, 0.0]])  # cosine 0.5, exactly
    assert seat(known, candidate, TRACK)[1].candidates == (None, 0)


def test_nobody_visible_leaves_every_slot_as_it_was() -> None:
    slots, _ = seat(empty(), axes(0), TRACK)
    after, seating = seat(slots, torch.zeros(0, 6), TRACK)
    assert seating.present == (False,) * 4
    assert torch.equal(after.prototypes[0], slots.prototypes[0])


def seats_one_by_one(cosines: list[list[float]], slots: int, track: float) -> list[int | None]:
    """Every legal matching; earlier candidates take earlier slots among the greatest sums."""
    created = len(cosines[0])
    options = [[s for s in range(created) if row[s] > track] + [created] for row in cosines]
    legal = []
    for choice in itertools.product(*options):
        matched = [slot for slot in choice if slot < created]
        if len(set(matched)) == len(matched):
            total = sum(cosines[row][slot] for row, slot in enumerate(choice) if slot < created)
            legal.append((-total, choice))
    choice = min(legal)[1]
    sees: list[int | None] = [None] * slots
    for row, slot in enumerate(choice):
        if slot < created:
            sees[slot] = row
    for row in [row for row, slot in enumerate(choice) if slot == created][: slots - created]:
        sees[created + sum(place is not None for place in sees[created:])] = row
    return sees


# Vectors of length 2 from few integers: cosines are exact halves, so equal sums are common and real.
DIRECTIONS = [[2, 0, 0, 0], [0, 2, 0, 0], [1, 1, 1, 1], [1, 1, 1, -1], [1, 1, -1, 1], [-1, 1, 1, 1]]
some = st.lists(st.sampled_from(DIRECTIONS), min_size=1, max_size=4)


@settings(deadline=None)
@given(some, some)
def test_seats_equal_the_enumeration(prototypes: list[list[int]], candidates: list[list[int]]) -> None:
    known = torch.tensor(prototypes, dtype=torch.float32)
    features = torch.tensor(candidates, dtype=torch.float32)
    cosines = (features @ known.T / 4).tolist()
    slots = Slots((Phase.READY,) * 4, tuple(known))
    for track in (0.0, 0.25, 0.5):
        found = list(seat(slots, features, track)[1].candidates)
        assert found == seats_one_by_one(cosines, 4, track)


@settings(deadline=None)
@given(st.data())
def test_forks_do_not_see_each_other(data: st.DataObject) -> None:
    origin, _ = seat(empty(), axes(0, 1), TRACK)
    before = torch.stack(origin.prototypes).clone()
    which = data.draw(st.lists(st.integers(0, 5), unique=True, max_size=5))
    left, _ = seat(origin, axes(*which) * 2, TRACK)
    seat(left, axes(*which) * 3, TRACK)
    assert torch.equal(torch.stack(origin.prototypes), before)
