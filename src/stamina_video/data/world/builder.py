"""Collects the parts of a scene while a family stages it, and hands out entity ids."""

from collections.abc import Sequence

from stamina_video.data.world.body import Body, Entity, Fixed, Rig, Rigid, Shape
from stamina_video.data.world.camera import Camera, Light, Sensor
from stamina_video.data.world.counted import Counted, object_targets
from stamina_video.data.world.dice import Dice
from stamina_video.data.world.kinds import KINDS
from stamina_video.data.world.motion import Path, Track, still
from stamina_video.data.world.palette import PAINTS, PATTERNS, colours, varied
from stamina_video.data.world.scene import Scene
from stamina_video.data.world.script import Occurrence
from stamina_video.data.world.space import IDENTITY, Matrix
from stamina_video.data.world.texture import scale

_LOOKS_STREAM = 1_000_039
FIRST_LANDMARK = -1000
# How strong key, sky and fill are beside the room's own: as they are, sun, an overcast sky, one lamp.
WEATHERS = ((1.0, 1.0, 1.0), (1.0, 1.0, 1.0), (1.6, 0.8, 1.0), (0.3, 2.0, 1.0), (1.5, 0.35, 0.4))


class Prop:
    """A thing being staged: its entity, its looks, and the path it will take."""

    def __init__(
        self, entity: Entity, shapes: tuple[Shape, ...], height: float, start: float, pose: Sequence[float]
    ) -> None:
        self.entity, self.shapes, self.height = entity, shapes, height
        self.path = Path(start, pose)

    def body(self) -> Body:
        return Body(self.shapes, Rigid(self.path.track(), len(self.shapes)), self.entity)


