"""Reads a counting question in English: operator, window and target phrase. A reader of wording only.

The wording of an object question names its operator. Among event questions it often leaves the
operator open ("How many times has the person jumped so far?" is used for an action
and for an episode), so an annotated operator, where there is one, rules over the guess.
"""

import re
from dataclasses import dataclass

from stamina_video.semantics.errors import InvalidInput
from stamina_video.semantics.flow import seconds
from stamina_video.semantics.operators import Operator


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question asks. `certain` is False where the operator is the likeliest of several."""

    operator: Operator
    target: str
    window: float | None
    certain: bool


def read_question(text: str, operator: str | Operator | None = None) -> Reading:
    """Operator, window and target phrase of a question; a given operator is kept and checked."""
    question = " ".join(text.split()) if isinstance(text, str) else ""
    if not question:
        raise InvalidInput(f"expected a question in words, got {text!r}")
    window = _window(question)
    guessed, certain = _guess(question, window)
    chosen = guessed if operator is None else Operator.parse(operator)
    if chosen.windowed and window is None:
        raise InvalidInput(f"expected a window ('in the past 4 seconds') for {chosen}, got {question!r}")
    if window is not None and not chosen.windowed:
        raise InvalidInput(f"expected no window for {chosen}, got {question!r}")
    target = _target(question)
    if not target:
        raise InvalidInput(f"expected a question that says what to count, got {question!r}")
    return Reading(chosen, target, window, certain or operator is not None)


_WINDOW = re.compile(
    r"\b(?:in|over|during|within) the (?:past|last|previous) (?:(\d+(?:\.\d+)?) )?(second|minute|hour)s?\b",
    re.I,
)
_UNIT = {"second": 1.0, "minute": 60.0, "hour": 3600.0}


def _window(question: str) -> float | None:
    found = _WINDOW.search(question)
    if found is None:
        return None
    window = seconds(float(found[1] or 1) * _UNIT[found[2].lower()], "a window")
    if window == 0:
        raise InvalidInput(f"expected a window above zero, got {found[0]!r}")
    return window


_FIRST_SEEN = re.compile(r"\b(never (?:been )?(?:appeared|seen)|new|for the first time)\b", re.I)
_VISIBLE = re.compile(r"\b(visible|in view|on screen|right now|at (?:this|the) moment|currently)\b", re.I)
_DISTINCT = re.compile(r"\b(different|distinct|unique)\b.*\b(appeared|seen|shown|passed)\b", re.I)
_APPEARED = re.compile(r"\bhave (?:appeared|been seen)\b", re.I)

# Words that point to an event operator, most telling first; nothing said means an action.
_EVENT_WORDING = tuple(
    (operator, re.compile(rf"\b(?:{words})\b", re.I))
    for operator, words in (
        (Operator.E1_TRANSIT, r"cuts?|transitions?|(?:shot|scene) changes?|switched (?:to|from)"),
        (Operator.E1_TRANSIT, r"(?:viewpoint|perspective|colou?r) (?:changed|switched)|opened or closed"),
        (Operator.E2_PERIODIC, r"swung|swings?|clapped|claps?|spins?|rotations?|laps?|cycles?|repetitions?"),
        (Operator.E2_PERIODIC, r"squats?|push-?ups?|sit-?ups?|jumping jacks?|strides?|strokes?|kicked|kicks"),
        (Operator.E2_PERIODIC, r"(?:drawn|traced)\b.*\b(?:air|shape|curve|circle|square|triangle|diamond)s?"),
        (Operator.E2_PERIODIC, r"drawn an? [\w-]+|hammer\b.*\bhit"),
        (Operator.E2_EPISODE, r"episodes?|visits?|rounds?|sets|segments?|scenes?|shots?|matches|games"),
        (Operator.E2_EPISODE, r"been (?:shown|on|airborne)|walked on|crossed|climbed|stood|stopped|ridden"),
        (Operator.E2_EPISODE, r"performances?|interviewed|been used|made"),
    )
)


def _guess(question: str, window: float | None) -> tuple[Operator, bool]:
    if window is not None:
        return (Operator.O2_GAIN if _FIRST_SEEN.search(question) else Operator.O1_DELTA), True
    if _DISTINCT.search(question):
        return Operator.O2_UNIQUE, _APPEARED.search(question) is not None
    if _VISIBLE.search(question) and not re.search(r"\bso far\b", question, re.I):
        return Operator.O1_SNAP, True
    for operator, pattern in _EVENT_WORDING:
        if pattern.search(question):
            return operator, False
    return Operator.E1_ACTION, False


_ASKING = re.compile(r"^.*?\bhow many (?:of (?=the\b))?(?:times (?:has|have|did) )?|^which (?:of )?", re.I)
_COUNTING_WORDS = re.compile(r"^(?:different|distinct|unique|new)\s+", re.I)
_TIME_WORDS = re.compile(
    r"\b(?:so far|at (?:this|the) moment|right now|currently|in total)\b"
    r"|\bthat have never (?:been )?(?:appeared|seen) before\b"
    rf"|{_WINDOW.pattern}",
    re.I,
)
_PREDICATE = re.compile(
    r"\s+(?:"
    r"(?:are|is) (?:visible|in view|there)\b.*"
    r"|(?:have|has) (?:appeared|occurred)(?: in the (?:scene|frame|video))?"
    r"|(?:have|has) been (?:seen|shown|completed|performed|made)(?: in the (?:scene|frame|video))?"
    r")$",
    re.I,
)


def _target(question: str) -> str:
    phrase = _ASKING.sub("", question, count=1)
    phrase = " ".join(_TIME_WORDS.sub(" ", phrase).replace("?", " ").split())
    return _COUNTING_WORDS.sub("", _PREDICATE.sub("", phrase)).strip(" .,;")
