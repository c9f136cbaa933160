"""Reads an answer out of a model's words: `official` as released scorers do, `strict` as a person would."""

import re
from collections.abc import Iterable, Sequence

from stamina_video.evaluation.ovobench import Decision, Reply

_YES_NO = re.compile(r"\b(yes|no|y|n)\b", re.I)


def official(decision: Decision, response: str | None) -> bool:
    """OVO-Bench's released scoring: the right letter or word anywhere, or all digits joined.

    Kept because published figures depend on it; "Apple" passes where A is right, and "1 of 2" reads as 12.
    """
    if response is None:
        return False
    if decision.reply is Reply.NUMBER:
        return "".join(re.findall(r"\d+", response)) == decision.truth
    if decision.reply is Reply.YES_NO and response == decision.truth[0]:
        return True
    return decision.truth in response


def strict(decision: Decision, response: str | None) -> bool:
    """Right only where exactly one answer of the asked form can be read from the response."""
    if response is None:
        return False
    return strict_answer(decision, response) == decision.truth


def strict_answer(decision: Decision, response: str) -> str | None:
    """The one answer in the response, or None."""
    if decision.reply is Reply.NUMBER:
        return _only(str(int(number)) for number in re.findall(r"(?<![\d.,])\d+(?![.,]?\d)", response))
    if decision.reply is Reply.YES_NO:
        return _only("Yes" if word[0] in "yY" else "No" for word in _YES_NO.findall(response))
    return stated_label(response, decision.labels)


def stated_label(response: str, labels: Sequence[str]) -> str | None:
    """An option label standing on its own: alone, before its punctuation, or after "answer"."""
    one = f"({'|'.join(map(re.escape, labels))})"
    whole = response.strip()
    alone = re.fullmatch(rf"\W*{one}\W*", whole)
    if alone:
        return alone[1]
    # "A man" names no option; "A. a man", "(A) a man" and "A: a man" do.
    leading = re.match(rf"[\W_]*{one}\s*[.):\]]", whole)
    spoken = re.findall(rf"(?i:answer|option|choice)\s*(?i:is|:)?\s*[(\[]?{one}(?![\w'])", whole)
    return _only([*([leading[1]] if leading else []), *spoken])


def stated_last(response: str, labels: Sequence[str]) -> str | None:
    """OVO-S-Bench's order of attempts on what follows any reasoning, over the question's own labels."""
    one = f"({'|'.join(map(re.escape, labels))})"
    said = response.rpartition("</think>")[2].strip()
    tail = said[-300:]
    for pattern, text in (
        (rf"(?:answer|final)[:\s]+{one}\b", tail),
        (rf"<answer>\s*{one}\b", tail),
        (rf"\b{one}\b\s*\.?\s*$", tail),
        (rf"<\|begin_of_box\|>\s*{one}", tail),
        (rf"\A{one}\b", said),
        (rf"(?:answer|choice|option)s?[:\s]+{one}\b", said),
        (rf"[(\[]\s*{one}\s*[)\]]", said),
    ):
        found = re.search(pattern, text, re.I)
        if found:
            return found[1].upper()
    return None


def _only(answers: Iterable[str]) -> str | None:
    distinct = set(answers)
    return distinct.pop() if len(distinct) == 1 else None
