"""`stamina explain`: which commits make up a count, with their evidence."""

from typing import Annotated, Any

import typer

from stamina_video.cli.output import Json, emit, say, show_table
from stamina_video.ledger import Ledger
from stamina_video.semantics import Answer, Commit, InvalidInput, Measure, target_name

LedgerAddress = Annotated[
    str, typer.Argument(help="A ledger file, or a postgresql:// address.", metavar="LEDGER")
]
Stream = Annotated[str | None, typer.Option(help="The stream, where the ledger holds several.")]


def explain(
    address: LedgerAddress,
    target: Annotated[str, typer.Option(help="What was counted, in the words it was registered with.")],
    at: Annotated[
        float | None, typer.Option(help="The moment to explain, in seconds; the latest if left out.")
    ] = None,
    since: Annotated[float | None, typer.Option(help="Explain the change since this moment instead.")] = None,
    stream: Stream = None,
    measure: Annotated[
        Measure | None, typer.Option(help="Which count, where a target has several.", show_choices=True)
    ] = None,
    as_json: Json = False,
) -> None:
    """Say which commits make up a count, with evidence, and what to know about gaps in between."""
    with Ledger.open(address, readonly=True) as ledger:
        name = the_stream(ledger, stream)
        answer = ledger.explain(name, the_target(ledger, name, target), at=at, since=since, measure=measure)
    if as_json:
        emit(answer_document(answer))
        return
    show_answer(_headline(answer), answer)


def the_stream(ledger: Ledger, name: str | None) -> str:
    """The stream asked for, or the only one there is."""
    streams = ledger.streams()
    if name is None and len(streams) == 1:
        return streams[0]
    if name is None or name not in streams:
        listed = ", ".join(streams) or "none"
        raise InvalidInput(f"expected a stream of this ledger ({listed}), got {name or 'no --stream'}")
    return name


def the_target(ledger: Ledger, stream: str, description: str) -> str:
    """A target this stream has: a slip of the pen must not read as a count of zero."""
    name, known = target_name(description), ledger.targets(stream)
    if name not in known:
        listed = ", ".join(known) or "none"
        raise InvalidInput(f"expected a target of stream {stream!r} ({listed}), got {name!r}")
    return name


def show_answer(title: str, answer: Answer) -> None:
    """The commits behind an answer as a table, then its warnings."""
    show_table(
        title,
        ("Time (s)", "Kind", "Increment", "Evidence"),
        (
            (f"{commit.time:g}", commit.kind, f"{commit.delta:+d}", _evidence(commit))
            for commit in answer.commits
        ),
    )
    for warning in answer.warnings:
        say(f"warning: {warning}")


def answer_document(answer: Answer) -> dict[str, Any]:
    interval = {} if answer.since is None else {"since": answer.since}
    return {
        "target": answer.target,
        "at": answer.at,
        **interval,
        "count": answer.count,
        "commits": [commit_document(commit) for commit in answer.commits],
        "facts": [commit_document(fact) for fact in answer.facts],
        "warnings": list(answer.warnings),
    }


def commit_document(commit: Commit) -> dict[str, Any]:
    return {
        "time": commit.time,
        "kind": commit.kind,
        "delta": commit.delta,
        "observation": commit.observation,
        "evidence_id": commit.evidence_id,
        "evidence": commit.evidence,
        "model": commit.model,
        "recorded": commit.recorded,
    }


def _headline(answer: Answer) -> str:
    if answer.since is None:
        return f"{answer.target}: {answer.count} at {answer.at:g} s"
    return f"{answer.target}: {answer.count:+d} from {answer.since:g} s to {answer.at:g} s"


def _evidence(commit: Commit) -> str:
    return ", ".join(f"{name} {value}" for name, value in commit.evidence.items())
