"""The names that things are counted by: a fixed list, other words for each, and which of them words mean."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stamina_video.backbone.text import TextEncoder

# N names and two more columns, V words of a detector, K things

Floats = NDArray[np.float32]

SOMETHING, NOTHING = "something", "nothing"  # a thing without a name of the list; no thing at all
SHARP = 0.06  # cosines this much apart weigh e to one
FAMILIAR = 0.68  # cosine with the nearest phrase above which a word is known …
DOUBT = 0.04  # … within this much
PART = 0.97  # of a part of a description, beside the whole of it
LONGEST_PART = 2  # words
# Words that stand beside nouns and are none.
PLAIN = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "at",
        "back",
        "been",
        "being",
        "by",
        "down",
        "far",
        "for",
        "from",
        "has",
        "have",
        "here",
        "how",
        "in",
        "into",
        "is",
        "it",
        "its",
        "many",
        "new",
        "now",
        "of",
        "off",
        "on",
        "once",
        "one",
        "onto",
        "or",
        "out",
        "over",
        "so",
        "some",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "through",
        "times",
        "to",
        "together",
        "up",
        "was",
        "were",
        "which",
        "who",
        "with",
    ]
)

WORDS: Mapping[str, tuple[str, ...]] = {
    "person": ("people", "persons", "men and women"),
    "bicycle": ("bicycles", "bikes"),
    "car": ("cars", "vehicles", "automobiles"),
    "motorcycle": ("motorcycles", "motorbikes"),
    "airplane": ("aeroplanes", "planes", "aircraft"),
    "bus": ("buses", "coaches"),
    "train": ("trains", "railway carriages"),
    "truck": ("trucks", "lorries"),
    "boat": ("boats", "ships"),
    "traffic light": ("traffic lights", "stop lights"),
    "fire hydrant": ("fire hydrants", "hydrants"),
    "stop sign": ("stop signs",),
    "parking meter": ("parking meters",),
    "bench": ("benches", "park benches"),
    "bird": ("birds",),
    "cat": ("cats", "kittens"),
    "dog": ("dogs", "puppies"),
    "horse": ("horses", "ponies"),
    "sheep": ("sheep", "lambs"),
    "cow": ("cows", "cattle"),
    "elephant": ("elephants",),
    "bear": ("bears",),
    "zebra": ("zebras",),
    "giraffe": ("giraffes",),
    "backpack": ("backpacks", "rucksacks"),
    "umbrella": ("umbrellas", "parasols"),
    "handbag": ("handbags", "purses"),
    "tie": ("ties", "neckties"),
    "suitcase": ("suitcases", "pieces of luggage"),
    "frisbee": ("frisbees", "flying discs"),
    "skis": ("skis",),
    "snowboard": ("snowboards",),
    "sports ball": ("balls", "footballs", "toy balls"),
    "kite": ("kites",),
    "baseball bat": ("baseball bats",),
    "baseball glove": ("baseball gloves",),
    "skateboard": ("skateboards",),
    "surfboard": ("surfboards",),
    "tennis racket": ("tennis rackets", "rackets"),
    "bottle": ("bottles", "drink bottles", "flasks"),
    "wine glass": ("wine glasses", "glasses of wine"),
    "cup": ("cups", "mugs", "coffee mugs"),
    "fork": ("forks",),
    "knife": ("knives",),
    "spoon": ("spoons",),
    "bowl": ("bowls", "dishes"),
    "banana": ("bananas",),
    "apple": ("apples", "pieces of fruit"),
    "sandwich": ("sandwiches",),
    "orange": ("oranges",),
    "broccoli": ("heads of broccoli",),
    "carrot": ("carrots",),
    "hot dog": ("hot dogs", "sausages"),
    "pizza": ("pizzas",),
    "donut": ("donuts", "ring-shaped cakes"),
    "cake": ("cakes",),
    "chair": ("chairs", "seats"),
    "couch": ("sofas", "couches"),
    "potted plant": ("potted plants", "plants", "house plants"),
    "bed": ("beds",),
    "dining table": ("tables", "dining tables"),
    "toilet": ("toilets",),
    "tv": ("televisions", "screens", "monitors"),
    "laptop": ("laptops", "notebook computers"),
    "mouse": ("computer mice",),
    "remote": ("remote controls", "remotes"),
    "keyboard": ("keyboards",),
    "cell phone": ("phones", "mobile phones", "cell phones"),
    "microwave": ("microwaves", "microwave ovens"),
    "oven": ("ovens", "cookers"),
    "toaster": ("toasters",),
    "sink": ("sinks", "washbasins"),
    "refrigerator": ("refrigerators", "fridges"),
    "book": ("books", "volumes"),
    "clock": ("clocks",),
    "vase": ("vases", "flower vases"),
    "scissors": ("pairs of scissors",),
    "teddy bear": ("teddy bears", "soft toys"),
    "hair drier": ("hair driers",),
    "toothbrush": ("toothbrushes",),
    # No classes of the detector's: learned.
    "box": ("boxes", "cardboard boxes", "cartons"),
    "doorway": ("doorways", "door frames"),
    "scanner": ("scanners", "scanner gates"),
    "shelf": ("shelves", "shelf units"),
}
LANDMARKS = ("doorway", "scanner", "shelf")  # what things pass, enter or stand on


@dataclass(frozen=True)
class Names:
    """A list of names with the phrases for each; the last two columns are something and nothing."""

    text: TextEncoder
    words: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: WORDS)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return (*self.words, SOMETHING, NOTHING)

    @property
    def width(self) -> int:
        return len(self.columns)

    def asked(self, description: str) -> Floats:
        """How much each name is meant, in all one; what no name comes near to is something."""
        nearest_N = self._nearest(description)
        best = float(nearest_N.max())
        shares_N = np.exp((nearest_N - best) / SHARP)
        known = 1 / (1 + np.exp((FAMILIAR - best) / DOUBT))
        asked = np.concatenate([known * shares_N / shares_N.sum(), [1 - known, 0.0]])
        return np.asarray(asked, np.float32)

    def told(self, vocabulary: Sequence[str], labels_KV: Floats) -> Floats:
        """What a detector says, in the columns of the list: (K, N + 2). Words that are none of its names are
        shared out by what they mean."""
        if tuple(vocabulary) == self.columns:
            return labels_KV
        meant_VN = np.array([self._meant(word) for word in vocabulary], np.float32).reshape(-1, self.width)
        told_KN = labels_KV @ meant_VN
        told_KN[:, -1] = np.maximum(1 - labels_KV.max(axis=1, initial=0), 0)
        return np.asarray(told_KN, np.float32)

    def _meant(self, word: str) -> Floats:
        if word in self.words:
            return np.array([word == name for name in self.columns], np.float32)
        return self.asked(word)

    def _nearest(self, description: str) -> NDArray[np.float64]:
        """The cosine of each name's nearest phrase with the description or a part of it."""
        texts = [description, *_parts(description)]
        cosines_XP = self.text.encode(texts).astype(np.float64) @ self._phrases_PS.T
        cosines_XP[1:] *= PART
        return np.maximum.reduceat(cosines_XP.max(axis=0), self._starts)

    @cached_property
    def _phrases_PS(self) -> Floats:
        return self.text.encode([phrase for name, more in self.words.items() for phrase in (name, *more)])

    @cached_property
    def _starts(self) -> NDArray[np.intp]:
        sizes = [1 + len(more) for more in self.words.values()]
        return np.cumsum([0, *sizes[:-1]])


def _parts(description: str) -> list[str]:
    """Words that may be nouns, and pairs of neighbours."""
    words = re.findall(r"[^\W\d_]+(?:[-'][^\W\d_]+)*", description.lower())
    if len(words) < 2:
        return []
    runs = [
        words[first : first + length]
        for length in range(1, LONGEST_PART + 1)
        for first in range(len(words) - length + 1)
    ]
    return [" ".join(run) for run in runs if not PLAIN.intersection(run)]
