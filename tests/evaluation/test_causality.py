import contextlib
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import av
import pytest

from stamina_video.evaluation.causality import CausalityViolation, Witness
from stamina_video.evaluation.running import Counting, Plan, Run
from stamina_video.semantics import InvalidInput, Observation, Target
from stamina_video.video import Gap
from tests.cli.scenes import blob_video
from tests.evaluation.running.scenes import OneEachLook, data_set, witnessed


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return blob_video(tmp_path_factory.mktemp("video") / "blobs.mp4")


def times(items: Sequence[Observation | Gap]) -> list[float]:
    return [item.time for item in items if isinstance(item, Observation)]


def test_only_what_is_new_up_to_the_horizon_is_shown(video: Path) -> None:
    with witnessed(video) as witness:
        assert times(list(witness.until(1.2))) == [0.0, 0.5, 1.0]
        assert times(list(witness.until(1.4))) == []
        assert times(list(witness.until(9.0))) == [1.5, 2.0, 2.5, 3.0, 3.5]
        assert [(shown.time, shown.horizon) for shown in witness.shown[2:4]] == [(1.0, 1.2), (1.5, 9.0)]
        witness.check()


def test_the_horizon_does_not_go_back(video: Path) -> None:
    with witnessed(video) as witness:
        witness.until(2.0)
        with pytest.raises(InvalidInput, match="expected a horizon from 2 s on, got 1 s"):
            witness.until(1.0)


def test_looking_back_is_allowed_and_written_down(video: Path) -> None:
    with witnessed(video) as witness:
        shown = [item for item in witness.until(2.0) if isinstance(item, Observation)]
        with witness.at_work():
            assert (witness.look(1.04) == shown[2].image).all()
        assert witness.shown[-1].time == 1.0
        witness.check()


def test_a_counter_that_opened_other_files_did_nothing_wrong(video: Path, tmp_path: Path) -> None:
    (tmp_path / video.name).write_text("another file of the same name")
    with witnessed(video) as witness:
        list(witness.until(1.0))
        with witness.at_work():
            (tmp_path / video.name).read_text()
            Path(__file__).read_text()
        video.read_bytes()  # not the counter's turn
        witness.check()


class Cheat(OneEachLook):
    """Peeks at every look; a sly one keeps quiet about being caught."""

    def __init__(self, deed: Callable[[Witness, Path], object], sly: bool, video: Path) -> None:
        super().__init__()
        self.deed, self.sly, self.video = deed, sly, video
        self.loot: list[object] = []

    def begin(self, witness: Witness, fps: float, targets: Sequence[Target], ledger: str | Path) -> Counting:
        honest = super().begin(witness, fps, targets, ledger)
        observe = honest.observe

        def cheating(item: Observation | Gap) -> None:
            with contextlib.suppress(*([CausalityViolation] if self.sly else [])):
                self.loot.append(self.deed(witness, self.video))
            observe(item)

        honest.observe = cheating  # type: ignore[method-assign]
        return honest


def looks_ahead(witness: Witness, video: Path) -> object:
    return witness.look(witness.horizon + 1)


def reads_the_file(witness: Witness, video: Path) -> object:
    return video.read_bytes()


def opens_with_pyav(witness: Witness, video: Path) -> object:
    return av.open(str(video))


def opens_with_opencv(witness: Witness, video: Path) -> object:
    return pytest.importorskip("cv2").VideoCapture(str(video))


def asks_another_program(witness: Witness, video: Path) -> object:
    return subprocess.run([sys.executable, "-c", "", str(video)], check=True)


LOADED_BEFORE = av.open  # a name taken before anybody listened


def holds_a_native_handle(witness: Witness, video: Path) -> object:
    return LOADED_BEFORE(str(video))


OPENED = "but it opened the video's file"


@pytest.mark.parametrize("sly", [False, True])
@pytest.mark.parametrize(
    ("deed", "said"),
    [
        (looks_ahead, "after 1 s, but it asked for the picture at 2 s"),
        (reads_the_file, OPENED),
        (opens_with_pyav, OPENED),
        (opens_with_opencv, OPENED),
        (asks_another_program, OPENED),
        (holds_a_native_handle, "but it holds the video's file open"),
    ],
)
def test_a_cheating_model_fails_its_run(
    deed: Callable[[Witness, Path], object], said: str, sly: bool, tmp_path: Path
) -> None:
    question = ("e", "b.mp4", "How many times has the blob moved so far?", "E1-Action", [1.0, 3.0], [0, 1])
    annotations, videos = data_set(tmp_path, [question])
    cheat = Cheat(deed, sly, videos / "b.mp4")
    run = Run.begin(tmp_path / "out", annotations, videos, cheat, Plan(), 0)
    with pytest.raises(CausalityViolation, match="to know nothing after"):
        run.work(cheat, Plan(), videos)
    assert len(run.missing) == 1, "what a cheat says is not kept"
    with pytest.raises(InvalidInput, match="got 1 missing"):
        run.finish()
    if not sly:
        with pytest.raises(CausalityViolation, match=said):
            run.work(cheat, Plan(), videos)


def test_a_harness_that_showed_too_much_is_caught(video: Path) -> None:
    with witnessed(video) as witness:
        list(witness.until(2.0))
        witness.shown[1] = type(witness.shown[1])(time=2.5, horizon=2.0)
        with pytest.raises(CausalityViolation, match=r"was shown 2\.5 s at a horizon of 2 s"):
            witness.check()
