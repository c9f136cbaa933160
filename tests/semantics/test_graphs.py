import pytest

from stamina_video.semantics import EventGraph, InvalidInput, JointGraph, Operator, Role, graph_for

EVENTS = ("E1-Action", "E1-Transit", "E2-Episode", "E2-Periodic")


def spelled(graph: EventGraph) -> list[tuple[str, str, str]]:
    return [(str(edge.source), str(edge.target), str(edge.role)) for edge in graph.edges]


@pytest.mark.parametrize("operator", ["E1-Action", "E1-Transit"])
def test_an_instant_event_completes_at_once_and_re_arms_by_a_reset(operator: str) -> None:
    assert spelled(graph_for(operator)) == [
        ("READY", "READY", "hold"),
        ("READY", "REFRACTORY", "complete"),
        ("REFRACTORY", "REFRACTORY", "hold"),
        ("REFRACTORY", "READY", "reset"),
    ]


def test_an_episode_starts_completes_and_resets() -> None:
    assert spelled(graph_for("E2-Episode")) == [
        ("READY", "READY", "hold"),
        ("READY", "ACTIVE", "start"),
        ("ACTIVE", "ACTIVE", "hold"),
        ("ACTIVE", "REFRACTORY", "complete"),
        ("REFRACTORY", "REFRACTORY", "hold"),
        ("REFRACTORY", "READY", "reset"),
    ]


def test_a_cycle_completes_on_its_return() -> None:
    assert spelled(graph_for("E2-Periodic")) == [
        ("READY", "READY", "hold"),
        ("READY", "AWAY", "start"),
        ("AWAY", "AWAY", "hold"),
        ("AWAY", "READY", "complete"),
    ]


@pytest.mark.parametrize("operator", EVENTS)
def test_every_graph_starts_ready_holds_everywhere_and_counts_only_completions(operator: str) -> None:
    graph = graph_for(operator)
    assert graph.initial == graph.phases[0] == "READY"
    for phase in graph.phases:
        assert sum(edge.role is Role.HOLD for edge in graph.outgoing(phase)) == 1
    assert graph.increments == tuple(int(edge.role == "complete") for edge in graph.edges)


@pytest.mark.parametrize("operator", [str(o) for o in Operator if not o.is_event])
def test_objects_have_no_event_graph(operator: str) -> None:
    with pytest.raises(InvalidInput, match="expected an event operator"):
        graph_for(operator)


@pytest.mark.parametrize("slots", [1, 2, 3, 4])
def test_a_joint_graph_is_the_product_of_its_slots(slots: int) -> None:
    joint = JointGraph(graph_for("E2-Episode"), slots)
    assert joint.initial == ("READY",) * slots
    assert len(joint.phases) == 3**slots
    assert len(joint.edges) == 6**slots
    assert all(len(list(joint.outgoing(phases))) == 2**slots for phases in joint.phases)
    assert max(edge.increment for edge in joint.edges) == slots
    assert all(edge.increment == sum(part.increment for part in edge.parts) for edge in joint.edges)


def test_an_absent_slot_only_holds() -> None:
    joint = JointGraph(graph_for("E1-Action"), 2)
    edges = list(joint.outgoing(joint.initial, present=(True, False)))
    assert {edge.target for edge in edges} == {("READY", "READY"), ("REFRACTORY", "READY")}


@pytest.mark.parametrize("slots", [0, 5])
def test_more_than_four_slots_are_refused(slots: int) -> None:
    with pytest.raises(InvalidInput, match="expected 1 to 4 slots"):
        JointGraph(graph_for("E1-Action"), slots)