class Builder:
    """One scene in the making. Every random choice comes from its dice."""

    def __init__(self, family: str, seed: int, split: str, seconds: float, number: int) -> None:
        self.family, self.seed, self.split, self.seconds = family, seed, split, seconds
        self.dice = Dice(seed, number, int(split == "unseen"))
        # What changes looks alone has a stream of its own: pictures may improve while truth stays as it was.
        self.looks = Dice(seed, number, int(split == "unseen"), _LOOKS_STREAM)
        self.script: list[Occurrence] = []
        self.twins: set[str] = set()
        self._bodies: list[Body] = []
        self._props: list[Prop] = []
        self._entities: list[Entity] = []
        self._landmarks = 0

    def entity(self, kind: str, colour: str = "", pattern: str = "plain") -> Entity:
        self._entities.append(Entity(len(self._entities), kind, colour, pattern))
        return self._entities[-1]

    def colour(self) -> str:
        return self.dice.pick(colours(self.split))

    def loose(
        self, kind: str, colour: str | None = None, pattern: str | None = None
    ) -> tuple[Entity, tuple[Shape, ...]]:
        """A new individual of a kind and its looks, not yet placed."""
        colour, pattern = colour or self.colour(), pattern or self.dice.pick(PATTERNS)
        shapes = KINDS[kind].build(self.dice, varied(self.dice, PAINTS[colour], 0.03), pattern)
        return self.entity(kind, colour, pattern), shapes

    def look_alike(self, entity: Entity) -> Entity:
        """Another individual that nobody could tell from this one."""
        self.twins.add("look-alike")
        return self.entity(entity.kind, entity.colour, entity.pattern)

    def prop(self, kind: str, pose: Sequence[float], start: float = -60.0) -> Prop:
        """A thing that may be moved; it stays where it is until its path says otherwise."""
        entity, shapes = self.loose(kind)
        return self._keep(Prop(entity, shapes, KINDS[kind].height, start, pose))

    def twin(self, prop: Prop, pose: Sequence[float], start: float = -60.0) -> Prop:
        return self._keep(Prop(self.look_alike(prop.entity), prop.shapes, prop.height, start, pose))

    def _keep(self, prop: Prop) -> Prop:
        self._props.append(prop)
        return prop

    def add(self, shapes: tuple[Shape, ...], rig: Rig, entity: Entity | None = None) -> None:
        self._bodies.append(Body(shapes, rig, entity))

    def landmark(self, kind: str) -> Entity:
        """Something that stays where it is and is counted nowhere; its numbers are no entity's."""
        self._landmarks += 1
        return Entity(FIRST_LANDMARK - self._landmarks, kind)

    def fix(self, *shapes: Shape, at: Matrix = IDENTITY, landmark: Entity | None = None) -> None:
        self._bodies.append(Body(shapes, Fixed((at,) * len(shapes)), landmark=landmark))

    def happened(
        self,
        event: str,
        subject: int,
        start: float | None,
        completion: float | None,
        reset: float | None = None,
    ) -> None:
        self.script.append(Occurrence(event, subject, start, completion, reset))

    def light(self, exposure: Track | None = None) -> Light:
        """A room's light: warm or cool, high or low, hard or dim."""
        dice = self.dice
        warm, power = dice.between(-0.1, 0.14), dice.between(0.75, 1.35)
        towards = (dice.between(-0.9, 0.9), dice.between(-1.0, -0.1), dice.between(0.9, 1.6))
        key = (power * (1 + warm), power, power * (1 - warm))
        room = dice.between(0.3, 0.55)
        direct, scattered, filled = self.looks.pick(WEATHERS)
        return Light(
            towards,
            scale(key, direct),
            scale((room * (1 - warm / 2), room, room * (1 + warm / 2)), scattered),
            scale((room * 0.5, room * 0.44, room * 0.38), scattered),
            scale((0.15, 0.15, 0.17), filled),
            exposure or self._drifting(),
        )

    def _drifting(self) -> Track:
        """Exposure that wanders a little, and in some scenes dims or brightens as a cloud would."""
        path = Path(0.0, (self.dice.between(0.85, 1.15),))
        while path.now < self.seconds:
            path.to((self.dice.between(0.7, 1.25),), self.dice.between(3.0, 9.0))
        return path.track() if self.dice.chance(0.5) else still(*path.here)

    def sensor(self) -> Sensor:
        noise, softness = self.dice.between(0.8, 4.5), self.dice.between(0.0, 0.5)
        vignette, looks = self.dice.between(0.1, 0.8), self.looks
        warm, green = looks.between(-0.1, 0.1), looks.between(-0.05, 0.05)
        return Sensor(
            noise,
            softness + looks.between(0.0, 0.3),
            vignette,
            gain=looks.between(0.5, 1.5),
            shutter=looks.pick((0.0, 0.01, 0.02, 0.033)),
            saturation=looks.between(0.4, 1.15),
            contrast=looks.between(-0.1, 0.8),
            lift=looks.between(0.0, 0.06),
            tint=(1 + warm, 1 + green, 1 - warm),
        )

    def phases(self) -> tuple[float, ...]:
        return tuple(self.dice.between(0, 1) for _ in range(6))

    def scene(
        self, camera: Camera, light: Light, events: Sequence[Counted], aspect: float | None = None
    ) -> Scene:
        """The finished scene. Targets nobody ever sees are left in: their count is zero, which is a count."""
        if any(
            o.start is not None and o.completion is not None and o.start < 0 < o.completion
            for o in self.script
        ):
            self.twins.add("under way")
        bodies = (*self._bodies, *(prop.body() for prop in self._props))
        script = tuple(
            sorted(
                self.script,
                key=lambda o: (o.completion if o.completion is not None else self.seconds, o.subject),
            )
        )
        return Scene(
            self.family,
            self.seed,
            self.split,
            self.seconds,
            aspect or self.dice.pick((4 / 3, 4 / 3, 16 / 9, 1.0)),
            bodies,
            camera,
            light,
            self.sensor(),
            script,
            (*object_targets(self.dice, self._entities), *events),
            frozenset(self.twins),
        )
