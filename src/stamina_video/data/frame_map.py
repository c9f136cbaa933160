"""Which moment of its source each moment of a segment shows. Knows nothing of counts."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from stamina_video.semantics import InvalidInput, seconds

JOIN = 1e-6  # seconds within which two pieces adjoin: times come from files with six decimals at best


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time in seconds."""

    start: float
    end: float

    def __post_init__(self) -> None:
        if not seconds(self.start, "a span's start") <= seconds(self.end, "a span's end"):
            raise InvalidInput(f"expected a span that ends after it starts, got {self.start} to {self.end}")

    @property
    def length(self) -> float:
        return self.end - self.start

    def holds(self, other: "Span") -> bool:
        return self.start - JOIN <= other.start and other.end <= self.end + JOIN


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a segment and the stretch of its source it shows.

    Equal source times stand still; a source end before its start plays backwards.
    """

    start: float
    end: float
    source_start: float
    source_end: float

    @property
    def speed(self) -> float:
        """Source seconds per second shown; negative backwards, zero at rest."""
        return (self.source_end - self.source_start) / (self.end - self.start)

    @property
    def shows(self) -> Span:
        return Span(min(self.source_start, self.source_end), max(self.source_start, self.source_end))

    def to_source(self, at: float) -> float:
        shows = self.shows
        # Held to the piece: a rounding error must not show a moment before the source begins.
        return min(max(self.source_start + (at - self.start) * self.speed, shows.start), shows.end)

    def from_source(self, source: float) -> float:
        assert self.speed, "a piece at rest has no inverse"
        return min(max(self.start + (source - self.source_start) / self.speed, self.start), self.end)


@dataclass(frozen=True, slots=True)
class FrameMap:
    """Adjoining pieces from zero to the segment's end."""

    pieces: tuple[Piece, ...]

    def __post_init__(self) -> None:
        if not self.pieces:
            raise InvalidInput("expected a frame map of at least one piece, got none")
        for piece in self.pieces:
            for time in (piece.start, piece.end, piece.source_start, piece.source_end):
                seconds(time, "a frame map's time")
            if piece.end <= piece.start:
                raise InvalidInput(f"expected pieces that last, got {piece.start} to {piece.end}")
        if self.pieces[0].start != 0 or any(
            abs(left.end - right.start) > JOIN for left, right in pairwise(self.pieces)
        ):
            raise InvalidInput("expected a frame map's pieces to adjoin from zero, got a gap or an overlap")

    @classmethod
    def whole(cls, duration: float) -> "FrameMap":
        """The source itself, from its start."""
        return cls((Piece(0.0, duration, 0.0, duration),))

    @property
    def duration(self) -> float:
        return self.pieces[-1].end

    @property
    def is_whole(self) -> bool:
        """Whether a time here is the same time in the source."""
        return all(
            piece.source_start == piece.start and piece.source_end == piece.end for piece in self.pieces
        )

    @property
    def shows(self) -> Span:
        """The stretch of the source this map draws on."""
        spans = [piece.shows for piece in self.pieces]
        return Span(min(span.start for span in spans), max(span.end for span in spans))

    def source_time(self, at: float) -> float:
        """The source moment shown at a time; at a joint, what the earlier piece ends with."""
        return self._piece_at(at).to_source(at)

    def source_frames(self, rate: float, source_rate: float) -> list[int]:
        """The source frame that each frame of the segment shows, at constant rates."""
        frames = max(round(self.duration * rate), 1)
        # A frame stands for the middle of its time: no rounding decides between two neighbours.
        return [int(self.source_time((index + 0.5) / rate) * source_rate) for index in range(frames)]

    def then(self, edit: "FrameMap") -> "FrameMap":
        """The map of a segment cut from this one by `edit`: both read in order."""
        pieces: list[Piece] = []
        for outer in edit.pieces:
            for start, end, source in self._parts(outer):
                pieces.append(Piece(start, end, *source))
        return FrameMap(tuple(pieces))

    def _parts(self, outer: Piece) -> Iterator[tuple[float, float, tuple[float, float]]]:
        if not outer.speed:
            still = self.source_time(outer.source_start)
            yield outer.start, outer.end, (still, still)
            return
        shown = outer.shows
        inner = [piece for piece in self.pieces if piece.start < shown.end and shown.start < piece.end]
        for piece in inner if outer.speed > 0 else reversed(inner):
            low, high = max(piece.start, shown.start), min(piece.end, shown.end)
            first, last = (low, high) if outer.speed > 0 else (high, low)
            start, end = outer.from_source(first), outer.from_source(last)
            if end > start:
                yield start, end, (piece.to_source(first), piece.to_source(last))

    def _piece_at(self, at: float) -> Piece:
        if not 0 <= at <= self.duration + JOIN:
            raise InvalidInput(f"expected a time from 0 to {self.duration:g} s, got {at:g}")
        return next((piece for piece in self.pieces if at <= piece.end), self.pieces[-1])
