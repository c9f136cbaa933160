import re
from pathlib import Path

import pytest

from stamina_video.backbone.weights import MANIFEST, Conversion, Weight, weight_of
from stamina_video.semantics import InvalidInput
from tests.backbone.fake_registry import a_weight

PAGE = Path(__file__).parents[3] / "docs" / "weights.md"
PERMISSIVE = {"Apache-2.0", "MIT", "BSD-3-Clause"}


def test_names_and_files_are_distinct() -> None:
    assert len({weight.name for weight in MANIFEST}) == len(MANIFEST)
    assert len({weight.file for weight in MANIFEST}) == len(MANIFEST)


@pytest.mark.parametrize("weight", MANIFEST, ids=lambda weight: weight.name)
def test_an_entry_is_complete(weight: Weight) -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", weight.sha256)
    assert weight.size > 0
    assert weight.licence in PERMISSIVE
    assert weight.official is None or weight.official.startswith("https://")
    assert ".." not in weight.carrier.member
    assert not weight.carrier.member.startswith("/")
    assert Path(weight.file).name == weight.file


def test_a_converted_file_has_another_name() -> None:
    assert a_weight(b"x").kept_as == "tiny.bin"
    assert a_weight(b"x", conversion=Conversion.CHECKPOINT).kept_as == "tiny.safetensors"
    assert a_weight(b"x", conversion=Conversion.FINER_GRID).kept_as == "tiny.finer-grid.bin"


def test_an_unknown_name_is_told_the_known_ones() -> None:
    assert weight_of("tiny-vit-5m").purpose.startswith("appearance")
    with pytest.raises(InvalidInput, match=r"expected one of efficientdet-lite2, .*, got 'gpt'"):
        weight_of("gpt")


def table_row(weight: Weight) -> str:
    official = f"[address]({weight.official})" if weight.official else "none"
    carrier = f"{weight.carrier.registry} `{weight.carrier.package}` {weight.carrier.version}"
    return (
        f"| `{weight.name}` | {weight.version} | {weight.purpose} "
        f"| `{weight.file}`, {weight.size / 1e6:.1f} MB "
        f"| {weight.licence} | {weight.origin} | {official} | {carrier}, `{weight.carrier.member}` "
        f"| `{weight.sha256}` |"
    )


def test_the_page_lists_the_manifest() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    assert rows == [table_row(weight) for weight in MANIFEST]
