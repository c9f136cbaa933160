"""What a language decoder is asked. The benchmarks' own wording can be given instead of ours.

The default wording asks for the same form of answer as the benchmarks do. To run under their exact words,
pass a JSON object of templates by name, with the same fields in braces.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from string import Formatter

from stamina_video.evaluation.ovobench import Decision, Reply
from stamina_video.evaluation.ovos import Query
from stamina_video.semantics import InvalidInput
from stamina_video.semantics.files import json_document

TEMPLATES = {
    "choice": (
        "{question}\n{options}\nReply with the letter of the one option that is right, and with nothing else."
    ),
    "REC": (
        "People in this video may repeat an action: {activity}. "
        "How many times has it been completed up to now, by everybody together?\n"
        "Reply with one number, and with nothing else."
    ),
    "SSR": (
        "The video shows a task with several steps. One of them is: {step}\n"
        "Is this step being carried out right now? Reply Yes or No, and nothing else."
    ),
    "CRR": (
        "{question}\n"
        "Has the video shown enough by now, its latest frames above all, to answer this? "
        "Reply Yes or No, and nothing else."
    ),
    "spatial": (
        "{question}\n{options}\n"
        "Judge by the video up to this moment. Reply with the letter of the one option that is right, "
        "and with nothing else."
    ),
    "pictures": "The pictures after the video are the options {labels}, in this order.",
}


@dataclass(frozen=True, slots=True)
class Prompts:
    """Templates by name; those not given keep our wording."""

    templates: Mapping[str, str] = field(default_factory=lambda: TEMPLATES)

    @classmethod
    def read(cls, path: str | Path) -> "Prompts":
        given = json_document(Path(path))
        if not isinstance(given, dict):
            raise InvalidInput(f"{path}: expected an object of templates, got {type(given).__name__}")
        for name, template in given.items():
            _check(name, template, str(path))
        return cls(TEMPLATES | given)

    def for_decision(self, decision: Decision) -> str:
        name = "choice" if decision.reply is Reply.CHOICE else decision.task
        return self.templates[name].format_map(decision.words)

    def for_query(self, query: Query) -> str:
        options = "\n".join(f"{label}. {words}" for label, words in query.options.items())
        asked = self.templates["spatial"].format(question=query.question, options=options)
        if not query.pictures:
            return asked
        labels = ", ".join(picture.label for picture in query.pictures)
        return f"{asked}\n{self.templates['pictures'].format(labels=labels)}"


def _check(name: str, template: object, where: str) -> None:
    if name not in TEMPLATES:
        raise InvalidInput(f"{where}: expected a template name ({', '.join(TEMPLATES)}), got {name!r}")
    if not isinstance(template, str) or _fields(template) != _fields(TEMPLATES[name]):
        wanted = ", ".join(f"{{{one}}}" for one in sorted(_fields(TEMPLATES[name])))
        raise InvalidInput(f"{where}: expected a template {name!r} with {wanted}, got {template!r}")


def _fields(template: str) -> set[str]:
    try:
        return {name for _, name, _, _ in Formatter().parse(template) if name is not None}
    except ValueError:
        return {template}  # a lone brace: not a template at all
