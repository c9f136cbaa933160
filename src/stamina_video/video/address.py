"""What a caller may name as a source. Addresses are untrusted and may carry passwords."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from stamina_video.semantics import InvalidInput

SCHEMES = ("rtsp", "rtsps", "http", "https")
CAMERA_PREFIX = "/dev/video"


@dataclass(frozen=True, slots=True)
class Address:
    """A live source: what libav opens, how, and the name people see, without credentials."""

    url: str
    name: str
    format: str | None = None
    options: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        return f"Address({self.name!r})"


def parse(source: str | Path | int) -> Address | Path:
    """A path, or the address of a live source."""
    if isinstance(source, int) and not isinstance(source, bool) and source >= 0:
        return _camera(f"{CAMERA_PREFIX}{source}")
    if isinstance(source, Path):
        return source
    if not isinstance(source, str) or not source or "\0" in source:
        raise InvalidInput(f"expected a path, a camera number or an address, got {source!r}")
    if "://" in source:
        return _network(source)
    if source.startswith(CAMERA_PREFIX):
        return _camera(source)
    if source.isdecimal() and not Path(source).exists():
        return _camera(f"{CAMERA_PREFIX}{int(source)}")
    return Path(source)


def printable(name: str) -> str:
    """A name fit for a ledger: ledgers take printable characters only."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name)


def _camera(device: str) -> Address:
    return Address(device, f"camera-{device.removeprefix(CAMERA_PREFIX)}", "v4l2")


def _network(url: str) -> Address:
    scheme = url.partition("://")[0]
    if scheme not in SCHEMES:
        raise InvalidInput(
            f"expected a path, a camera number or an {', '.join(SCHEMES)} address, got the scheme {scheme!r}"
        )
    place = _place(url)
    if place is None:
        raise InvalidInput(f"expected an address like {scheme}://host/path, got one that cannot be parsed")
    return Address(url, printable(f"{scheme}://{place}"), options=_network_options(scheme))


def _place(url: str) -> str | None:
    """Host, port and path: neither user nor query, which carry passwords and tokens."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None  # urllib's own words may quote the password
    if not host:
        return None
    return f"{f'[{host}]' if ':' in host else host}{f':{port}' if port else ''}{parts.path}"


def _network_options(scheme: str) -> tuple[tuple[str, str], ...]:
    # A playlist or a redirect from the network may lead on to the network, never to local files.
    if scheme.startswith("http"):
        return (("protocol_whitelist", "http,https,tcp,tls,crypto"),)
    # Over TCP a lost packet is sent again instead of damaging the picture.
    return (("protocol_whitelist", "rtp,rtsp,tcp,tls,udp"), ("rtsp_transport", "tcp"))
