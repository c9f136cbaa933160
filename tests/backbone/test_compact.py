import hashlib
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from stamina_video.backbone.compact import CompactBackbone
from stamina_video.backbone.decoder import CompactDecoder, DecoderConfig
from stamina_video.backbone.delta import DeltaConfig
from stamina_video.backbone.perception import Perception, TokenKind
from stamina_video.backbone.perception.efficientdet import SETTINGS
from stamina_video.backbone.perception.gait import GAIT
from stamina_video.backbone.perception.pretrained import load_perception
from stamina_video.backbone.pulses import PULSES
from stamina_video.backbone.text import load_text_encoder
from stamina_video.backbone.weights import weight_of
from stamina_video.runtime.loading import SHIPPED
from stamina_video.semantics import InvalidInput, Observation, UnreadableFile
from tests.backbone.contract import BackboneContract
from tests.backbone.fakes import WORDS, ToyText, toy_image, toy_perception
from tests.backbone.real_weights import real_weight


def a_backbone(eyes: Perception | None = None, pulses: bool = False) -> CompactBackbone:
    torch.manual_seed(0)
    eyes = eyes or toy_perception()
    memory = DeltaConfig(heads=2, head_width=8, chunk=16)
    config = DecoderConfig(eyes.layout, width=24, blocks=2, heads=2, window=3, memory=memory, pulses=pulses)
    return CompactBackbone(eyes, ToyText(), CompactDecoder(config))


def a_picture(number: int) -> Any:
    """A few blobs whose colours, places and number follow from the picture's number."""
    colours = list(WORDS)
    blobs = [
        (colours[(number + blob) % len(colours)], 0.2 + 0.3 * blob, 0.15 + 0.04 * (number % 13), 0.1)
        for blob in range(1 + number % 3)
    ]
    return toy_image(*blobs)


class TestCompactBackbone(BackboneContract):
    @pytest.fixture
    def backbone(self) -> CompactBackbone:
        return a_backbone()

    def image(self, number: int) -> Any:
        return a_picture(number)

    def load(self, folder: Path) -> CompactBackbone:
        return CompactBackbone.from_pretrained(folder, toy_perception(), ToyText())


class TestFeelingBackbone(TestCompactBackbone):
    """With pulses behind the mean: the same contract."""

    settles = 60

    @pytest.fixture
    def backbone(self) -> CompactBackbone:
        return a_backbone(pulses=True)


def test_pulses_stand_behind_the_mean() -> None:
    seeing, feeling = a_backbone(), a_backbone(pulses=True)
    assert (seeing.pulses, feeling.pulses) == (0, len(PULSES))
    states = seeing.initial(), feeling.initial()
    for index in range(4):
        observation = Observation("door", index, index / 2, a_picture(index), 0)
        seen, felt = seeing.observe(states[0], observation), feeling.observe(states[1], observation)
        assert torch.equal(felt.mean_D[: seeing.width], seen.mean_D)
        assert len(felt.mean_D) == feeling.width + feeling.pulses
        states = seen.state, felt.state
    assert felt.mean_D[feeling.width :].any()


def test_gaits_of_things_stand_before_the_seats() -> None:
    backbone, state, glimpse = a_backbone(), None, None
    for index in range(3):
        image = toy_image(("red", 0.3 + 0.02 * index, 0.3, 0.2), ("blue", 0.8, 0.2, 0.1))
        observation = Observation("door", index, index / 2, image, 0)
        observed = backbone.observe(state or backbone.initial(), observation)
        percept, glimpse = backbone.eyes.perceive(image, glimpse)
        state = observed.state
    seats = backbone.decoder.config.layout.seats
    gait_NG = observed.tokens_ND[:, -seats - len(GAIT) : -seats]
    is_thing_N = torch.from_numpy(percept.kind_N == TokenKind.DETECTION)
    torch.testing.assert_close(
        gait_NG[is_thing_N], torch.from_numpy(percept.life_NL)[is_thing_N, -len(GAIT) :]
    )
    assert gait_NG[0, GAIT.index("step_x")] > 0
    assert not gait_NG[~is_thing_N].any()


def test_full_access_agrees_until_something_is_evicted_and_parts_there() -> None:
    stream = a_backbone()
    kept = stream.decoder.config.window
    assert kept == 3
    seen, prefix = (features(one, 7) for one in (stream, stream.full()))
    for step, (windowed, whole) in enumerate(zip(seen, prefix, strict=True)):
        if step < kept:
            torch.testing.assert_close(windowed, whole)
        else:
            assert not torch.allclose(windowed, whole, atol=1e-4), f"the same features at observation {step}"


def features(backbone: CompactBackbone, count: int) -> list[Tensor]:
    state, seen = backbone.initial(), []
    with torch.no_grad():
        for index in range(count):
            observed = backbone.observe(state, Observation("door", index, index / 2, a_picture(index), 0))
            state = observed.state
            seen.append(observed.tokens_ND)
    return seen


