import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch

from stamina_video.semantics import Decision, Features, InvalidInput, Kind, Phase, Role, Target, graph_for
from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.context import Deeds
from stamina_video.transitions.decide import decide
from stamina_video.transitions.heads import Heads
from stamina_video.transitions.increments import IncrementHead
from stamina_video.transitions.outcome import EventOutcome, Outcome
from stamina_video.transitions.patience import LEFT, patient
from stamina_video.transitions.scorer import EdgeScorer
from stamina_video.transitions.state import TargetState
from tests.transitions.decision_cases import (
    BLUR,
    CONFIG,
    THINGS,
    WIDTH,
    features,
    hand_made_heads,
    picture,
)

EVENTS = ["E1-Action", "E1-Transit", "E2-Episode", "E2-Periodic"]


def start(operator: str, scope: str | None = None, config: HeadsConfig = CONFIG) -> TargetState:
    if scope is None and operator in ("E1-Action", "E2-Episode"):
        scope = "entity"
    return TargetState.initial("cam", Target("red mugs", operator, scope), config)


def restless(heads: Heads) -> Heads:
    """Louder scores, so that random heads leave their phases often."""
    assert isinstance(heads.events, EdgeScorer)
    with torch.no_grad():
        heads.events.score.weight.mul_(20)
        heads.events.context.from_input.weight.mul_(10)
    return heads


def events_of(outcome: Outcome) -> EventOutcome:
    assert outcome.events is not None
    return outcome.events


def random_pictures(number: int) -> Iterator[Features]:
    generator = torch.Generator().manual_seed(3)
    for index in range(number):
        things = (torch.rand(6, generator=generator) < 0.4).nonzero().flatten().tolist()
        seen = picture(index, things)
        yield replace(seen, mean=torch.randn(WIDTH, generator=generator))


@pytest.mark.parametrize("operator", EVENTS)
def test_slots_follow_the_greedy_path_and_count_completions(operator: str) -> None:
    heads, state, graph = restless(hand_made_heads()), start(operator), graph_for(operator)
    taken = set()
    for seen in random_pictures(80):
        before = state
        state, outcome = decide(heads, state, seen)
        events = events_of(outcome)
        assert events.log_probs_ME is not None
        completed = []
        for slot, phase in enumerate(before.slots.phases):
            row = dict(zip(graph.edges, events.log_probs_ME[slot].tolist(), strict=True))
            edge = max(graph.outgoing(phase), key=row.__getitem__)
            if events.seating.candidates[slot] is None:
                edge = graph.outgoing(phase)[0]
                assert edge.role is Role.HOLD
            taken.add(edge)
            assert state.slots.phases[slot] == edge.target
            completed += [slot] if edge.role is Role.COMPLETE else []
        counted = [change for change in outcome.decision.changes if change.kind is Kind.EVENT]
        assert [change.subject for change in counted] == [f"slot:{slot}" for slot in completed]
        assert all(change.delta == 1 for change in counted)
    assert taken == set(graph.edges), "the case must visit every edge"


def test_patient_slots_gather_from_look_to_look_and_return_from_a_snapshot() -> None:
    """Each looks at what is likelier than not by now; what they have gathered is a part of the state."""
    operator = "E1-Action"
    heads, state, graph = restless(hand_made_heads()), start(operator), graph_for(operator)
    heads.config = replace(heads.config, patient=True)
    completed = 0
    for seen in random_pictures(80):
        before = state
        state, outcome = decide(heads, state, seen)
        events = events_of(outcome)
        assert events.log_probs_ME is not None
        choice = patient(
            events.log_probs_ME,
            graph,
            before.slots.phases,
            before.slots.waited or ((),) * len(before.slots.phases),
            events.seating.present,
        )
        assert (events.edges, state.slots.waited) == (choice.edges, choice.waited)
        assert state.slots.phases == tuple(edge.target for edge in choice.edges)
        for done in events.completions:
            edge = choice.edges[done.slot]
            assert done.probability == choice.gathered[done.slot][graph.edges.index(edge)] > LEFT
        completed += len(events.completions)
        back = TargetState.from_tensors(state.to_tensors(), json.loads(json.dumps(state.metadata())))
        assert back.slots.waited == choice.waited
        assert decide(heads, back, seen)[0].metadata() == decide(heads, state, seen)[0].metadata()
    assert completed
    assert any(map(any, state.slots.waited))


