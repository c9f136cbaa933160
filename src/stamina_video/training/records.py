"""A run's folder, for people: what was run, every update in a table, curves, and a page that sums it up."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from stamina_video.semantics import InvalidInput, UnreadableFile
from stamina_video.training.checkpoint import read_page

RECIPE, LOG, CURVES, SUMMARY = "recipe.json", "log.jsonl", "curves.png", "README.md"
CHECKPOINT, MODEL = "checkpoint", "model"


@dataclass(frozen=True, slots=True)
class Update:
    """One row of the log: after this update."""

    update: int
    stage: str
    epoch: float
    loss: float
    terms: dict[str, float]
    contributed: dict[str, int]
    gradient_norms: dict[str, float]
    rate: float
    passes: int
    seconds: float
    held_out: dict[str, float] = field(default_factory=dict)


class RunFolder:
    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def checkpoint(self) -> Path:
        return self.path / CHECKPOINT

    @property
    def model(self) -> Path:
        return self.path / MODEL

    def check(self, resume: bool) -> None:
        """A new run needs a folder of its own, a resumed one the folder it left."""
        if resume:
            self.facts()
            read_page(self.checkpoint)
        elif (self.path / RECIPE).exists():
            raise InvalidInput(
                f"{self.path}: expected a new folder, got one with a run in it: "
                "resume it with --resume, or name another"
            )

    def begin(self, facts: Mapping[str, Any]) -> None:
        self.check(resume=False)
        self.path.mkdir(parents=True, exist_ok=True)
        (self.path / RECIPE).write_text(json.dumps(facts, indent=2) + "\n", "utf-8")

    def resume(self, update: int) -> None:
        """Forget what was logged after the checkpoint: those updates will be made again."""
        kept = [row for row in self.rows() if row.update <= update]
        draft = self.path / f"{LOG}.draft"
        draft.write_text("".join(map(_line, kept)), "utf-8")
        draft.replace(self.path / LOG)

    def log(self, row: Update) -> None:
        with (self.path / LOG).open("a", encoding="utf-8") as file:
            file.write(_line(row))

    def rows(self) -> list[Update]:
        path = self.path / LOG
        if not path.exists():
            return []
        rows = []
        for line in path.read_text("utf-8").splitlines():
            try:
                rows.append(Update(**json.loads(line)))
            except (ValueError, TypeError):
                break  # a killed run may leave half a line, and nothing after it
        return rows

    def facts(self) -> dict[str, Any]:
        path = self.path / RECIPE
        try:
            facts: dict[str, Any] = json.loads(path.read_text("utf-8"))
        except OSError as error:
            raise UnreadableFile(f"{path}: expected a run to resume, got {error.strerror}") from None
        except ValueError:
            raise UnreadableFile(f"{path}: expected a run's recipe, got another file") from None
        return facts

    def summarise(self) -> None:
        """The page and the curves, from the log alone."""
        rows = self.rows()
        (self.path / SUMMARY).write_text(_summary(self.facts(), rows), "utf-8")
        if rows:
            _draw(rows, self.path / CURVES)


def _line(row: Update) -> str:
    return json.dumps(asdict(row)) + "\n"


def _summary(facts: Mapping[str, Any], rows: Sequence[Update]) -> str:
    recipe = facts["recipe"]
    lines = [
        f"# {recipe['name']}",
        "",
        f"Seed {facts['seed']}, {facts['samples']} samples, {facts['held_out']} held out, "
        f"{facts['parameters']:,} trained parameters; data: {', '.join(facts['data']) or 'in memory'}.",
        "",
        f"`{RECIPE}` has every setting, `{LOG}` one row an update, `{CHECKPOINT}/` what `--resume` goes on "
        f"from, `{MODEL}/` the trained model: `stamina count VIDEO --model {MODEL}`.",
    ]
    if rows:
        lines += ["", *_table(rows), "", f"![loss terms and gradient norms over updates]({CURVES})"]
    return "\n".join(lines) + "\n"


def _table(rows: Sequence[Update]) -> list[str]:
    """Means over the first and the last tenth of the run."""
    tenth = max(1, len(rows) // 10)
    table = [f"| after {rows[-1].update} updates | first tenth | last tenth |", "|---|---|---|"]
    for term in sorted({term for row in rows for term in row.terms}):
        first, last = (_mean(part, term) for part in (rows[:tenth], rows[-tenth:]))
        table.append(f"| {term} loss | {first} | {last} |")
    judged = [row for row in rows if row.held_out]
    for name in judged[-1].held_out if judged else ():
        table.append(
            f"| held-out {name} | {judged[0].held_out[name]:.3f} | {judged[-1].held_out[name]:.3f} |"
        )
    spent = sum(row.seconds for row in rows)
    return [*table, f"| seconds in all | | {spent:.0f} |"]


def _mean(rows: Sequence[Update], term: str) -> str:
    present = [row.terms[term] for row in rows if term in row.terms]
    return f"{sum(present) / len(present):.4g}" if present else "–"


def _draw(rows: Sequence[Update], path: Path) -> None:
    from matplotlib.figure import Figure  # noqa: PLC0415  # only where there is something to draw

    figure = Figure(figsize=(9, 6), layout="constrained")
    losses, norms = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    for term in sorted({term for row in rows for term in row.terms}):
        points = [(row.update, row.terms[term]) for row in rows if term in row.terms]
        losses.plot(*zip(*points, strict=True), label=term, linewidth=1)
    judged = [(row.update, row.held_out["gpa"]) for row in rows if "gpa" in row.held_out]
    if judged:
        beside = losses.twinx()
        beside.plot(*zip(*judged, strict=True), "k.-", label="held-out GPA")
        beside.set(ylabel="held-out GPA", ylim=(0, 1))
    losses.set(ylabel="loss terms", yscale="symlog")
    losses.legend(loc="upper right", ncols=5, frameon=False)
    for group in rows[0].gradient_norms:
        norms.plot(
            [row.update for row in rows], [row.gradient_norms.get(group, 0) for row in rows], label=group
        )
    norms.set(ylabel="gradient norm", xlabel="update", yscale="symlog")
    norms.legend(loc="upper right", frameon=False)
    figure.savefig(path, dpi=110)
