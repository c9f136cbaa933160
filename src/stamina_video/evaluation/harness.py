"""Writes a result in lmms-eval's layout: MODEL/DATE_results.json and MODEL/DATE_samples_TASK.jsonl."""

import hashlib
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from stamina_video.evaluation.results import OVERALL, Result

TASK = "svcbench"


def write_harness(result: Result, folder: Path, date: datetime | None = None) -> tuple[Path, Path]:
    """The aggregated file and the samples file, one sample per query point and seed."""
    stamp = f"{date or datetime.now(UTC):%Y%m%d_%H%M%S}"
    home = folder / re.sub(r"[^\w.-]+", "__", result.name)
    home.mkdir(parents=True, exist_ok=True)
    samples = [sample for row in result.rows for sample in _samples(row.id, row.detail)]
    results, listed = home / f"{stamp}_results.json", home / f"{stamp}_samples_{TASK}.jsonl"
    results.write_text(json.dumps(_aggregate(result, len(samples)), indent=2) + "\n")
    listed.write_text(
        "".join(json.dumps({"doc_id": index} | sample) + "\n" for index, sample in enumerate(samples))
    )
    return results, listed


def _aggregate(result: Result, samples: int) -> dict[str, Any]:
    figures = result.figures()[OVERALL]
    scores = {f"{metric},none": value for metric, value in figures.items()}
    spreads = {f"{metric}_stderr,none": "N/A" for metric in figures}
    return {
        "results": {TASK: {"alias": TASK} | scores | spreads},
        "group_subtasks": {TASK: []},
        "configs": {TASK: {"task": TASK, "metadata": dict(result.settings)}},
        "versions": {TASK: result.settings["scorer"]},
        "n-shot": {TASK: 0},
        "higher_is_better": {TASK: dict.fromkeys(figures, True)},
        "n-samples": {TASK: {"original": samples, "effective": samples}},
        "config": {"model": result.name},
        "model_name": result.name,
    }


def _samples(question: str, detail: Any) -> list[dict[str, Any]]:
    found = []
    for seed, answers in enumerate(detail["answers"]):
        for time, true, given in zip(detail["times"], detail["truth"], answers, strict=True):
            doc = f"{question} {time} {true}"
            found.append(
                {
                    "id": question,
                    "seed": seed,
                    "query_time": time,
                    "target": str(true),
                    "filtered_resps": [given],
                    "doc_hash": hashlib.sha256(doc.encode()).hexdigest(),
                }
            )
    return found