def test_event_inputs_are_mean_then_candidate() -> None:
    seen = picture(0, [1, 3])
    _, outcome = decide(hand_made_heads(), start("E1-Action"), seen)
    inputs = events_of(outcome).inputs_MI
    own = torch.eye(WIDTH)
    torch.testing.assert_close(inputs[0], torch.cat([seen.mean, own[1]]))
    torch.testing.assert_close(inputs[1], torch.cat([seen.mean, own[3]]))
    assert inputs[2:].abs().sum() == 0


def test_a_global_stream_reads_the_mean_twice_and_is_always_present() -> None:
    seen = picture(0)
    _, outcome = decide(hand_made_heads(), start("E1-Action", "global"), seen)
    events = events_of(outcome)
    torch.testing.assert_close(events.inputs_MI, torch.cat([seen.mean, seen.mean])[None])
    assert events.seating.present == (True,)
    assert events.candidates is None


GATHERING = replace(CONFIG, gathered=3, gathered_before=2)  # things 3, 4 and 5
SAME, OTHER = torch.tensor([1.0, 0, 0, 0]), torch.tensor([0, 1.0, 0, 0])


def gathering_heads() -> Heads:
    """They hear what candidates do and nothing else of a target; the other target fits nobody."""
    heads = hand_made_heads(GATHERING)
    deeds = deeds_of(heads)
    with torch.no_grad():
        deeds.told.weight.copy_(
            torch.randn(deeds.told.weight.shape, generator=torch.Generator().manual_seed(5))
        )
        heads.pooling.from_target.weight[:BLUR, 1] = -400
        heads.events.context.from_target.weight.zero_()
    return heads


def deeds_of(heads: Heads) -> Deeds:
    deeds = heads.events.context.deeds
    assert deeds is not None
    return deeds


def scores(heads: Heads, seen: Features, scope: str = "global") -> torch.Tensor:
    _, outcome = decide(heads, start("E1-Action", scope, heads.config), seen)
    log_probs_ME = events_of(outcome).log_probs_ME
    assert log_probs_ME is not None
    return log_probs_ME


def test_a_global_stream_reads_what_is_gathered_of_its_candidates() -> None:
    heads, seen = gathering_heads(), picture(0, [1, 3, 5])
    _, outcome = decide(heads, start("E1-Action", "global", GATHERING), seen)
    (inputs,) = events_of(outcome).inputs_MI
    gathered_QX = inputs[WIDTH:-WIDTH].reshape(THINGS, 4)
    expected_QX = torch.zeros(THINGS, 4)
    expected_QX[[1, 3, 5], 0] = 1.0  # who is visible …
    expected_QX[[3, 5], [1, 3]] = 1.0  # … and which of them has such a column
    torch.testing.assert_close(gathered_QX, expected_QX, atol=0.05, rtol=0)
    torch.testing.assert_close(inputs, torch.cat([seen.mean, gathered_QX.flatten(), seen.mean]))


def test_a_global_decision_depends_on_the_target_through_what_is_gathered() -> None:
    heads, seen = gathering_heads(), picture(0, [3, 5])
    same, other = (replace(seen, target=target) for target in (SAME, OTHER))
    assert not torch.allclose(scores(heads, same), scores(heads, other), atol=1e-2)
    with torch.no_grad():
        deeds_of(heads).told.weight.zero_()
    torch.testing.assert_close(scores(heads, same), scores(heads, other))


@pytest.mark.parametrize(("things", "hears"), [([], False), ([3], True)])
def test_a_global_stream_without_candidates_hears_nobody(things: list[int], hears: bool) -> None:
    hearing, deaf = gathering_heads(), gathering_heads()
    with torch.no_grad():
        deeds_of(deaf).told.weight.zero_()
    seen = picture(0, things)
    assert torch.allclose(scores(hearing, seen), scores(deaf, seen), atol=1e-2) != hears


