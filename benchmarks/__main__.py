"""Runs every benchmark and writes one page: `python -m benchmarks --out docs/benchmarks.md`."""

import argparse
import importlib
import platform
import sys
from pathlib import Path

from benchmarks.table import Row, markdown

# In the order of the page: module and heading.
PARTS = (
    ("ledger", "The ledger"),
    ("paths", "The path sum"),
    ("decision", "One online decision"),
    ("video", "Decoding and sampling"),
    ("perception", "The frozen eyes"),
    ("decoder", "The compact decoder"),
    ("world", "The simulated world"),
    ("evaluation", "Scoring and diagnosis"),
)

HEADER = """# Benchmarks

Figures are ratios against a peer measured in the same run where that makes sense: machines differ,
ratios less so. Measure anew with `make bench`, or one part with `python -m benchmarks.<part>`.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help="parts to run, by module name; all if left out")
    parser.add_argument("--out", type=Path, help="Markdown page to write; printed if left out")
    arguments = parser.parse_args()
    chosen = [part for part in PARTS if not arguments.parts or part[0] in arguments.parts]
    sections = [HEADER, f"Last run on {platform.machine()}, Python {platform.python_version()}.\n"]
    missed: list[Row] = []
    for module, heading in chosen:
        print(f"measuring: {module}", file=sys.stderr)
        rows = importlib.import_module(f"benchmarks.{module}").rows()
        missed += [row for row in rows if not row.met]
        sections.append(f"## {heading}\n\n`python -m benchmarks.{module}`\n\n{markdown(rows)}")
    page = "\n".join(sections)
    if arguments.out:
        arguments.out.write_text(page)
    else:
        print(page)
    for row in missed:
        print(f"below its bar: {row.what}: {row.figure} (bar {row.bar})", file=sys.stderr)


if __name__ == "__main__":
    main()
