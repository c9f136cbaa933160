"""What every backbone owes. A backbone's test class inherits this and says how to make one."""

import json
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load, save

from stamina_video.backbone.contract import Backbone, Observed, Snapshot
from stamina_video.semantics import InvalidInput, Observation

Model = Backbone[Any]


class BackboneContract:
    @pytest.fixture
    def backbone(self) -> Model:
        raise NotImplementedError

    settles = 20  # observations after which a state has its full size

    def image(self, number: int) -> Any:
        """A picture this backbone can see; other numbers give other pictures."""
        raise NotImplementedError

    def load(self, folder: Path) -> Model:
        """The backbone that `save_pretrained(folder)` wrote."""
        raise NotImplementedError

    def watch(
        self, backbone: Model, pictures: Iterable[int], state: Any = None, start: int = 0
    ) -> list[Observed[Any]]:
        """Observes pictures by number, twice a second, from the origin or from a later state."""
        state = backbone.initial() if state is None else state
        seen = []
        with torch.no_grad():
            for index, number in enumerate(pictures, start):
                image = self.image(number)
                observed = backbone.observe(state, Observation("door", index, index / 2, image, index))
                state = observed.state
                seen.append(observed)
        return seen

    def test_features_have_the_stated_widths(self, backbone: Model) -> None:
        for observed in self.watch(backbone, range(3)):
            tokens = len(observed.tokens_ND)
            assert observed.tokens_ND.shape == (tokens, backbone.width)
            assert observed.mean_D.shape == (backbone.width + backbone.pulses,)
            assert observed.boxes_N4 is None or observed.boxes_N4.shape == (tokens, 4)

    def test_the_mean_is_that_of_the_tokens(self, backbone: Model) -> None:
        for observed in self.watch(backbone, range(3)):
            torch.testing.assert_close(observed.mean_D[: backbone.width], observed.tokens_ND.mean(0))

    def test_target_vectors_have_unit_length(self, backbone: Model) -> None:
        red, again, blue = (backbone.encode_target(text) for text in ("red mugs", " red  mugs", "blue cars"))
        assert red.shape == (backbone.target_width,)
        torch.testing.assert_close(red.norm(), torch.tensor(1.0))
        assert torch.equal(red, again)
        assert not torch.equal(red, blue)

    def test_an_empty_target_is_refused(self, backbone: Model) -> None:
        with pytest.raises(InvalidInput, match="expected a target description"):
            backbone.encode_target("  ")

    def test_the_future_changes_nothing_before_it(self, backbone: Model) -> None:
        one = self.watch(backbone, [0, 1, 2, 3, 4, 5, 6])
        other = self.watch(backbone, [0, 1, 2, 3, 14, 15, 16])
        same = [_equal(left, right) for left, right in zip(one, other, strict=True)]
        assert same == [True] * 4 + [False] * 3

    def test_the_past_is_remembered(self, backbone: Model) -> None:
        one, other = self.watch(backbone, [0, 1, 2, 3]), self.watch(backbone, [10, 11, 2, 3])
        assert not _equal(one[-1], other[-1])

    def test_a_replay_gives_the_same_bits(self, backbone: Model) -> None:
        first = self.watch(backbone, range(8))
        self.watch(backbone, range(20, 24))
        for left, right in zip(first, self.watch(backbone, range(8)), strict=True):
            assert _equal(left, right)

    def test_observing_leaves_the_state_it_was_given(self, backbone: Model) -> None:
        state = self.watch(backbone, range(4))[-1].state
        before = backbone.pack(state)
        self.watch(backbone, range(10, 14), state, start=4)
        after = backbone.pack(state)
        assert before.facts == after.facts
        assert before.tensors.keys() == after.tensors.keys()
        assert all(torch.equal(before.tensors[name], after.tensors[name]) for name in before.tensors)

    def test_a_detached_state_has_the_same_values_and_no_gradients(self, backbone: Model) -> None:
        state = backbone.initial()
        for index in range(3):
            picture = Observation("door", index, index / 2, self.image(index), index)
            state = backbone.observe(state, picture).state
        before, after = backbone.pack(state).tensors, backbone.pack(backbone.detached(state)).tensors
        assert all(torch.equal(before[name], after[name]) for name in before)
        assert _reaches(state)
        assert not _reaches(backbone.detached(state))

    def test_forks_do_not_see_each_other(self, backbone: Model) -> None:
        trunk = self.watch(backbone, range(4))
        state = trunk[-1].state
        alone = self.watch(backbone, range(5, 8), state, start=4)
        other = self.watch(backbone, range(15, 18), state, start=4)
        again = self.watch(backbone, range(5, 8), state, start=4)
        assert all(_equal(left, right) for left, right in zip(alone, again, strict=True))
        assert not _equal(alone[-1], other[-1])

    def test_state_does_not_grow(self, backbone: Model) -> None:
        pictures = [number % 5 for number in range(self.settles + 10)]
        sizes = [_bytes(backbone.pack(seen.state)) for seen in self.watch(backbone, pictures)]
        assert max(sizes[self.settles :]) <= max(sizes[: self.settles])

    @pytest.mark.parametrize("after", [0, 1, 6])
    def test_a_saved_state_continues_with_the_same_bits(self, backbone: Model, after: int) -> None:
        seen = self.watch(backbone, range(after))
        state = seen[-1].state if seen else backbone.initial()
        snapshot = backbone.pack(state)
        loaded = Snapshot(load(save(dict(snapshot.tensors))), json.loads(json.dumps(snapshot.facts)))
        expected = self.watch(backbone, range(30, 34), state, start=after)
        got = self.watch(backbone, range(30, 34), backbone.unpack(loaded), start=after)
        assert all(_equal(left, right) for left, right in zip(expected, got, strict=True))

    def test_a_saved_model_is_the_same_model(self, backbone: Model, tmp_path: Path) -> None:
        backbone.save_pretrained(tmp_path / "model")
        again = self.load(tmp_path / "model")
        assert again.fingerprint == backbone.fingerprint
        for left, right in zip(self.watch(backbone, range(4)), self.watch(again, range(4)), strict=True):
            assert _equal(left, right)


def _equal(left: Observed[Any], right: Observed[Any]) -> bool:
    return torch.equal(left.tokens_ND, right.tokens_ND) and torch.equal(left.mean_D, right.mean_D)


def _reaches(value: Any) -> bool:
    """Whether any tensor inside a state has a gradient to give."""
    if isinstance(value, torch.Tensor):
        return value.requires_grad
    if is_dataclass(value):
        return any(_reaches(getattr(value, part.name)) for part in fields(value))
    return isinstance(value, tuple) and any(map(_reaches, value))


def _bytes(snapshot: Snapshot) -> int:
    stored = sum(tensor.numel() * tensor.element_size() for tensor in snapshot.tensors.values())
    return stored + len(json.dumps(snapshot.facts))
