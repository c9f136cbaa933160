"""The demo without a trained model: a scripted packing scene through a real ledger, drawn and explained."""

from pathlib import Path

from stamina_video.cli import scene
from stamina_video.cli.explain import answer_document, show_answer
from stamina_video.cli.output import emit, say, show_table
from stamina_video.ledger import Ledger
from stamina_video.semantics import Kind, Measure

SHOWN_AT = (4.0, 8.0, 12.5, 20.0, 26.0, 36.0, scene.END)


def play(out: Path, as_json: bool = False) -> None:
    """Count a scripted packing scene into a ledger, draw its counts over time, and explain one."""
    with Ledger.open(out / "counts.db") as ledger:
        added = sum(sum(ledger.append_all(commits)) for commits in scene.observations())
        again = sum(sum(ledger.append_all(commits)) for commits in scene.observations())
        say(f"{added} commits added to {out / 'counts.db'}; delivered once more, {again} were added")
        picture = _draw(ledger, out / "counts.png")
        why = ledger.explain(scene.STREAM, scene.MUGS.description, at=36.0, measure=Measure.UNIQUE)
        table = [
            (label, *(ledger.count(scene.STREAM, target.description, at, measure) for at in SHOWN_AT))
            for label, target, measure in scene.READINGS
        ]
    if as_json:
        counts = {row[0]: dict(zip(map(str, SHOWN_AT), row[1:], strict=True)) for row in table}
        emit(
            {
                "ledger": str(out / "counts.db"),
                "plot": str(picture),
                "counts": counts,
                "explain": answer_document(why),
            }
        )
        return
    show_table("Counts as of", ("", *(f"{at:g} s" for at in SHOWN_AT)), table)
    show_answer(f"Why {why.count} different mugs at {why.at:g} s?", why)
    say(f"picture: {picture}")
    say(f'try: stamina explain {out / "counts.db"} --target "mugs packed" --at 36')


def _draw(ledger: Ledger, path: Path) -> Path:
    # Imported here: every other command starts without a drawing library.
    from stamina_video.cli.plot import Curve, plot_counts  # noqa: PLC0415

    curves = [
        Curve(label, ledger.history(scene.STREAM, target.description, measure))
        for label, target, measure in scene.READINGS
    ]
    gaps = [row.commit for row in ledger.rows(scene.STREAM) if row.commit.kind is Kind.GAP]
    plot_counts(path, "A packing scene, scripted: counts read from its ledger", curves, gaps, scene.END)
    return path