def test_an_entity_reads_itself_as_the_only_one_gathered() -> None:
    seen = picture(0, [1, 4])
    _, outcome = decide(gathering_heads(), start("E1-Action", "entity", GATHERING), seen)
    inputs, own = events_of(outcome).inputs_MI, torch.eye(WIDTH)
    for slot, thing in enumerate((1, 4)):
        alone = torch.zeros(GATHERING.gathering)
        alone[0] = 1.0  # surely visible
        alone[1:4] = own[thing, 3:6]
        torch.testing.assert_close(inputs[slot], torch.cat([seen.mean, alone, own[thing]]))
    assert inputs.shape == (4, 2 * WIDTH + THINGS * 4)
    assert not inputs[2:].any()


def test_an_entity_teaches_the_pooling_by_itself_but_not_by_what_is_gathered_of_it() -> None:
    heads = gathering_heads()
    with torch.no_grad():
        heads.pooling.queries_QD.mul_(0.02)  # softer attention, so that it has a slope
        heads.events.context.from_input.weight.zero_()
    seen = picture(0, [3, 5])
    torch.autograd.backward(scores(heads, seen, "entity")[:, 1::2].sum())
    gradient = heads.pooling.queries_QD.grad
    assert gradient is None or not gradient.any()
    assert heads.events.context.from_input.weight.grad is not None


@pytest.mark.parametrize(
    ("operator", "scope"), [*((operator, None) for operator in EVENTS), ("E1-Action", "global")]
)
def test_heads_that_do_not_hear_what_is_gathered_decide_as_those_that_gather_nothing(
    operator: str, scope: str | None
) -> None:
    plain_heads, deaf_heads = restless(hand_made_heads()), hand_made_heads(GATHERING)
    deaf_heads.load_state_dict(plain_heads.state_dict(), strict=False)  # deeds stay as they begin: unheard
    heads = plain_heads, deaf_heads
    states = [start(operator, scope, each.config) for each in heads]
    for seen in random_pictures(20):
        (states[0], plain), (states[1], deaf) = map(decide, heads, states, (seen, seen))
        assert plain.decision == deaf.decision
        assert events_of(plain).inputs_MI.shape[1] == 2 * WIDTH
        assert events_of(deaf).inputs_MI.shape[1] == 2 * WIDTH + GATHERING.gathering
        torch.testing.assert_close(events_of(plain).log_probs_ME, events_of(deaf).log_probs_ME)


def test_what_is_gathered_teaches_no_pooling() -> None:
    heads = gathering_heads()
    with torch.no_grad():
        heads.pooling.queries_QD.mul_(0.02)  # softer attention, so that it has a slope
    seen = picture(0, [3, 5])
    seen.tokens.requires_grad_()
    torch.autograd.backward(scores(heads, replace(seen, mean=seen.mean.detach()))[:, 1::2].sum())
    for name, parameter in deeds_of(heads).named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.any(), name
    assert all(parameter.grad is None for parameter in heads.pooling.parameters())
    assert seen.tokens.grad is None


def test_pulses_are_heard_before_what_is_gathered() -> None:
    config = replace(GATHERING, pulses=2)
    seen = picture(0, [4])
    felt = replace(seen, mean=torch.cat([seen.mean, torch.tensor([7.0, -2.0])]))
    for scope in ("global", "entity"):
        _, outcome = decide(hand_made_heads(config), start("E1-Action", scope, config), felt)
        inputs = events_of(outcome).inputs_MI[0]
        assert inputs[WIDTH : WIDTH + 2].tolist() == [7.0, -2.0]
        assert inputs.shape == (2 * WIDTH + 2 + config.gathering,)


