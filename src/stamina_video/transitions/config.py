"""The sizes and thresholds of the decision, with the paper's defaults (its configuration table)."""

from dataclasses import dataclass

from stamina_video.semantics import MAX_SLOTS, InvalidInput, Operator, Role

EVENT_OPERATORS = tuple(operator for operator in Operator if operator.is_event)
ROLES = tuple(Role)
# What the exact sums of the assignment hold.
MOST_QUERIES, MOST_SHORTLISTED = 128, 64
LONGEST_LINGERING = 60  # seconds
MOST_PULSES = 1024


@dataclass(frozen=True, slots=True)
class HeadsConfig:
    """What every head needs to know; the two widths come from the backbone."""

    width: int  # of a visual vector, a candidate and a prototype
    target_width: int
    hidden: int = 256
    attention: int = 256
    queries: int = 32
    slots: int = MAX_SLOTS
    shortlist: int = 8
    visible_above: float = 0.5
    lingers: float = 0.0  # seconds for which an identity stays visible unseen; detectors blink
    duplicate_cosine: float = 0.95
    track_cosine: float = 0.5
    increment_above: float = 0.5
    phase_input: bool = True  # False is the "phase off" control: roles and legality stay
    patient: bool = False  # an edge is taken once it is likelier than not that it has been, not only now
    fsm: bool = True  # False is the "no FSM" control: independent increments, no graph
    pulses: int = 0  # numbers behind the mean visual vector that event heads read beside it
    gathered: int = 0  # columns of all candidates that event heads read beside the pulses,
    gathered_before: int = 0  # and how many columns follow them
    missed: int = 0  # so many columns ahead of them stands for how long each was not seen,
    forgiven: float = 0.0  # of which so much is as if seen: who has just gone is gathered, too
    worded: int = 0  # first numbers of a target's vector that say what it means, for a head with instincts
    evened: bool = False  # W_h has a measured factor that makes all changes of the mean equally loud

    def __post_init__(self) -> None:
        for name in ("width", "target_width", "hidden", "attention"):
            if getattr(self, name) < 1:
                raise InvalidInput(f"expected {name} from 1, got {getattr(self, name)}")
        self._check_range("queries", 1, MOST_QUERIES)
        self._check_range("shortlist", 1, MOST_SHORTLISTED)
        self._check_range("slots", 1, MAX_SLOTS)
        for name in ("visible_above", "increment_above"):
            self._check_range(name, 0, 1)
        for name in ("duplicate_cosine", "track_cosine"):
            self._check_range(name, -1, 1)
        self._check_range("pulses", 0, MOST_PULSES)
        self._check_range("lingers", 0, LONGEST_LINGERING)
        self._check_range("gathered_before", 0, self.width)
        self._check_range("gathered", 0, self.width - self.gathered_before)
        self._check_range("missed", 0, self.gathered_columns.start)
        self._check_range("forgiven", 0, 1)
        self._check_range("worded", 0, self.target_width)
        if self.worded and not self.pulses:
            raise InvalidInput("expected pulses for a head with instincts to react to, got none")

    @property
    def gathering(self) -> int:
        """Numbers that say how visible each candidate is, and what stands in its columns."""
        return self.queries * (1 + self.gathered) if self.gathered else 0

    @property
    def gathered_columns(self) -> slice:
        stop = self.width - self.gathered_before
        return slice(stop - self.gathered, stop)

    @property
    def missed_column(self) -> int | None:
        return self.gathered_columns.start - self.missed if self.missed else None

    def _check_range(self, name: str, least: int, most: int) -> None:
        if not least <= getattr(self, name) <= most:
            raise InvalidInput(f"expected {name} from {least} to {most}, got {getattr(self, name)}")
