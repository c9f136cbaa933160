"""Where benchmark data lies, if this checkout has it beside it."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
SVCBENCH_QUESTIONS = SHARED / "svcbench" / "vcbench_data.jsonl"
SVCBENCH_QUERIES = SHARED / "svcbench" / "vcbench_eval.jsonl"
CLIPS = SHARED / "clips"


def needs(path: Path) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not path.exists(), reason=f"benchmark data is absent: {path.name}")
