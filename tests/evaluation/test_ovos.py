import base64
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from stamina_video.evaluation.choices import score_ovos
from stamina_video.evaluation.ovos import Picture, Query, read_queries
from stamina_video.evaluation.responses import Responses, read_query_responses
from stamina_video.semantics import InvalidInput

# Written for these tests after the released schema; the released items themselves are not here.
PIXEL = base64.b64encode(b"\x89PNG not really").decode()


def item(name: str = "1.1.1_0", family: str = "1.1", **change: Any) -> dict[str, Any]:
    return {
        "id": name,
        "source_dataset": "Ego4D",
        "video_id": "v",
        "video_path": "Ego4D/v.mp4",
        "level": int(family[0]),
        "task_main_category": family,
        "task_subcategory": f"{family}.1",
        "task_type_name": "Relative direction",
        "question": "Where is the door from here?",
        "options": [["A", "to the left"], ["B", "to the right"]],
        "query_times": [12.5],
        "evidence_times": [[3.0, 5.0]],
        "answers": ["B"],
    } | change


def written(tmp_path: Path, *items: dict[str, Any]) -> Path:
    path = tmp_path / "ovos.json"
    path.write_text(json.dumps(items))
    return path


def queries(tmp_path: Path, *items: dict[str, Any]) -> list[Query]:
    return read_queries(written(tmp_path, *items))


def test_each_query_time_is_a_query(tmp_path: Path) -> None:
    found = queries(tmp_path, item(query_times=[1, 2.5, 4], answers=["A", "B"]))
    assert [(query.id, query.time, query.truth) for query in found] == [
        ("1.1.1_0_q0", 1.0, "A"),
        ("1.1.1_0_q1", 2.5, "B"),
        ("1.1.1_0_q2", 4.0, "B"),
    ]
    assert (found[0].level, found[0].family, found[0].labels) == ("L1", "1.1", ("A", "B"))


@pytest.mark.parametrize(
    "options", [{"A": "x", "B": "y"}, [{"key": "A", "value": "x"}, {"key": "B", "value": "y"}]]
)
def test_options_come_in_several_shapes(tmp_path: Path, options: Any) -> None:
    assert queries(tmp_path, item(options=options))[0].options == {"A": "x", "B": "y"}


def test_option_pictures_are_decoded_and_kept_out_of_the_words(tmp_path: Path) -> None:
    (query,) = queries(tmp_path, item(options=[["A", f"data:image/png;base64,{PIXEL}"], ["B", "neither"]]))
    assert query.pictures == (Picture("A", "image/png", b"\x89PNG not really"),)
    assert query.options == {"A": "(picture A)", "B": "neither"}


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl", ".json"])
def test_every_file_format_reads_alike(tmp_path: Path, suffix: str) -> None:
    expected = queries(tmp_path, item(), item("4.3_001", "4.3"))
    path = tmp_path / f"released{suffix}"
    items = [item(), item("4.3_001", "4.3")]
    if suffix == ".parquet":
        parquet.write_table(pa.Table.from_pylist(items), path)
    elif suffix == ".jsonl":
        path.write_text("\n".join(map(json.dumps, items)))
    else:
        path.write_text(json.dumps({"annotations": items}))
    assert read_queries(path) == expected


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"answers": ["E"]}, "item 0: expected an answer among A, B, got 'E'"),
        ({"answers": []}, "item 0: expected query times and answers, got 1 and 0"),
        ({"level": 5}, "item 0: expected a level from 1 to 4, got 5"),
        ({"options": [["A", "x"]]}, "item 0: expected at least two options, got 1"),
        ({"options": "A, B"}, "item 0: expected options as"),
        ({"options": [["A", "x"], ["A", "y"]]}, "expected each option label once, got 'A' again"),
        (
            {"options": [["A", "data:image/png;base64,???"], ["B", "y"]]},
            "expected the picture of option A in base64",
        ),
        ({"query_times": [-1]}, "item 0: expected a query time in seconds, finite and not negative, got -1"),
    ],
)
def test_an_item_that_does_not_fit_is_named(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        queries(tmp_path, item(**change))


def test_a_repeated_item_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"item 1: expected each item once, got '1\.1\.1_0' again"):
        queries(tmp_path, item(), item())


def test_families_average_into_levels_and_levels_into_one(tmp_path: Path) -> None:
    items = [item(f"{family}_{index}", family) for family in ("1.1", "1.2", "4.1") for index in range(2)]
    found = queries(tmp_path, *items)
    said = ("B", "B", "Answer: B", None, "so it is B.", "no idea")
    figures = score_ovos(found, Responses((), said)).figures()
    assert figures["1.1"]["official"] == 1.0
    assert figures["1.2"]["official"] == 0.5  # the failed response stays in
    assert figures["L1"]["official"] == 0.75
    assert figures["L4"]["official"] == 0.5
    assert figures["L-Avg"]["official"] == 0.625
    assert figures["overall"]["official"] == pytest.approx(4 / 6)
    assert figures["4.1"]["strict"] == 0.0


def test_released_results_and_json_lines_are_read(tmp_path: Path) -> None:
    found = queries(tmp_path, item(), item("1.2_0", "1.2"))
    released = tmp_path / "released.json"
    rows = [
        {"query_id": "1.2_0_q0", "response": None, "error": "timeout"},
        {"query_id": "1.1.1_0_q0", "response": "B"},
    ]
    released.write_text(json.dumps({"model": "m", "results": rows}))
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"id": "1.1.1_0_q0", "response": "B"}\n{"id": "1.2_0_q0", "response": null}')
    for path in (released, lines):
        assert read_query_responses([path], found).texts == ("B", None)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"id": "9_q0", "response": "B"}', "line 1: expected a query of the annotations, got id '9_q0'"),
        ('{"id": "1.1.1_0_q0", "response": "B"}\n' * 2, "line 2: expected each query once"),
        ("", "expected a response to each of 1 decisions, got 0; the first missing is 1.1.1_0_q0"),
        ('{"id": "1.1.1_0_q0"}', "line 1: expected a field 'response'"),
    ],
)
def test_responses_that_do_not_fit_are_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=complaint):
        read_query_responses([path], queries(tmp_path, item()))