@pytest.mark.parametrize("operator", [*EVENTS, "O1-Snap", "O2-Gain"])
def test_an_observation_without_visual_vectors_sees_nothing(operator: str) -> None:
    heads = restless(hand_made_heads())
    state, _ = decide(heads, start(operator), picture(0, [0, 1]))
    phases, identities = state.slots.phases, len(state.registry)
    empty = Features(1, 1.0, torch.zeros(0, WIDTH), torch.full((WIDTH,), torch.nan), picture(1).target)
    state, outcome = decide(heads, state, empty)
    assert state.slots.phases == phases, "absent slots hold"
    assert (len(state.visible), len(state.registry)) == (0, identities)
    assert all(change.kind is Kind.EXIT for change in outcome.decision.changes)


def test_the_no_fsm_control_counts_whenever_it_is_sure() -> None:
    heads = hand_made_heads(replace(CONFIG, fsm=False))
    assert isinstance(heads.events, IncrementHead)
    with torch.no_grad():
        heads.events.score.weight.zero_()
        heads.events.score.bias.fill_(3.0)
    state = start("E2-Episode")
    for index in range(3):
        state, outcome = decide(heads, state, picture(index, [2, 4]))
        assert [change.subject for change in outcome.decision.changes] == ["slot:0", "slot:1"]
        assert {change.edge for change in outcome.decision.changes} == {"increment"}
    assert state.slots.phases == (Phase.READY,) * 4
    assert events_of(outcome).log_probs_ME is None
    _, outcome = decide(heads, state, picture(3))
    assert outcome.decision.changes == (), "absent slots never count"


@pytest.mark.parametrize(
    ("lingers", "counts"), [(0.0, [2, 1, 2, 0, 0]), (1.0, [2, 2, 2, 2, 0]), (5.0, [2] * 5)]
)
def test_who_is_missed_for_a_moment_stays_visible(lingers: float, counts: list[int]) -> None:
    heads = hand_made_heads(replace(CONFIG, lingers=lingers))
    state = start("O2-Unique", config=heads.config)
    seen, commits = [], []
    for index, things in enumerate(([1, 3], [1], [1, 3], [], [])):
        state, outcome = decide(heads, state, picture(index, things))
        seen.append(len(state.visible))
        commits += [change for change in outcome.decision.changes if change.kind in (Kind.ENTRY, Kind.EXIT)]
    assert seen == counts
    assert sum(change.delta for change in commits) == counts[-1]
    assert len(state.registry) == 2
    assert state.metadata()["visible"] == list(state.visible.identities)
    with pytest.raises(InvalidInput, match="expected lingers from 0 to 60, got 61"):
        replace(CONFIG, lingers=61.0)


def test_association_is_the_same_in_every_control() -> None:
    seatings = []
    for config in (CONFIG, replace(CONFIG, phase_input=False), replace(CONFIG, fsm=False)):
        heads, state, seen = hand_made_heads(config), start("E1-Action"), []
        for pictured in random_pictures(20):
            state, outcome = decide(heads, state, pictured)
            seen.append(events_of(outcome).seating)
        seatings.append(seen)
    assert seatings[0] == seatings[1] == seatings[2]


@pytest.mark.parametrize("operator", ["O2-Unique", "E2-Episode", "E2-Periodic"])
def test_forks_advance_alone(operator: str) -> None:
    heads = restless(hand_made_heads())
    origin = start(operator)
    for seen in random_pictures(5):
        origin, _ = decide(heads, origin, seen)
    before, metadata = {name: t.clone() for name, t in origin.to_tensors().items()}, origin.metadata()
    left, right = origin, origin
    for index in range(5, 9):
        left, first = decide(heads, left, picture(index, [0, 1, 2]))
        right, _ = decide(heads, right, picture(index, [4, 5]))
    alone = origin
    for index in range(5, 9):
        alone, again = decide(heads, alone, picture(index, [0, 1, 2]))
    assert first.decision == again.decision
    assert left.metadata() == alone.metadata()
    assert origin.metadata() == metadata
    assert all(torch.equal(origin.to_tensors()[name], before[name]) for name in before)


