"""The runs there are, each a function; a control is the run it controls with one line changed."""

from collections.abc import Callable
from dataclasses import replace

from stamina_video.semantics import InvalidInput
from stamina_video.training.recipe import Opening, Recipe, Resting, Seeing, Supervision, World
from stamina_video.transitions import LossWeights


def tiny() -> Recipe:
    """A random Qwen3-VL of a few thousand parameters: every stage, in seconds."""
    return Recipe("tiny", model="tiny", warm_up=2, epochs=1, batch=2)


def nano() -> Recipe:
    """The compact model, on scenes it films for itself; why it departs from the table: docs/decisions.md."""
    return Recipe(
        "nano",
        model="nano",
        warm_up=0,
        epochs=0,  # the association rests: what simulated people teach about who is whom misleads
        batch=2,
        clip=5.0,
        saved_every=50,
        judged_every=250,
        rise=20,
        eyes=Opening(),
        # Which things fit is left to the informed start: what scenes teach about it does not carry over.
        seeing=Seeing(
            160, batch=8, rate=5e-4, clip=2.0, weights=LossWeights(path=1.0, object=0.0, boundary=3.0)
        ),
        # From what is felt and gathered alone, and from counts alone: means and moments are learned by heart.
        rereading=Resting(
            600, batch=16, rate=3e-3, weights=LossWeights(path=1.0, boundary=0.0), mixed=0.3, blind=1.0
        ),
        words_faster=20.0,  # the text of a target is half as long as one, over 384 numbers: each is small
        pulses_faster=5.0,  # they begin at zero and say little each
        patient=True,  # when something happened is less sure than that it did
        lingers=0.5,  # the eyes blink: who is missed for one look or two has not left
        world=World(),
    )


def qwen_4b() -> Recipe:
    return Recipe("qwen_4b", model="4b")


def qwen_8b() -> Recipe:
    return Recipe("qwen_8b", model="8b")


def counting_sft() -> Recipe:
    """The adaptation everybody does: answers in words, no memory, no typed state."""
    return replace(qwen_8b(), name="counting_sft", memory=False, state=False)


def phase_off(base: Recipe) -> Recipe:
    return replace(base, phase_input=False)


def mean_loss(base: Recipe) -> Recipe:
    return replace(base, mean_loss=True)


def phase_off_mean_loss(base: Recipe) -> Recipe:
    return replace(base, phase_input=False, mean_loss=True)


def no_identity(base: Recipe) -> Recipe:
    return replace(base, weights=replace(base.weights, identity=0.0))


def no_boundary(base: Recipe) -> Recipe:
    return replace(base, weights=replace(base.weights, boundary=0.0))


def no_fsm(base: Recipe) -> Recipe:
    return replace(base, fsm=False)


def no_memory(base: Recipe) -> Recipe:
    """Counting-SFT and explicit state."""
    return replace(base, memory=False)


def no_state(base: Recipe) -> Recipe:
    """Counting-SFT and delta memory; on general video QA, the control of the data."""
    return replace(base, state=False)


def channel_wise(base: Recipe) -> Recipe:
    return replace(base, channel_wise=True)


def single_query(base: Recipe) -> Recipe:
    return replace(base, supervision=Supervision.SINGLE)


def unfiltered(base: Recipe) -> Recipe:
    return replace(base, supervision=Supervision.UNFILTERED)


def shuffled(base: Recipe) -> Recipe:
    return replace(base, supervision=Supervision.SHUFFLED)


RUNS: dict[str, Callable[[], Recipe]] = {
    run.__name__: run for run in (tiny, nano, qwen_4b, qwen_8b, counting_sft)
}
CONTROLS: dict[str, Callable[[Recipe], Recipe]] = {
    control.__name__: control
    for control in (
        phase_off,
        mean_loss,
        phase_off_mean_loss,
        no_identity,
        no_boundary,
        no_fsm,
        no_memory,
        no_state,
        channel_wise,
        single_query,
        unfiltered,
        shuffled,
    )
}

ROLLED_OUT = ("no_identity",)  # controls of what joint training alone teaches


def recipe(name: str) -> Recipe:
    """A run by its name, or a control as `run:control`, such as `nano:phase_off`."""
    run, _, control = name.partition(":")
    if run not in RUNS or (control and control not in CONTROLS):
        known = f"{', '.join(RUNS)}; controls {', '.join(CONTROLS)}"
        raise InvalidInput(f"expected a recipe as RUN or RUN:CONTROL ({known}), got {name!r}")
    made = RUNS[run]()
    if control in ROLLED_OUT and not made.epochs:
        raise InvalidInput(f"expected a run with joint training to control by {control}, got {run}")
    return replace(CONTROLS[control](made), name=name) if control else made
