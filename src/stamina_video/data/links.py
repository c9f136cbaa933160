"""What ties one trajectory's supervision to another's: shared names that make them one family.

Two trajectories are linked if they have one of these strings in common. Names hold within a parent, so
every crop, speed and operator of the same thing meets here; linking too much costs data, too little leaks.
"""

import re
from collections.abc import Iterator

from stamina_video.data.trajectory import Trajectory
from stamina_video.semantics import Role

RESOLUTION = 0.25  # seconds of the parent's time within which two completions are the same physical event

_WORD = re.compile(r"[^\W_]+")
# Words that say which, how or when, but not what: sharing them makes nothing the same.
_SECONDARY = frozenset(
    _WORD.findall(
        """
        a an the of in on at to into onto from by with without for and or that which who is are was were be
        been being has have had so far this these those it its one two any some each every other another
        different distinct new visible seen appeared completed complete time times left right small large
        big little long short tall old young red green blue yellow orange purple pink brown black white grey
        gray silver golden gold beige teal cyan magenta dark light bright plain striped dotted wooden metal
        plastic glass picture scene video frame camera
        """
    )
)
_SPECIAL = {"people": "person", "men": "man", "women": "woman", "children": "child", "feet": "foot"}


def links_of(trajectory: Trajectory) -> list[str]:
    """Sorted and each once; a link begins with a name of the video in which it holds."""
    return sorted(f"{home}\t{name}" for home in homes_of(trajectory) for name in set(_names(trajectory)))


def homes_of(trajectory: Trajectory) -> set[str]:
    """Every name of the video: its own, its content's, its ancestors'."""
    return {trajectory.parent, trajectory.media.sha256, *trajectory.provenance.ancestors} - {""}


def _names(trajectory: Trajectory) -> Iterator[str]:
    for wording in (trajectory.target.description, *trajectory.aliases, *trajectory.possible_aliases):
        yield from (f"word {word}" for word in content_words(wording))
    yield from trajectory.entities
    yield from (track.identity for track in trajectory.tracks)
    yield f"trajectory {trajectory.id}"
    if trajectory.provenance.derived_from:
        yield f"trajectory {trajectory.provenance.derived_from}"
    yield from _events(trajectory)


def _events(trajectory: Trajectory) -> Iterator[str]:
    """Completions in the parent's time, in two overlapping grids so that near neighbours always meet."""
    for mark in trajectory.marks:
        if mark.edge.role is Role.COMPLETE:
            at = trajectory.frame_map.source_time(min(mark.time, trajectory.frame_map.duration))
            yield f"{mark.subject} completes in {int(at / RESOLUTION)}"
            yield f"{mark.subject} completes about {int(at / RESOLUTION + 0.5)}"


def content_words(wording: str) -> set[str]:
    """What a wording is about, in the singular; all its words where none is telling."""
    words = _WORD.findall(wording.casefold())
    return {singular(word) for word in words if word not in _SECONDARY} or {singular(word) for word in words}


def singular(word: str) -> str:
    """A word without its plural: enough to match, not meant to be read."""
    if word in _SPECIAL:
        return _SPECIAL[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
