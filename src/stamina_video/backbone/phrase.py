"""A description taken apart: whom it is about, and what is done. Knows no names and no pictures."""

import re
from dataclasses import dataclass

from stamina_video.backbone.names import PLAIN

_WORD = re.compile(r"[^\s]+")
# Which of the plain words leads on from a noun to what is said of it.
_LEADING = frozenset(
    [
        *(
            "are",
            "at",
            "back",
            "being",
            "by",
            "down",
            "far",
            "for",
            "from",
            "has",
            "have",
            "in",
            "into",
            "is",
        ),
        *("off", "on", "onto", "out", "over", "so", "that", "through", "to", "together", "up", "was", "were"),
        *("which", "who", "with"),
    ]
)
_UNLIKE_NOUNS = frozenset(["coming", "going", "passing", "leaving", "entering", "being", "getting"])
_IRREGULAR = frozenset(
    [
        *("bought", "brought", "caught", "cut", "driven", "eaten", "fallen", "given", "gone", "held", "hit"),
        *("kept", "laid", "left", "lost", "made", "put", "sent", "set", "shown", "shut", "sold", "taken"),
        *("thrown", "torn", "won", "worn"),
    ]
)
# Nouns that are no things: what follows them says what happens.
_HAPPENINGS = frozenset(
    ["changes", "cycles", "episodes", "moments", "rounds", "stays", "times", "trips", "turns", "visits"]
)
ANYTHING = "things"
_SHORT = 4  # letters: beds and sheds are no deeds


@dataclass(frozen=True, slots=True)
class Phrase:
    """`deed` is empty where only a thing is named."""

    subject: str
    deed: str = ""

    @property
    def generic(self) -> str:
        """What is done, whoever does it or has it done to them."""
        return f"{ANYTHING} {self.deed}" if self.deed else self.subject


def parse(description: str) -> Phrase:
    """The subject ends before the first verb form or preposition: mugs | packed into the box.

    "Times the box was closed" and "swings of the pendulum" name an event by a noun: all of it is the subject.
    """
    words = [(match[0].strip(".,;:!?()").lower(), match.start()) for match in _WORD.finditer(description)]
    if words and words[0][0] in _HAPPENINGS:
        return Phrase(description)
    for place, (word, start) in enumerate(words):
        following = words[place + 1][0] if place + 1 < len(words) else ""
        if place and _begins_deed(word, following):
            return Phrase(description[:start].strip(), description[start:].strip())
    return Phrase(description)


def _begins_deed(word: str, following: str) -> bool:
    """A verb form before a noun only describes it: the striped mugs."""
    if word in PLAIN:
        return word in _LEADING
    is_verb = word in _IRREGULAR or word in _UNLIKE_NOUNS or (word.endswith("ed") and len(word) > _SHORT)
    return is_verb and (not following or following in PLAIN)
