import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from stamina_video.semantics import Phase, Target
from stamina_video.transitions.decide import decide
from stamina_video.transitions.state import TargetState
from tests.transitions.decision_cases import CONFIG, hand_made_heads, picture


@pytest.mark.parametrize(
    ("operator", "scope", "phases"),
    [
        ("O1-Snap", None, 0),
        ("O2-Unique", None, 0),
        ("E1-Action", "entity", 4),
        ("E1-Action", "global", 1),
        ("E1-Transit", None, 1),
        ("E2-Episode", "entity", 4),
        ("E2-Periodic", None, 1),
    ],
)
def test_a_target_starts_with_nothing_seen(operator: str, scope: str | None, phases: int) -> None:
    state = TargetState.initial("cam", Target("mugs", operator, scope), CONFIG)
    assert (len(state.registry), len(state.visible)) == (0, 0)
    assert state.slots.phases == (Phase.READY,) * phases
    assert state.slots.prototypes == ()


@pytest.mark.parametrize("operator", ["O2-Unique", "E2-Episode", "E1-Transit"])
@pytest.mark.parametrize("pictures", [0, 3])
def test_a_saved_state_decides_as_the_original(operator: str, pictures: int, tmp_path: Path) -> None:
    heads = hand_made_heads()
    state = TargetState.initial("cam", Target("mugs", operator), CONFIG)
    for index in range(pictures):
        state, _ = decide(heads, state, picture(index, [0, index + 1], [5]))
    save_file(state.to_tensors(), tmp_path / "state.safetensors")
    metadata = json.loads(json.dumps(state.metadata()))
    loaded = TargetState.from_tensors(load_file(tmp_path / "state.safetensors"), metadata)
    assert loaded.metadata() == state.metadata()
    for index in range(pictures, pictures + 4):
        state, first = decide(heads, state, picture(index, [index % 4, 4]))
        loaded, second = decide(heads, loaded, picture(index, [index % 4, 4]))
        assert first.decision == second.decision
    assert loaded.metadata() == state.metadata()
    tensors, again = state.to_tensors(), loaded.to_tensors()
    assert tensors.keys() == again.keys()
    assert all(torch.equal(tensors[name], again[name]) for name in tensors)
