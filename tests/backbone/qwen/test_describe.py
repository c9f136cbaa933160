import pytest

from stamina_video.backbone.qwen.config import QwenConfig
from stamina_video.backbone.qwen.describe import describe
from stamina_video.backbone.qwen.sizes import released_shape
from stamina_video.backbone.qwen.tiny import tiny_config
from stamina_video.semantics import InvalidInput
from tests.backbone.qwen.tiny import settings

WORDS, BLOCKS, BRANCHES = 151_936, 36, 9


def decoder_parameters(width: int, feed: int) -> int:
    """32 query and 8 key-value heads of width 128, by hand."""
    attention = 2 * width * 4096 + 2 * width * 1024 + 2 * 128
    return BLOCKS * (attention + 3 * width * feed + 2 * width) + width


def vision_parameters(blocks: int, width: int, feed: int) -> int:
    """The encoder without its mergers: patches, positions, and blocks of attention and feed-forward."""
    patches = width * 3 * 2 * 16 * 16 + width
    attention = 3 * width * width + 3 * width + width * width + width
    feed_forward = 2 * width * feed + feed + width
    return patches + 2304 * width + blocks * (attention + feed_forward + 4 * width)


def merger_parameters(vision: int, out: int) -> int:
    """Four merged patches through two layers, four times: once at the end, three times for DeepStack."""
    inner = 4 * vision
    layers = inner * inner + inner + inner * out + out
    return 4 * layers + 2 * vision + 3 * 2 * inner


def memory_parameters(width: int) -> int:
    """8 heads of width 64: four projections, two gates per head, two norms, A₀, and the branch's gate."""
    gates = 2 * (8 * width + 8) + width + 1
    return BRANCHES * (4 * width * 512 + gates + 2 * 2 * 64 + 8 * 64 * 64)


@pytest.mark.parametrize(
    ("size", "width", "feed", "vision", "embeddings"),
    [
        ("4b", 2560, 9728, (24, 1024, 4096), 1),  # tied: the words are embedded and told apart by one matrix
        ("8b", 4096, 12_288, (27, 1152, 4304), 2),
    ],
)
def test_the_figures_are_those_of_arithmetic_by_hand(
    size: str, width: int, feed: int, vision: tuple[int, int, int], embeddings: int
) -> None:
    found = describe(released_shape(size), QwenConfig(), heads_parameters=1000, gpus=4)
    encoder, projector = vision_parameters(*vision), merger_parameters(vision[1], width)
    released = embeddings * WORDS * width + decoder_parameters(width, feed) + encoder + projector
    assert found.released_parameters == released
    assert found.frozen_parameters == encoder
    assert found.memory_parameters == memory_parameters(width)
    assert found.window_bytes == 4096 * BLOCKS * 2 * 8 * 128 * 2
    assert found.memory_bytes == BRANCHES * 8 * 64 * 64 * 4
    added = memory_parameters(width) + 1000
    trained = released + added - encoder
    assert found.added_share == added / (released + added)
    assert found.optimiser_bytes == 8 * trained
    stream = found.window_bytes + found.memory_bytes
    assert found.deployed_bytes_per_gpu == 2 * (released + added) + stream
    assert found.training_bytes_per_gpu == -(-(16 * trained + 2 * encoder) // 4) + 2 * stream


def test_impossible_numbers_are_refused() -> None:
    with pytest.raises(InvalidInput, match="expected GPUs from 1, got 0"):
        describe(tiny_config(), settings(), gpus=0)
    with pytest.raises(InvalidInput, match="expected a window to size"):
        describe(tiny_config(), settings(window=None))


def test_the_shapes_have_the_parameters_we_say_we_count() -> None:
    """As in the module's first lines: our count, not a figure of the models' cards."""
    totals = [describe(released_shape(size), QwenConfig()).released_parameters for size in ("4b", "8b")]
    assert [round(total / 1e9, 2) for total in totals] == [4.44, 8.77]
