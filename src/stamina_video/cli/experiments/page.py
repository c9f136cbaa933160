"""An experiment's report: what the paper found, what came out here, whether they agree, and the settings."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stamina_video.evaluation.tables import Table, as_text


@dataclass(frozen=True, slots=True)
class Finding:
    """One direction of the paper, and whether ours agrees; the words say by how much."""

    paper: str
    ours: str
    agrees: bool


@dataclass(frozen=True, slots=True)
class Page:
    name: str
    title: str
    findings: tuple[Finding, ...]
    tables: tuple[Table, ...]
    settings: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    def markdown(self) -> str:
        findings = "".join(map(_sentence, self.findings))
        notes = "".join(f"- {as_text(note)}\n" for note in self.notes)
        rows = tuple((name, _words(value)) for name, value in self.settings.items())
        parts = (
            f"# {as_text(self.title)}\n",
            findings,
            *(table.markdown() for table in self.tables),
            *([f"## Notes\n\n{notes}"] if notes else []),
            f"## Settings\n\n{Table(('Setting', 'Value'), rows, words=2).markdown()}",
        )
        return "\n".join(parts)

    def document(self) -> dict[str, Any]:
        return {
            "experiment": self.name,
            "findings": [
                {"paper": one.paper, "ours": one.ours, "agrees": one.agrees} for one in self.findings
            ],
            "tables": [
                {
                    "title": table.title,
                    "columns": list(table.header),
                    "rows": [list(row) for row in table.rows],
                }
                for table in self.tables
            ],
            "settings": dict(self.settings),
            "notes": list(self.notes),
        }

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "report.md").write_text(self.markdown(), "utf-8")
        text = json.dumps(self.document(), indent=2, ensure_ascii=False, allow_nan=False)
        (folder / "report.json").write_text(f"{text}\n", "utf-8")


def _sentence(one: Finding) -> str:
    verdict = "Agrees" if one.agrees else "Differs"
    return f"- **{verdict}.** Paper: {as_text(one.paper)} Here: {as_text(one.ours)}\n"


def _words(value: Any) -> str:
    match value:
        case Mapping():
            return ", ".join(f"{name} {_words(inner)}" for name, inner in value.items())
        case str():
            return value
        case Sequence():
            return ", ".join(map(_words, value))
    return str(value)
