import itertools
import math

import pytest
import torch

from stamina_video.semantics import InvalidInput, Operator
from stamina_video.transitions.config import EVENT_OPERATORS, HeadsConfig
from stamina_video.transitions.context import READ, Deeds, EventContext
from stamina_video.transitions.heads import Heads

CONTEXT = EventContext(HeadsConfig(width=3, target_width=5, hidden=7))


def test_every_event_operator_has_its_own_embedding() -> None:
    h, target = torch.ones(6), torch.ones(5)
    found = torch.stack([CONTEXT(h, target, operator) for operator in EVENT_OPERATORS])
    assert len(torch.unique(found, dim=0)) == len(EVENT_OPERATORS) == 4


def test_vectors_of_another_width_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"expected event inputs of width 6, got shape \(2, 9\)"):
        CONTEXT(torch.zeros(2, 9), torch.zeros(5), Operator.E1_ACTION)
    with pytest.raises(InvalidInput, match=r"expected target vectors of width 5, got shape \(2,\)"):
        CONTEXT(torch.zeros(2, 6), torch.zeros(2), Operator.E1_ACTION)


def test_pulses_stand_between_the_mean_and_the_candidate() -> None:
    torch.manual_seed(0)
    plain = EventContext(HeadsConfig(width=3, target_width=5, hidden=7))
    feeling = EventContext(HeadsConfig(width=3, target_width=5, hidden=7, pulses=2))
    feeling.load_state_dict(plain.state_dict(), strict=False)
    mean, own, target = torch.randn(4, 3), torch.randn(4, 3), torch.randn(5)
    pulses = torch.randn(4, 2)
    seen = plain(torch.cat([mean, own], dim=-1), target, Operator.E2_PERIODIC)
    inputs = torch.cat([mean, pulses, own], dim=-1)
    torch.testing.assert_close(
        feeling(inputs, target, Operator.E2_PERIODIC), seen
    )  # at first nothing is felt
    with torch.no_grad():
        feeling.from_pulses_HP.copy_(torch.randn(7, 2))  # type: ignore[union-attr]
    felt = feeling(inputs, target, Operator.E2_PERIODIC) - seen
    torch.testing.assert_close(felt, pulses @ feeling.from_pulses_HP.T)  # type: ignore[union-attr]


GATHERING = HeadsConfig(width=3, target_width=5, hidden=7, queries=4, pulses=2, gathered=2)
WIDTHS = [3, 2, 4 * 3, 3]  # mean, pulses, four candidates of a visibility and two columns each, own


def gathering() -> EventContext:
    """One that has learned to hear what candidates do."""
    torch.manual_seed(0)
    context = EventContext(GATHERING).requires_grad_(False)
    assert context.deeds is not None
    context.deeds.told.weight.normal_()
    return context


def deeds_of(context: EventContext) -> Deeds:
    assert context.deeds is not None
    return context.deeds


def done_one_by_one(deeds: Deeds, candidates_QX: list[list[float]]) -> torch.Tensor:
    """Σ_i ν_i GELU(W x_i + b) / √(1 + Σ_i ν_i), one number at a time."""
    sums, total = [0.0] * READ, 0.0
    for visible, *columns in candidates_QX:
        total += visible
        for place, (row, bias) in enumerate(
            zip(deeds.read.weight.tolist(), deeds.read.bias.tolist(), strict=True)
        ):
            raw = bias + sum(weight * column for weight, column in zip(row, columns, strict=True))
            sums[place] += visible * raw * (1 + math.erf(raw / math.sqrt(2))) / 2
    return deeds.told.weight @ torch.tensor([one / math.sqrt(1 + total) for one in sums])


def test_deeds_equal_the_formula_one_candidate_at_a_time() -> None:
    deeds, candidates_QX = deeds_of(gathering()), torch.rand(4, 3)
    expected_H = done_one_by_one(deeds, candidates_QX.tolist())
    torch.testing.assert_close(deeds(candidates_QX.flatten()), expected_H, atol=1e-5, rtol=1e-4)
    assert expected_H.abs().max() > 0.1


def test_it_makes_no_difference_which_candidate_comes_first() -> None:
    deeds, candidates_QX = deeds_of(gathering()), torch.rand(4, 3)
    torch.testing.assert_close(deeds(candidates_QX[[2, 0, 3, 1]].flatten()), deeds(candidates_QX.flatten()))


def test_who_is_not_visible_does_nothing() -> None:
    deeds = deeds_of(gathering())
    candidates_QX = torch.rand(4, 3)
    candidates_QX[1:, 0] = 0.0
    elsewhere_QX = candidates_QX.clone()
    elsewhere_QX[1:, 1:] = 5.0
    torch.testing.assert_close(deeds(elsewhere_QX.flatten()), deeds(candidates_QX.flatten()))
    assert not deeds(torch.zeros(12)).any()


