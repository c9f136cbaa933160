"""What is counted: a description in words, an operator, and whose events they are."""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from stamina_video.semantics.errors import InvalidInput
from stamina_video.semantics.operators import Operator


class Scope(StrEnum):
    GLOBAL = "global"
    ENTITY = "entity"


@dataclass(frozen=True, init=False)
class Target:
    """A thing to count. Fixed before the first observation; never an answer or a boundary."""

    description: str
    operator: Operator
    scope: Scope

    def __init__(self, description: str, operator: str | Operator, scope: str | Scope | None = None) -> None:
        parsed = Operator.parse(operator)
        object.__setattr__(self, "description", target_name(description))
        object.__setattr__(self, "operator", parsed)
        object.__setattr__(self, "scope", _scope(parsed, scope))


def target_name(value: object) -> str:
    """A target's description with its spaces tidied; empty or unprintable ones are refused."""
    name = " ".join(value.split()) if isinstance(value, str) else ""
    if not name or not is_printable(name):
        raise InvalidInput(f"expected a target description in words, got {value!r}")
    return name


def is_printable(text: str) -> bool:
    """No control characters or stray surrogates; joiners and spaces of all scripts are welcome."""
    return not any(unicodedata.category(character) in ("Cc", "Cs") for character in text)


def is_text(value: str) -> bool:
    """Whether it can be written as UTF-8 at all: a lone surrogate cannot."""
    return not any("\ud800" <= character <= "\udfff" for character in value)


def _scope(operator: Operator, scope: str | Scope | None) -> Scope:
    if operator is Operator.E2_PERIODIC:
        if scope not in (None, Scope.GLOBAL):
            raise InvalidInput(f"expected scope global for {operator} (one cycle stream), got {scope!r}")
        return Scope.GLOBAL
    if scope is None:
        # Words alone say what happens, not to whom: one stream also sees what no detector tells apart.
        return Scope.GLOBAL if operator.is_event else Scope.ENTITY
    try:
        return Scope(scope)
    except ValueError:
        raise InvalidInput(f"expected scope global or entity, got {scope!r}") from None
