"""What `folds` and `parts` share: the data of the compact model's recipe, and its event head learned anew."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from stamina_video.runtime import Model
from stamina_video.semantics import InvalidInput
from stamina_video.training.experiments.ground import Ground
from stamina_video.training.experiments.rereading import Material, Rereading
from stamina_video.training.gathering import Crew, gather
from stamina_video.training.recipe import Recipe
from stamina_video.training.recipes import nano

FOLDER = "reread"


@dataclass(frozen=True, slots=True)
class Reread:
    """Heads that the ground's model would have, had it learned events from other data."""

    ground: Ground
    rereading: Rereading

    @classmethod
    def of(cls, ground: Ground) -> "Reread":
        return cls(ground, Rereading(ground.model, _recipe(ground), ground.cache / FOLDER))

    def material(self, folders: Collection[Path], without: Collection[str] = ()) -> Material:
        """Everything the recipe's run learns from, filmed where it is missing."""

        def tell(what: str, done: int, of: int) -> None:
            self.ground.say(f"{what}: {done + 1} of {of}")

        crew = Crew(self.ground.eyes, tell)
        recipe, run, extent = self.rereading.recipe, self.ground.cache, self.ground.extent
        found = gather(recipe, list(folders), run, self.rereading.seed, crew, extent.scenes, without)
        return Material(found.learned, found.others, found.draws)

    def model(self, material: Material, name: str) -> Model:
        """The ground's model with another event head."""
        heads = self.rereading(material)
        self.ground.say(f"events learned: {name}")
        return Model(name, self.ground.model.backbone, heads)


def needed(ground: Ground) -> tuple[Path, ...]:
    if not ground.data:
        raise InvalidInput("expected --data with clips that the model learned from, got none")
    return ground.data


def _recipe(ground: Ground) -> Recipe:
    recipe, updates = nano(), ground.extent.rereading
    assert recipe.rereading is not None, "nano learns events from a decoder that rests"
    return (
        recipe if updates is None else replace(recipe, rereading=replace(recipe.rereading, updates=updates))
    )
