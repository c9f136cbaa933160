"""The documented way from supervision's ByteTrack to a diagnosis, as it is written there."""

import json
import re
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from stamina_video.cli.diagnose import diagnose

supervision = pytest.importorskip("supervision", reason="needs the baselines extra")

PAGE = Path(__file__).parents[2] / "docs" / "evaluation.md"
FPS, FRAMES, CROSSED = 10, 30, 2.0


def street(path: Path) -> None:
    """One bright car drives down the picture and crosses the line at y = 400."""
    with av.open(str(path), "w") as output:
        stream = output.add_stream("libx264", rate=FPS, options={"preset": "ultrafast"})
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = 1280, 720, "yuv420p"
        for number in range(FRAMES):
            image = np.zeros((720, 1280, 3), np.uint8)
            top = 204 + 10 * number
            image[top : top + 100, 600:760] = 255
            output.mux(stream.encode(av.VideoFrame.from_ndarray(image, "rgb24")))
        output.mux(stream.encode())


def detect(frame: Any) -> Any:
    rows, columns = np.nonzero(frame[..., 0] > 128)
    box = [columns.min(), rows.min(), columns.max(), rows.max()]
    return supervision.Detections(np.array([box], float), confidence=np.array([0.9]), class_id=np.array([0]))


@pytest.mark.filterwarnings("ignore::FutureWarning")  # ByteTrack is about to move to another package
def test_the_documented_tracker_can_be_diagnosed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    example = re.search(r"### From a tracker.*?```text\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert example is not None
    monkeypatch.chdir(tmp_path)
    street(tmp_path / "street.mp4")
    exec(example[1], {"detect": detect})
    truths = {
        "ids": "street.mp4,cars,0.0,,car,\nstreet.mp4,cars,2.9,,,1\n",
        "crossings": f"street.mp4,cars crossing,{CROSSED},in,,\nstreet.mp4,cars crossing,2.9,,,1\n",
    }
    for name, rows in truths.items():
        Path("truth.csv").write_text(f"video,target,time,event,identity,count\n{rows}")
        diagnose([Path(f"{name}.csv")], Path("truth.csv"), fps=FPS, as_json=True)
        found = json.loads(capsys.readouterr().out)["overall"]
        assert found["exact"] == 1.0
        assert found["misses"] == (0.0 if name == "crossings" else None)