@pytest.fixture
def threads() -> Iterator[None]:
    number = torch.get_num_threads()
    yield
    torch.set_num_threads(number)


@pytest.mark.parametrize("operator", ["O2-Unique", "E1-Action", "E2-Periodic"])
def test_the_same_inputs_give_the_same_bits(operator: str, threads: None) -> None:
    torch.manual_seed(0)
    heads = Heads(HeadsConfig(width=64, target_width=16))
    seen = []
    for index in range(6):
        tokens = 4 * torch.randn(96, 64)
        seen.append(Features(index, float(index), tokens, tokens.mean(0), torch.ones(16) / 4))

    def play(number: int) -> tuple[list[Decision], TargetState]:
        torch.set_num_threads(number)
        state, decisions = start(operator, config=heads.config), []
        for each in seen:
            state, outcome = decide(heads, state, each)
            decisions.append(outcome.decision)
        return decisions, state

    runs = [play(1), play(1), play(2), play(2)]
    for decisions, state in runs[1:]:
        assert decisions == runs[0][0]
        tensors, expected = state.to_tensors(), runs[0][1].to_tensors()
        assert all(torch.equal(tensors[name], expected[name]) for name in expected)


ALL = ["O1-Snap", "O1-Delta", "O2-Unique", "O2-Gain", *EVENTS]


@pytest.mark.parametrize("operator", ALL)
@pytest.mark.parametrize("how", ["heads", "autocast", "autocast half heads"])
@pytest.mark.parametrize("config", [CONFIG, GATHERING], ids=["plain", "gathering"])
def test_half_precision_decides_as_single_precision(operator: str, how: str, config: HeadsConfig) -> None:
    heads, plain = hand_made_heads(config), hand_made_heads(config)
    if "heads" in how:
        heads.bfloat16()
    state, expected = start(operator), start(operator)
    for index, things in enumerate([[0, 1], [1, 2], [], [0, 2, 5]]):
        seen = picture(index, things)
        with torch.autocast("cpu", torch.bfloat16, enabled="autocast" in how):
            state, outcome = decide(heads, state, seen)
        expected, judge = decide(plain, expected, seen)
        if outcome.objects is not None and judge.objects is not None:
            assert outcome.objects.resolution == judge.objects.resolution
            assert outcome.objects.shortlist.cosines_CK.dtype == torch.float32
            total = outcome.objects.log_probs_CL.exp().sum(-1)
        else:
            assert events_of(outcome).seating == events_of(judge).seating
            log_probs = events_of(outcome).log_probs_ME
            assert log_probs is not None
            total = log_probs.exp().sum(-1) / len(graph_for(operator).phases)
        torch.testing.assert_close(total, torch.ones_like(total))
    assert state.visible == expected.visible
    assert all(tensor.dtype != torch.bfloat16 for tensor in state.to_tensors().values())


@pytest.mark.parametrize("operator", ["O2-Unique", "E2-Episode"])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_a_state_passes_between_heads_of_different_precision(operator: str, dtype: torch.dtype) -> None:
    state, _ = decide(hand_made_heads(), start(operator), picture(0, [0, 1]))
    state, first = decide(hand_made_heads().to(dtype), state, picture(1, [0, 1]))
    _, second = decide(hand_made_heads(), state, picture(2, [1, 0]))
    for outcome in (first, second):
        if outcome.objects is not None:
            assert outcome.objects.resolution.identities == (0, 1)
        else:
            assert events_of(outcome).seating.candidates == (0, 1, None, None)


def test_training_gradients_reach_what_is_soft_and_stop_at_history() -> None:
    torch.manual_seed(0)
    heads = Heads(HeadsConfig(width=WIDTH, target_width=4, hidden=16, attention=16, queries=6))
    state = start("O2-Unique")
    first = features(0, (3 * torch.randn(9, WIDTH)).requires_grad_())
    second = features(1, (3 * torch.randn(9, WIDTH)).requires_grad_())
    state, _ = decide(heads, state, first)
    assert len(state.registry) > 0, "the case needs a history"
    state, outcome = decide(heads, state, second)
    assert outcome.objects is not None
    torch.autograd.backward(outcome.objects.soft_births + outcome.objects.soft_visible)
    assert first.tokens.grad is None, "stored prototypes carry no gradient"
    assert second.tokens.grad.abs().sum() > 0
    trained = {name for name, p in heads.named_parameters() if p.grad is not None and p.grad.abs().sum() > 0}
    expected = {name for name, _ in heads.named_parameters() if name.startswith(("pooling", "association"))}
    assert trained == expected