def test_full_access_shares_its_weights() -> None:
    stream = a_backbone()
    shared = zip(stream.decoder.parameters(), stream.full().decoder.parameters(), strict=True)
    assert all(one.data_ptr() == other.data_ptr() for one, other in shared)


def test_boxes_are_those_of_the_percept() -> None:
    backbone = a_backbone()
    image = a_picture(2)
    observed = backbone.observe(backbone.initial(), Observation("door", 0, 0.0, image, 0))
    percept, _ = backbone.eyes.perceive(image, None)
    assert observed.boxes_N4 is not None
    assert torch.equal(observed.boxes_N4, torch.from_numpy(percept.boxes_N4))


def test_gradients_flow_when_training_asks_for_them() -> None:
    backbone = a_backbone()
    observed = backbone.observe(backbone.initial(), Observation("door", 0, 0.0, a_picture(2), 0))
    torch.autograd.backward(observed.mean_D.square().sum())
    assert all(parameter.grad is not None for parameter in backbone.decoder.embedding.parameters())


@pytest.mark.parametrize("time", [0.4, -1.0, math.nan])
def test_time_runs_forward(time: float) -> None:
    backbone = a_backbone()
    state = backbone.observe(backbone.initial(), Observation("door", 0, 0.5, a_picture(0), 0)).state
    with pytest.raises(InvalidInput, match="expected an observation"):
        backbone.observe(state, Observation("door", 1, time, a_picture(1), 1))


def test_the_fingerprint_follows_every_weight_and_setting() -> None:
    backbone = a_backbone()
    seen = {backbone.fingerprint}
    with torch.no_grad():
        for parameter in backbone.decoder.parameters():
            parameter.view(-1)[0] += 0.5
            seen.add(backbone.fingerprint)
    assert len(seen) == 1 + len(list(backbone.decoder.parameters()))
    eyes = replace(toy_perception(), detections=9)
    assert a_backbone(eyes).fingerprint != a_backbone().fingerprint
    assert a_backbone().fingerprint == a_backbone().fingerprint


def test_the_fingerprint_follows_the_frozen_weights() -> None:
    plain, other = a_backbone(), a_backbone(replace(toy_perception(), fingerprint="other weights"))
    assert other.fingerprint != plain.fingerprint
    text = ToyText()
    text.fingerprint = "other words"
    assert CompactBackbone(plain.eyes, text, plain.decoder).fingerprint != plain.fingerprint


def test_the_pretrained_parts_know_their_hashes() -> None:
    used = {"efficientdet-lite2", "all-minilm-l6-v2", "minilm-tokenizer"}
    for name in used:
        real_weight(name)
    eyes, text = load_perception(SHIPPED / "nano"), load_text_encoder()
    known = {*f"{eyes.fingerprint}+{text.fingerprint}".split("+")}
    ours = hashlib.sha256((SHIPPED / "nano" / "eyes.safetensors").read_bytes()).hexdigest()
    assert known == {SETTINGS, ours, *(weight_of(name).sha256 for name in used)}


def test_only_trained_parameters_are_saved(tmp_path: Path) -> None:
    a_backbone().save_pretrained(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["decoder.json", "decoder.safetensors"]
    assert json.loads((tmp_path / "decoder.json").read_text())["memory"]["heads"] == 2


def test_other_eyes_are_refused(tmp_path: Path) -> None:
    a_backbone().save_pretrained(tmp_path)
    eyes = replace(toy_perception(), detections=9)
    with pytest.raises(InvalidInput, match="expected a perception of PerceptLayout"):
        CompactBackbone.from_pretrained(tmp_path, eyes, ToyText())


@pytest.mark.parametrize(
    ("file", "content", "line"),
    [
        ("decoder.json", None, "expected a readable file"),
        ("decoder.json", "{", "expected a decoder's configuration"),
        ("decoder.json", "[]", "expected a decoder's configuration"),
        ("decoder.json", '{"layout": {}, "memory": {"arms": 2}}', "expected a decoder's configuration"),
        ("decoder.safetensors", None, "expected decoder weights"),
        ("decoder.safetensors", "no weights", "expected decoder weights"),
    ],
)
def test_damaged_files_are_named(tmp_path: Path, file: str, content: str | None, line: str) -> None:
    a_backbone().save_pretrained(tmp_path)
    if content is None:
        (tmp_path / file).unlink()
    else:
        (tmp_path / file).write_text(content)
    with pytest.raises(UnreadableFile, match=line) as raised:
        CompactBackbone.from_pretrained(tmp_path, toy_perception(), ToyText())
    assert file in str(raised.value)
    assert "\n" not in str(raised.value)


def test_weights_of_another_configuration_are_refused(tmp_path: Path) -> None:
    a_backbone().save_pretrained(tmp_path)
    path = tmp_path / "decoder.json"
    path.write_text(path.read_text().replace('"width": 24', '"width": 48'))
    with pytest.raises(UnreadableFile, match="expected the weights of"):
        CompactBackbone.from_pretrained(tmp_path, toy_perception(), ToyText())
