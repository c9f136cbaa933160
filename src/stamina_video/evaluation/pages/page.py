"""From templates to one file. Whatever a template is given as a plain string is escaped."""

import base64
import hashlib
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from stamina_video.evaluation.tables import metric_name

TEMPLATES = Path(__file__).parent / "templates"


def render(template: str, **values: object) -> str:
    """The whole page. Its own policy lets it load nothing and run no script but its own."""
    script, style = _part("page.js"), _part("style.css")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        _environment()
        .get_template(template)
        .render(script=Markup(script), script_digest=digest, style=Markup(style), **values)
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["metric"] = metric_name
    return environment


def _part(name: str) -> str:
    return (TEMPLATES / name).read_text("utf-8")
