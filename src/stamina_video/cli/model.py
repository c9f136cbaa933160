"""`stamina model`: what a full-size model adds to the released one, and what it needs to run and to train."""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from stamina_video.cli.output import Json, emit, show_table
from stamina_video.semantics import InvalidInput

app = typer.Typer(help="The full-size models.")


@app.callback()
def model() -> None:
    pass  # without it Typer would make the only command the application itself


@app.command("describe")
def describe_model(
    size: Annotated[str, typer.Argument(help="4b or 8b.")],
    gpus: Annotated[int, typer.Option(help="How many GPUs the bytes are shared by.")] = 1,
    as_json: Json = False,
) -> None:
    """Build a model without its weights and count its parameters and bytes."""
    document = _described(size, gpus)
    if as_json:
        emit(document)
        return
    rows = [(name.replace("_", " "), _readable(name, value)) for name, value in document.items()]
    show_table(f"{size}, in training and deployed; activations come on top", ("What", "Figure"), rows)


def _described(size: str, gpus: int) -> dict[str, Any]:
    # Imported here: the other commands start without a model library.
    import torch  # noqa: PLC0415

    from stamina_video.runtime.loading import RELEASED  # noqa: PLC0415
    from stamina_video.transitions import Heads, HeadsConfig  # noqa: PLC0415

    if size not in RELEASED:
        raise InvalidInput(f"expected a full-size model ({', '.join(RELEASED)}), got {size!r}")
    from stamina_video.backbone.qwen.config import QwenConfig  # noqa: PLC0415  # an extra
    from stamina_video.backbone.qwen.describe import describe  # noqa: PLC0415  # an extra
    from stamina_video.backbone.qwen.sizes import released_shape  # noqa: PLC0415  # an extra

    shape = released_shape(size)
    text: Any = shape.text_config
    with torch.device("meta"):
        heads = Heads(HeadsConfig(text.hidden_size, text.hidden_size))
    found = describe(shape, QwenConfig(), sum(part.numel() for part in heads.parameters()), gpus)
    return {
        "model": size,
        "base": RELEASED[size],
        **asdict(found),
        "added_parameters": found.added_parameters,
        "added_share": found.added_share,
        "trained_parameters": found.trained_parameters,
        "optimiser_bytes": found.optimiser_bytes,
        "deployed_bytes_per_gpu": found.deployed_bytes_per_gpu,
        "training_bytes_per_gpu": found.training_bytes_per_gpu,
    }


def _readable(name: str, value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2%}"
    if not isinstance(value, int):
        return str(value)
    return f"{value / 1e6:,.1f} MB" if "bytes" in name else f"{value:,}"