def test_visible_counts_train_the_threshold_that_opens_slots() -> None:
    heads, seen = hand_made_heads(), picture(0, [0, 1])
    with torch.no_grad():
        heads.pooling.visibility.weight.mul_(0.1)  # unsaturated, so that it has a slope
    optimizer = torch.optim.SGD([heads.pooling.visibility.bias], lr=5.0)
    opened = []
    for _ in range(4):
        _, outcome = decide(heads, start("E2-Episode"), seen)
        opened.append(sum(events_of(outcome).seating.present))
        _, outcome = decide(heads, start("O1-Snap"), seen)
        assert outcome.objects is not None
        optimizer.zero_grad()
        torch.autograd.backward(outcome.objects.soft_visible.square())  # labelled: nobody is visible
        optimizer.step()
    assert (opened[0], opened[-1]) == (2, 0)


def test_event_gradients_reach_pooling_but_not_the_visibility_that_selects() -> None:
    heads = hand_made_heads()
    state, _ = decide(heads, start("E2-Episode"), picture(0, [0, 1]))
    with torch.no_grad():
        heads.pooling.queries_QD.mul_(0.02)  # softer attention, so that it has a slope
    _, outcome = decide(heads, state, picture(1, [0, 1]))
    log_probs = events_of(outcome).log_probs_ME
    assert log_probs is not None
    torch.autograd.backward(log_probs[:, 1::2].sum())
    assert heads.pooling.queries_QD.grad is not None
    assert heads.pooling.queries_QD.grad.abs().sum() > 0
    assert heads.pooling.visibility.weight.grad is None


def test_finite_features_whose_sum_overflows_are_fine() -> None:
    huge = torch.full((2, WIDTH), 3e38)
    seen = replace(picture(0), tokens=torch.cat([huge, picture(0, [1]).tokens]) * 0.9)
    assert not seen.tokens.sum().isfinite()
    _, outcome = decide(hand_made_heads(), start("E1-Action", "global"), seen)
    assert events_of(outcome).seating.present == (True,)


FITTING = picture(0, [1])


@pytest.mark.parametrize(
    ("seen", "message"),
    [
        (
            replace(FITTING, tokens=torch.zeros(3, 5)),
            r"expected visual vectors of shape \(tokens, 8\), got \(3, 5\)",
        ),
        (
            replace(FITTING, tokens=torch.zeros(8)),
            r"expected visual vectors of shape \(tokens, 8\), got \(8,\)",
        ),
        (
            replace(FITTING, tokens=torch.full((2, WIDTH), torch.nan)),
            "expected finite visual vectors, got NaN or infinity",
        ),
        (
            replace(FITTING, mean=torch.zeros(5)),
            r"expected a mean visual vector of width 8, got shape \(5,\)",
        ),
        (
            replace(FITTING, mean=torch.full((WIDTH,), torch.inf)),
            "expected a mean visual vector of finite numbers",
        ),
        (replace(FITTING, target=torch.zeros(3)), r"expected a target vector of width 4, got shape \(3,\)"),
        (
            replace(FITTING, target=torch.full((4,), torch.nan)),
            "expected a target vector of finite numbers, got NaN",
        ),
    ],
)
@pytest.mark.parametrize("operator", ["O1-Snap", "E1-Action"])
def test_features_that_do_not_fit_are_refused_in_one_line(
    operator: str, seen: Features, message: str
) -> None:
    with pytest.raises(InvalidInput, match=message) as error:
        decide(hand_made_heads(), start(operator), seen)
    assert "\n" not in str(error.value)
