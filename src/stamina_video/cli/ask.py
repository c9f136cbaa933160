"""`stamina ask`: an answer in words to any question about a video, as of any moment."""

from typing import Annotated

import typer

from stamina_video.cli.output import Json
from stamina_video.semantics import InvalidInput, seconds
from stamina_video.video import Recording, open_video


def ask(
    video: Annotated[
        str, typer.Argument(help="A file, a directory of images, a camera number, an rtsp or http address.")
    ],
    question: Annotated[str, typer.Argument(help='In words: "What is on the table?"')],
    model: Annotated[
        str, typer.Option(help="A model with a language decoder: 4b, 8b, a name on the hub, or a folder.")
    ],
    at: Annotated[
        list[float] | None, typer.Option(help="Answer as of this second. Repeatable; the end if left out.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Ask about a video in words. Counts are not asked for: `stamina count` commits and reads them."""
    if not question.strip():
        raise InvalidInput(f"expected a question in words, got {question!r}")
    moments = tuple(sorted({seconds(moment, "--at") for moment in at or ()}))
    with open_video(video, until=max(moments, default=None)) as opened:
        if not moments and not isinstance(opened.source, Recording):
            raise InvalidInput(f"expected --at for the live {opened.stream!r}, which has no end, got none")
        # Imported here: torch takes seconds to load, which other commands and refusals need not wait for.
        from stamina_video.cli.asking import run  # noqa: PLC0415

        run(opened, question, moments, model, as_json)
