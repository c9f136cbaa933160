import json
from datetime import UTC, datetime
from pathlib import Path

from stamina_video.evaluation import Predictions, score_runs
from stamina_video.evaluation.harness import write_harness
from stamina_video.semantics import Operator, Question


def test_files_lie_where_the_harness_would_put_them(tmp_path: Path) -> None:
    questions = [Question("q", "a.mp4", "How many?", Operator.E1_ACTION, (1.0, 2.0), (1, 2))]
    runs = [Predictions("a", ((1.0, float("nan")),)), Predictions("b", ((1.0, 2.0),))]
    result = score_runs(questions, runs, "org/my model")
    results, samples = write_harness(result, tmp_path, datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    assert results == tmp_path / "org__my__model" / "20260102_030405_results.json"
    assert samples.name == "20260102_030405_samples_svcbench.jsonl"
    document = json.loads(results.read_text())
    assert document["results"]["svcbench"]["gpa,none"] == 0.75
    assert document["n-samples"]["svcbench"] == {"original": 4, "effective": 4}
    rows = [json.loads(line) for line in samples.read_text().splitlines()]
    assert [row["filtered_resps"] for row in rows] == [[1.0], [None], [1.0], [2.0]]
    assert [row["target"] for row in rows] == ["1", "2", "1", "2"]
    assert rows[0]["doc_hash"] == rows[2]["doc_hash"] != rows[1]["doc_hash"]
