import dataclasses
import math

import pytest

from stamina_video.semantics import Change, Commit, Decision, InvalidInput, Kind, evidence_id, flow, seconds

CYCLE: dict[str, object] = {}
CYCLE["again"] = CYCLE


def commit(**changed: object) -> Commit:
    fields: dict[str, object] = {
        "stream": "door",
        "target": "red mugs",
        "kind": "identity",
        "delta": 1,
        "observation": 3,
        "time": 3.0,
        "evidence_id": "e1",
        "evidence": {"score": 0.9, "box": (1, 2, 3, 4)},
    }
    return Commit(**(fields | changed))  # type: ignore[arg-type]  # wrong types are the point of some tests


def test_the_five_records_stand_in_the_order_of_the_flow() -> None:
    records = [name for name, item in vars(flow).items() if dataclasses.is_dataclass(item)]
    order = [name for name in records if name in {"Observation", "Features", "Decision", "Commit", "Answer"}]
    assert order == ["Observation", "Features", "Decision", "Commit", "Answer"]


def test_a_commit_is_a_frozen_value() -> None:
    it = commit()
    assert it.kind is Kind.IDENTITY
    assert it.evidence == {"score": 0.9, "box": [1, 2, 3, 4]}
    assert commit(evidence={"at": {"box": ((1, 2), 3)}}).evidence == {"at": {"box": [[1, 2], 3]}}
    assert math.copysign(1, commit(time=-0.0).time) == 1
    assert it == commit(recorded=12.0)
    assert it != commit(time=3.5)
    assert hash(it) == hash(commit(recorded=12.0))
    with pytest.raises(dataclasses.FrozenInstanceError):
        it.delta = 2  # type: ignore[misc]  # the point of the test


@pytest.mark.parametrize(
    ("spoken", "kind"),
    [
        ("visibility entry", Kind.ENTRY),
        ("visibility_exit", Kind.EXIT),
        ("Identity Accepted", Kind.IDENTITY),
        ("event completed", Kind.EVENT),
        ("complete", Kind.EVENT),
        ("retrieval miss", Kind.RETRIEVAL_MISS),
        ("target registered", Kind.TARGET),
        ("segment origin", Kind.SEGMENT),
    ],
)
def test_kinds_may_be_spoken_in_full(spoken: str, kind: Kind) -> None:
    assert Kind.parse(spoken) is kind


def test_only_four_kinds_count_and_three_warn() -> None:
    assert [kind for kind in Kind if kind.measure] == [Kind.ENTRY, Kind.EXIT, Kind.IDENTITY, Kind.EVENT]
    assert [kind for kind in Kind if kind.is_warning] == [Kind.GAP, Kind.OVERFLOW, Kind.RETRIEVAL_MISS]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"kind": "birth"}, "expected a commit kind"),
        ({"stream": " "}, "expected a stream name"),
        ({"target": ""}, "expected a target description"),
        ({"delta": 0}, "expected an increment above zero for identity, got 0"),
        ({"delta": 1.0}, "expected a whole number"),
        ({"delta": True}, "expected a whole number"),
        ({"kind": "exit"}, "expected an increment below zero for exit, got 1"),
        ({"kind": "gap"}, "expected an increment of zero for gap, got 1"),
        ({"observation": -1}, "expected an observation index from 0, got -1"),
        ({"time": -0.5}, "finite and not negative, got -0.5"),
        ({"time": math.nan}, "finite and not negative, got nan"),
        ({"time": "3"}, "expected a time in seconds, got '3'"),
        ({"evidence_id": ""}, "expected an evidence id"),
        ({"evidence": {"score": math.inf}}, "finite numbers"),
        ({"evidence": {"image": object()}}, "expected evidence of names"),
        ({"evidence": [1]}, "expected evidence as a mapping"),
        ({"evidence": 0}, "expected evidence as a mapping"),
        ({"evidence": {"n": 10**5000}}, "expected evidence of names"),
        ({"evidence": {"word": "\ud800"}}, "expected evidence of names"),
        ({"evidence": CYCLE}, "expected evidence of names"),
        ({"time": 10**400}, "finite and not negative"),
        ({"time": math.inf}, "finite and not negative, got inf"),
        ({"model": "nano\n"}, "expected a model fingerprint in printable characters"),
        ({"model": 7}, "expected a model fingerprint in printable characters"),
    ],
)
def test_a_malformed_commit_is_refused_in_one_line(changed: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as refusal:
        commit(**changed)
    assert "\n" not in str(refusal.value)


def test_only_facts_may_speak_of_the_whole_stream() -> None:
    assert commit(kind="gap", target="", delta=0).target == ""
    assert commit(kind="segment", target="", delta=0).target == ""
    with pytest.raises(InvalidInput):
        commit(kind="event", target="")


def test_a_decision_derives_the_same_evidence_ids_again() -> None:
    change = Change(Kind.EVENT, 1, "slot 0", "ACTIVE>REFRACTORY", {"score": 0.8})
    decision = Decision("door", "mugs packed", 7, 7.0, (change,))
    (first,), (again,) = decision.commits("m1"), decision.commits("m1")
    assert first == again
    assert first.evidence_id == evidence_id("door", "mugs packed", 7, "slot 0", "ACTIVE>REFRACTORY")
    assert first.model == "m1"


def test_an_evidence_id_keeps_its_parts_apart() -> None:
    assert evidence_id("a", "bc", 1, "s", "e") != evidence_id("ab", "c", 1, "s", "e")
    assert len({evidence_id("a", "b", step, "s", "e") for step in range(1000)}) == 1000


def test_seconds_names_what_it_wanted() -> None:
    assert seconds(3) == 3.0
    with pytest.raises(InvalidInput, match="expected the window in seconds, got None"):
        seconds(None, "the window")
