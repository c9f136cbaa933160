"""Who is visible: accepted identities by id, unresolved candidates by number."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VisibleSet:
    """The set V of the paper; its length is the visible count N."""

    identities: tuple[int, ...] = ()  # ascending
    unresolved: int = 0

    def __len__(self) -> int:
        return len(self.identities) + self.unresolved


@dataclass(frozen=True, slots=True)
class Turnover:
    """The fewest entries and exits that lead from one visible set to the next."""

    entered: tuple[int, ...]
    left: tuple[int, ...]
    unresolved_entered: int
    unresolved_left: int


def turnover(before: VisibleSet, after: VisibleSet) -> Turnover:
    """Resolving is not moving: an unresolved candidate that gains or loses its identity stays visible.

    Unresolved candidates have no identity to follow, so places that vanish among them are taken by
    identities that appear, and places that appear are taken by identities that vanish, oldest first.
    """
    entered = tuple(identity for identity in after.identities if identity not in before.identities)
    left = tuple(identity for identity in before.identities if identity not in after.identities)
    resolved = min(len(entered), max(before.unresolved - after.unresolved, 0))
    blurred = min(len(left), max(after.unresolved - before.unresolved, 0))
    return Turnover(
        entered[resolved:],
        left[blurred:],
        max(after.unresolved - before.unresolved - blurred, 0),
        max(before.unresolved - after.unresolved - resolved, 0),
    )
