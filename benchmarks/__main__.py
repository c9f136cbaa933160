"""Runs the benchmarks and keeps their page: `python -m benchmarks [part ...] --out docs/benchmarks.md`."""

import argparse
import importlib
import os
import platform
import sys
from pathlib import Path

from benchmarks.table import Row, markdown

# In the order of the page: module and heading.
PARTS = {
    "ledger": "The ledger",
    "paths": "The path sum",
    "decision": "One online decision",
    "video": "Decoding and sampling",
    "perception": "The frozen eyes",
    "decoder": "The compact decoder",
    "session": "A session of the compact model",
    "qwen": "The full-size backbone at middle size",
    "training": "Training",
    "world": "The simulated world",
    "data": "Trajectories, families and checks",
    "growth": "Growth to ten million queries",
    "evaluation": "Scoring and diagnosis",
}

HEADER = """# Benchmarks

Figures are ratios against a peer measured in the same run where that makes sense: machines differ,
ratios less so. Measure everything anew with `make bench`, or some parts with
`python -m benchmarks ledger paths --out docs/benchmarks.md`, which leaves the other sections as they
are. Each section says on what it was measured.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"which of {', '.join(PARTS)}; all if left out")
    parser.add_argument("--out", type=Path, help="Markdown page to write; printed if left out")
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"expected parts of {', '.join(PARTS)}, got {', '.join(sorted(unknown))}")
    sections = _known(arguments.out)
    missed: list[Row] = []
    for part in arguments.parts or PARTS:
        print(f"measuring: {part}", file=sys.stderr)
        rows = importlib.import_module(f"benchmarks.{part}").rows()
        missed += [row for row in rows if not row.met]
        sections[PARTS[part]] = _section(part, rows)
        if arguments.out:  # after each part: an interrupted run keeps what it measured
            arguments.out.write_text(_page(sections))
    if not arguments.out:
        print(_page(sections))
    for row in missed:
        print(f"below its bar: {row.what}: {row.figure} (bar {row.bar})", file=sys.stderr)


def _section(part: str, rows: list[Row]) -> str:
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    load = f"load average {os.getloadavg()[0]:.1f} at the end"
    return f"`python -m benchmarks.{part}` on {machine}, {load}.\n\n{markdown(rows)}"


def _known(page: Path | None) -> dict[str, str]:
    """The sections of an earlier page, by heading."""
    if page is None or not page.exists():
        return {}
    _, *chunks = page.read_text().split("\n## ")
    return {heading: body.strip() for heading, body in (chunk.split("\n", 1) for chunk in chunks)}


def _page(sections: dict[str, str]) -> str:
    ordered = [heading for heading in PARTS.values() if heading in sections]
    return HEADER + "".join(f"\n## {heading}\n\n{sections[heading].strip()}\n" for heading in ordered)


if __name__ == "__main__":
    main()
