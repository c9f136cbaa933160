import socket
import threading
import traceback
from pathlib import Path

import pytest

from stamina_video.semantics import InvalidInput, Observation, UnreadableFile
from stamina_video.video import Gap, LiveSettings, open_video
from tests.video.clips import make_clip, number_of
from tests.video.rtsp_server import RtspServer
from tests.video.server import StreamServer

QUICK = LiveSettings(first_wait=0.05, longest_wait=0.2, timeout=2.0, attempts=40, when_full="wait")


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """Two stretches of one camera: frames 0 to 59, then 100 to 159."""
    folder = tmp_path_factory.mktemp("clips")
    options = {"g": "10", "bf": "2"}
    first = make_clip(folder / "1.ts", 60, options=options)
    second = make_clip(folder / "2.ts", 60, options=options, first_number=100)
    return first.read_bytes(), second.read_bytes()


def readers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "stamina-video-reader"]


def test_a_killed_and_restarted_server_is_a_gap(clips: tuple[bytes, bytes]) -> None:
    server = StreamServer(clips[0])
    items: list[Observation | Gap] = []
    with open_video(server.address, fps=10.0, live=QUICK) as video:
        for item in video:
            items.append(item)
            if len(items) == 20:
                server.sent.wait(5)
                server.kill()
                server = StreamServer(clips[1], server.port)
            if isinstance(item, Observation) and number_of(item.image) >= 150:
                break
    server.kill()
    observations = [item for item in items if isinstance(item, Observation)]
    numbers = [number_of(observation.image) for observation in observations]
    before = [number for number in numbers if number < 100]
    after = [number for number in numbers if number >= 100]
    assert before == list(range(len(before)))
    assert len(before) >= 20
    assert after == list(range(100, 151))
    assert [observation.index for observation in observations] == list(range(len(observations)))
    assert [observation.source_frame for observation in observations] == list(range(len(observations)))
    (gap,) = video.gaps
    assert items[len(before)] is gap
    assert gap.start == observations[len(before) - 1].time
    assert gap.end == observations[len(before)].time > gap.start
    times = [observation.time for observation in observations]
    assert times == sorted(times)
    assert times[len(before) :] == pytest.approx([gap.end + n / 10 for n in range(51)])
    assert readers() == []


def test_an_rtsp_stream_is_followed_across_connections(clips: tuple[bytes, bytes]) -> None:
    with RtspServer(clips[0]) as server, open_video(server.address, fps=10.0, live=QUICK) as video:
        seen: list[Observation] = []
        for item in video:
            seen += [item] if isinstance(item, Observation) else []
            if video.gaps and len(seen) % 10 == 0:
                break
    numbers = [number_of(observation.image) for observation in seen]
    first = numbers.index(0, 1)  # the second connection plays the same from the start
    assert numbers == [*range(first), *range(len(seen) - first)]
    assert first > 50
    assert [observation.index for observation in seen] == list(range(len(seen)))
    assert [gap.reason for gap in video.gaps] == ["the stream ended"]
    assert (video.gaps[0].start, video.gaps[0].end) == (seen[first - 1].time, seen[first].time)
    assert readers() == []


def test_names_and_gaps_hide_the_password(clips: tuple[bytes, bytes]) -> None:
    settings = LiveSettings(first_wait=0.01, longest_wait=0.01, attempts=2, timeout=5.0)
    with StreamServer(clips[0]) as server:
        video = open_video(server.address, live=settings)
        assert video.stream == f"http://127.0.0.1:{server.port}/live.ts"
        reading = iter(video)
        next(reading)
        server.sent.wait(5)
        server.kill()
        *_, gap = reading
    assert isinstance(gap, Gap)
    assert gap.reason.startswith("gave up: ")
    assert "secret" not in gap.reason
    assert readers() == []


def test_an_address_that_never_answers_is_an_error() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        video = open_video(f"http://u:secret@127.0.0.1:{unused.getsockname()[1]}/x", live=QUICK)
        with pytest.raises(
            UnreadableFile, match=r"^expected a live video, got 'http://127.*': Connection refused$"
        ) as caught:
            next(iter(video))
    assert "secret" not in "".join(traceback.format_exception(caught.value))
    assert readers() == []


def test_a_silent_server_is_an_error_in_time() -> None:
    with StreamServer(b"") as server:
        video = open_video(server.address, live=LiveSettings(timeout=0.3))
        with pytest.raises(UnreadableFile, match="no answer in time"):
            next(iter(video))


