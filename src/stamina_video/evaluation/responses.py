"""Model responses to OVO-Bench and OVO-S-Bench: released result files, or JSON Lines of (id, response)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from stamina_video.evaluation.ovobench import TRACKS, Decision
from stamina_video.evaluation.ovos import Query
from stamina_video.semantics import InvalidInput, UnreadableFile
from stamina_video.semantics.files import field, json_document, json_lines, list_field, text_field


@dataclass(frozen=True, slots=True)
class Responses:
    """One response per decision, in the decisions' order; None where the model gave none."""

    paths: tuple[str, ...]
    texts: tuple[str | None, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Given:
    """A response with what its file says about where it belongs."""

    where: str
    record: int
    index: int
    text: str | None
    content: tuple[str, ...] | None = None  # task, video, question and truth of a released choice row
    time: object = None  # of a released trigger


def read_responses(paths: Sequence[str | Path], decisions: Sequence[Decision]) -> Responses:
    """Match every response to its decision; what is unknown, repeated or missing is refused by row."""
    files = [file for path in paths for file in _files(Path(path))]
    given = [item for file in files for item in _given(file)]
    texts, notes = _matched(given, decisions)
    return _complete(files, texts, [decision.id for decision in decisions], notes)


def read_query_responses(paths: Sequence[str | Path], queries: Sequence[Query]) -> Responses:
    """Responses to OVO-S-Bench, by query id ("1.1.1_0_q0")."""
    files = [file for path in paths for file in _files(Path(path))]
    known = {query.id for query in queries}
    texts: dict[str, str | None] = {}
    for where, row in (item for file in files for item in _query_rows(file)):
        name = str(field(row, "query_id" if "query_id" in row else "id", where))
        if name not in known:
            raise InvalidInput(f"{where}: expected a query of the annotations, got id {name!r}")
        if name in texts:
            raise InvalidInput(f"{where}: expected each query once, got id {name!r} again")
        texts[name] = _response(row, where)
    return _complete(files, texts, [query.id for query in queries])


def _complete(
    files: Sequence[Path], texts: Mapping[str, str | None], ids: Sequence[str], notes: Sequence[str] = ()
) -> Responses:
    missing = [name for name in ids if name not in texts]
    if missing:
        raise InvalidInput(
            f"{files[0]}: expected a response to each of {len(ids)} decisions, got {len(texts)}; "
            f"the first missing is {missing[0]}"
        )
    return Responses(tuple(map(str, files)), tuple(texts[name] for name in ids), tuple(notes))


def _query_rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if path.suffix == ".jsonl":
        yield from json_lines(path)
        return
    document = json_document(path)
    if not isinstance(document, dict):
        raise UnreadableFile(f"{path}: expected an object with results, got {type(document).__name__}")
    for position, row in enumerate(list_field(document, "results", str(path))):
        where = f"{path} row {position}"
        field(row, "query_id", where)
        yield where, row


def _matched(
    given: Sequence[_Given], decisions: Sequence[Decision]
) -> tuple[dict[str, str | None], list[str]]:
    known = {decision.id: decision for decision in decisions}
    texts: dict[str, str | None] = {}
    strays: list[_Given] = []
    for item in given:
        decision = known.get(f"{item.record}/{item.index}")
        if decision is None:
            raise InvalidInput(
                f"{item.where}: expected a decision of the annotations, got {item.record}/{item.index}"
            )
        if item.time not in (None, decision.time):
            raise InvalidInput(
                f"{item.where}: expected trigger {item.index} at {decision.time:g} s, got {item.time!r}"
            )
        if item.content not in (None, _content(decision)) or (decision.id in texts and item.content):
            strays.append(item)
        elif decision.id in texts:
            raise InvalidInput(f"{item.where}: expected each decision once, got {decision.id} again")
        else:
            texts[decision.id] = item.text
    return texts, _adopt(strays, texts, decisions)


def _adopt(
    strays: Sequence[_Given], texts: dict[str, str | None], decisions: Sequence[Decision]
) -> list[str]:
    """Released files hold rows under another record's id; what the row asks tells where it belongs."""
    free: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for decision in decisions:
        if decision.id not in texts:
            free[_content(decision)].append(decision.id)
    notes = []
    for item in strays:
        homes = free.get(item.content or ())
        if not homes:
            raise InvalidInput(
                f"{item.where}: expected the question and truth of record {item.record}, once; "
                f"got a row that fits no unanswered record"
            )
        home = homes.pop(0)
        texts[home] = item.text
        notes.append(f"{item.where}: id {item.record} is taken; by its question this answers record {home}")
    return notes


def _content(decision: Decision) -> tuple[str, ...]:
    video = PurePosixPath(decision.video).name
    return decision.task, video, decision.words.get("question", ""), decision.truth


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if file.suffix in (".json", ".jsonl"))
    if not found:
        raise UnreadableFile(f"{path}: expected response files (.json, .jsonl), got none")
    return found


def _given(path: Path) -> Iterator[_Given]:
    if path.suffix == ".jsonl":
        for where, row in json_lines(path):
            yield _Given(where, field(row, "id", where), row.get("index", 0), _response(row, where))
        return
    document = json_document(path)
    if not isinstance(document, dict) or not set(TRACKS) <= set(document):
        raise UnreadableFile(f"{path}: expected an object with {', '.join(TRACKS)}, got another document")
    for track in TRACKS:
        for position, row in enumerate(list_field(document, track, str(path))):
            yield from _released(row, track, f"{path} {track} row {position}")


def _released(row: Mapping[str, Any], track: str, where: str) -> Iterator[_Given]:
    number = field(row, "id", where)
    if track == "forward":
        for index, trigger in enumerate(list_field(row, "test_info", where)):
            text = _response(trigger, f"{where} trigger {index}")
            yield _Given(where, number, index, text, time=trigger.get("realtime"))
        return
    video = PurePosixPath(text_field(row, "video", where)).name
    asked = (text_field(row, name, where) for name in ("task", "question", "ground_truth"))
    task, question, truth = asked
    yield _Given(where, number, 0, _response(row, where), (task, video, question, truth))


def _response(row: Mapping[str, Any], where: str) -> str | None:
    response = field(row, "response", where)
    if response is not None and not isinstance(response, str):
        raise InvalidInput(f"{where}: expected a response in words or null, got {response!r}")
    return response