def test_of_each_by_itself_is_said_what_it_does() -> None:
    """One held and another one inside is not the same as one that is held inside."""
    deeds = deeds_of(gathering())
    apart, both = torch.zeros(4, 3), torch.zeros(4, 3)
    apart[:2, 0] = both[:2, 0] = 1.0
    apart[0, 1] = apart[1, 2] = 1.0
    both[0, 1:] = 1.0
    torch.testing.assert_close(apart.sum(0), both.sum(0))  # taken together they could not be told apart
    assert not torch.allclose(deeds(apart.flatten()), deeds(both.flatten()), atol=1e-2)


def test_many_who_do_the_same_are_heard_louder_but_not_by_as_much() -> None:
    deeds = deeds_of(gathering())
    one, four = torch.zeros(4, 3), torch.full((4, 3), 1.0)
    one[0] = 1.0
    by = math.sqrt(2) * 4 / math.sqrt(5)
    torch.testing.assert_close(deeds(four.flatten()), by * deeds(one.flatten()), atol=1e-5, rtol=1e-4)


def test_any_axes_may_stand_before_what_is_gathered() -> None:
    deeds, gathered = deeds_of(gathering()), torch.rand(5, 2, 12)
    together = deeds(gathered)
    assert together.shape == (5, 2, 7)
    for moment, slot in itertools.product(range(5), range(2)):
        torch.testing.assert_close(together[moment, slot], deeds(gathered[moment, slot]))


def test_what_is_gathered_is_heard_behind_the_pulses() -> None:
    feeling, target = gathering(), torch.randn(5)
    weight_HP = feeling.from_pulses_HP
    assert weight_HP is not None
    assert weight_HP.shape == (7, 2)
    weight_HP.normal_()
    silent = feeling(torch.zeros(20), target, Operator.E2_PERIODIC)
    mean, pulses, gathered, own = torch.split(torch.randn(20), WIDTHS)
    heard = feeling(torch.cat([mean, pulses, gathered, own]), target, Operator.E2_PERIODIC) - silent
    expected = feeling.from_input(torch.cat([mean, own])) + weight_HP @ pulses + deeds_of(feeling)(gathered)
    torch.testing.assert_close(heard, expected)
    with pytest.raises(InvalidInput, match=r"expected event inputs of width 20, got shape \(10,\)"):
        feeling(torch.zeros(10), target, Operator.E2_PERIODIC)


def test_at_first_nobody_is_heard_to_do_anything_but_everybody_can_learn_it() -> None:
    context = EventContext(GATHERING)
    mean, pulses, gathered, own = torch.split(torch.randn(20), WIDTHS)
    inputs, without = (torch.cat([mean, pulses, one, own]) for one in (gathered, 0 * gathered))
    heard, silent = (context(one, torch.ones(5), Operator.E1_ACTION) for one in (inputs, without))
    torch.testing.assert_close(heard, silent)
    torch.autograd.backward(heard.square().sum())
    gradient = deeds_of(context).told.weight.grad
    assert gradient is not None
    assert gradient.any()


def test_without_anything_to_gather_there_are_no_deeds() -> None:
    for config in (HeadsConfig(3, 5, hidden=7, pulses=2), HeadsConfig(3, 5, hidden=7, gathered_before=2)):
        assert EventContext(config).deeds is None
    alone = EventContext(HeadsConfig(3, 5, hidden=7, queries=4, gathered=2))  # without pulses
    assert alone.from_pulses_HP is None
    assert alone(torch.zeros(18), torch.ones(5), Operator.E1_ACTION).shape == (7,)


def test_pulses_and_deeds_leave_the_chance_of_all_other_weights_of_a_context_alone() -> None:
    def drawn(pulses: int, gathered: int) -> dict[str, torch.Tensor]:
        torch.manual_seed(0)
        return EventContext(HeadsConfig(3, 5, hidden=4, pulses=pulses, gathered=gathered)).state_dict()

    felt = drawn(6, 2)
    assert not felt.pop("from_pulses_HP").any()
    assert not felt.pop("deeds.told.weight").any()
    for name, weight in drawn(0, 0).items():
        assert torch.equal(weight, felt.pop(name))
    assert set(felt) == {"deeds.read.weight", "deeds.read.bias"}


def test_pulses_leave_the_chance_of_all_other_weights_alone() -> None:
    def drawn(pulses: int) -> dict[str, torch.Tensor]:
        torch.manual_seed(0)
        return Heads(HeadsConfig(3, 5, hidden=4, attention=4, pulses=pulses)).state_dict()

    felt = drawn(6)
    assert not felt.pop("events.context.from_pulses_HP").any()
    for name, weight in drawn(0).items():
        assert torch.equal(weight, felt.pop(name))
    assert not felt
