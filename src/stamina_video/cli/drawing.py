"""Draws what is counted onto one picture: boxes, labels, a panel of counts, the clock."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import cycle
from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw, ImageFont

from stamina_video.cli.overlay import Box, Row, box_of, subject_of
from stamina_video.cli.plot import COLOURS

Picture = NDArray[np.uint8]

SHADE = (16, 18, 22, 210)  # behind words: legible on any picture
WORDS, QUIET, BRIGHT = "#ffffff", "#c3c8ce", "#ffd43b"


def draw(picture: Picture, rows: Sequence[Row], time: float) -> Picture:
    """A copy of the picture (RGB) with everything to be seen at this time."""
    image = Image.fromarray(picture)
    canvas = _Canvas(image)
    coloured = list(zip(rows, cycle(map(_lightened, COLOURS)), strict=False))
    for row, colour in coloured:
        _mark(canvas, row, colour)
    canvas.panel(coloured)
    canvas.clock(f"{time:.1f} s")
    return np.asarray(image)


def _mark(canvas: "_Canvas", row: Row, colour: str) -> None:
    """A box for everything visible; what has just been committed stands out, with its increment."""
    changes = {subject_of(commit): commit for commit in row.fresh}
    places = {place.subject: place for place in row.look.places}
    for place in row.look.places:
        if place.subject not in changes:
            canvas.box(place.box, colour, place.label)
    for subject, commit in changes.items():
        change = f"{commit.delta:+d}"
        if subject in places:
            canvas.box(places[subject].box, BRIGHT, f"{places[subject].label} {change}", bold=True)
        elif (box := box_of(commit)) is not None:
            canvas.box(box, BRIGHT, change, bold=True)


class _Canvas:
    """Sizes follow the picture's: what reads well on a phone clip reads well in 4K."""

    def __init__(self, image: Image.Image) -> None:
        self._width, self._height = image.size
        self._draw = ImageDraw.Draw(image, "RGBA")
        self._text = min(max(round(min(image.size) / 26), 10), 44)
        self._line = max(1, round(self._text / 9))
        self._pad = max(2, self._text // 3)

    def box(self, box: Box, colour: str, label: str, bold: bool = False) -> None:
        left, right = (round(x * (self._width - 1)) for x in box[::2])
        top, bottom = (round(y * (self._height - 1)) for y in box[1::2])
        self._draw.rectangle(
            (left, top, right, bottom), outline=colour, width=self._line * (2 if bold else 1)
        )
        font = _font(round(self._text * 0.85), bold=True)
        width, height = font.getlength(label) + self._pad, self._text + 2
        # Above the box, or inside it where the picture ends; never beyond the right edge.
        x = max(0, min(left, self._width - width))
        y = top - height if top >= height else top
        self._draw.rectangle((x, y, x + width, y + height), fill=colour)
        self._draw.text((x + self._pad / 2, y + height / 2), label, "#101010", font, anchor="lm")

    def panel(self, rows: Sequence[tuple[Row, str]]) -> None:
        """Counts at the top left, the number first: it is what one looks for."""
        number, words = _font(round(self._text * 1.3), bold=True), _font(self._text)
        step = round(self._text * 1.3) + self._pad
        numbers = max(number.getlength(str(row.count)) for row, _ in rows)
        room = self._width - numbers - 5 * self._pad
        said = [_fitted(_words(row), words, room) for row, _ in rows]
        width = numbers + max(words.getlength(line) for line in said) + 4 * self._pad
        self._draw.rectangle((0, 0, width, len(rows) * step + self._pad), fill=SHADE)
        for place, ((row, colour), line) in enumerate(zip(rows, said, strict=True)):
            middle = self._pad / 2 + (place + 0.5) * step
            self._draw.rectangle(
                (0, middle - step / 2 + 1, self._pad / 2, middle + step / 2 - 1), fill=colour
            )
            shown = BRIGHT if row.fresh else WORDS
            x = 1.5 * self._pad + numbers
            self._draw.text((x, middle), str(row.count), shown, number, anchor="rm")
            self._draw.text((x + self._pad, middle), line, shown if row.fresh else QUIET, words, anchor="lm")

    def clock(self, said: str) -> None:
        font = _font(round(self._text * 0.85))
        width, height = font.getlength(said) + 2 * self._pad, self._text + self._pad
        corner = (self._width - width, self._height - height)
        self._draw.rectangle((*corner, self._width, self._height), fill=SHADE)
        self._draw.text((corner[0] + self._pad, corner[1] + height / 2), said, QUIET, font, anchor="lm")


def _words(row: Row) -> str:
    """What is counted, and the phases its slots are in."""
    phases = Counter(row.look.phases)
    if len(row.look.phases) <= 1:
        return " · ".join([row.label, *phases])
    return " · ".join([row.label, *(f"{number} {phase}" for phase, number in sorted(phases.items()))])


def _fitted(line: str, font: ImageFont.FreeTypeFont, room: float) -> str:
    if font.getlength(line) <= room:
        return line
    while line and font.getlength(line + "…") > room:
        line = line[:-1]
    return line + "…"


@lru_cache
def _font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    """The face that comes with matplotlib: it is on every machine and knows most alphabets."""
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name), size)


@lru_cache
def _lightened(colour: str) -> str:
    """The plot's colour, brighter: video is darker than paper."""
    red, green, blue = (round(255 - (255 - part) * 0.65) for part in ImageColor.getrgb(colour)[:3])
    return f"#{red:02x}{green:02x}{blue:02x}"