def test_what_is_no_video_is_an_error() -> None:
    page = b"<html>not a stream</html>" * 500
    with (
        StreamServer(page, hang_up=True, length=len(page)) as server,
        pytest.raises(UnreadableFile, match="expected a live video"),
    ):
        next(iter(open_video(server.address, live=QUICK)))


def test_closing_from_another_thread_ends_the_iteration(clips: tuple[bytes, bytes]) -> None:
    with (
        StreamServer(clips[0]) as server,
        open_video(server.address, live=LiveSettings(timeout=1.0)) as video,
    ):
        items: list[Observation | Gap] = []
        consumer = threading.Thread(target=lambda: items.extend(video))
        consumer.start()
        server.sent.wait(5)
        video.close()
        consumer.join(10)
        assert not consumer.is_alive()
        assert readers() == []
        with pytest.raises(InvalidInput, match="after it was closed"):
            next(iter(video))


def test_leaving_the_loop_lets_the_stream_go(clips: tuple[bytes, bytes]) -> None:
    with StreamServer(clips[0]) as server:
        for _ in open_video(server.address, live=LiveSettings(timeout=1.0)):
            break
        assert readers() == []


def test_closing_while_waiting_to_reconnect_is_prompt(clips: tuple[bytes, bytes]) -> None:
    patient = LiveSettings(first_wait=600.0, longest_wait=600.0, timeout=5.0)
    with StreamServer(clips[0], hang_up=True) as server:
        video = open_video(server.address, live=patient)
        reading = iter(video)
        next(reading)
        video.close()  # the test would take ten minutes
    assert readers() == []


def test_a_recording_on_a_server_is_read_once_and_whole(tmp_path: Path) -> None:
    data = make_clip(tmp_path / "a.mp4", 60, container={"movflags": "faststart"}).read_bytes()
    with StreamServer(data, length=len(data), hang_up=True) as server:
        settings = LiveSettings(buffer=1, when_full="drop", timeout=5.0)
        items = list(open_video(server.address, fps=10.0, live=settings))
        numbers = [number_of(item.image) for item in items if isinstance(item, Observation)]
        assert numbers == list(range(60))
        assert len(items) == 60
        assert server.calls == 1


def test_a_recording_cut_off_on_the_way_is_a_gap_and_never_begun_again(tmp_path: Path) -> None:
    data = make_clip(tmp_path / "a.mp4", 60, container={"movflags": "faststart"}).read_bytes()
    with StreamServer(data[: len(data) * 2 // 3], length=len(data), hang_up=True) as server:
        items = list(open_video(server.address, fps=10.0, live=QUICK))
        *seen, gap = items
        numbers = [number_of(item.image) for item in seen if isinstance(item, Observation)]
        assert numbers == list(range(len(seen)))
        assert 20 < len(seen) < 60
        assert isinstance(gap, Gap)
        assert gap.end == pytest.approx(6.0, abs=0.11)


def test_a_camera_that_is_not_there_is_a_clear_line() -> None:
    with pytest.raises(UnreadableFile, match=r"^expected a live video, got 'camera-987': No such file"):
        next(iter(open_video(987)))


def test_what_is_known_once_connected(clips: tuple[bytes, bytes]) -> None:
    with StreamServer(clips[0]) as server, open_video(server.address, live=QUICK) as video:
        assert (video.size, video.rate, video.duration) == (None, None, None)
        next(iter(video))
        assert (video.size, video.rate, video.duration) == ((64, 48), 10.0, None)


def test_a_playlist_from_the_network_opens_no_local_file(tmp_path: Path) -> None:
    local = make_clip(tmp_path / "local.ts")
    playlist = f"#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\nfile://{local}\n#EXT-X-ENDLIST\n"
    with (
        StreamServer(playlist.encode(), length=len(playlist), hang_up=True) as server,
        pytest.raises(UnreadableFile, match="expected a live video"),
    ):
        next(iter(open_video(server.address.replace("live.ts", "list.m3u8"), live=QUICK)))


def test_waits_double_up_to_the_longest() -> None:
    settings = LiveSettings(first_wait=0.5, longest_wait=3.0)
    assert [settings.wait_before(attempt) for attempt in range(6)] == [0.0, 0.5, 1.0, 2.0, 3.0, 3.0]
    assert settings.wait_before(10_000) == 3.0


@pytest.mark.parametrize(
    "wrong",
    [
        {"buffer": 0},
        {"attempts": -1},
        {"when_full": "panic"},
        {"timeout": 0.0},
        {"first_wait": 9.0, "longest_wait": 1.0},
    ],
)
def test_settings_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(InvalidInput, match="expected"):
        LiveSettings(**wrong)  # type: ignore[arg-type]  # wrong on purpose
