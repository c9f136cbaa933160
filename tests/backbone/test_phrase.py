import pytest

from stamina_video.backbone.names import PLAIN
from stamina_video.backbone.paints import painted
from stamina_video.backbone.phrase import _LEADING, ANYTHING, Phrase, parse
from stamina_video.data.world import family_names, make_scene
from stamina_video.data.world.kinds import KINDS


@pytest.mark.parametrize(
    ("description", "subject", "deed"),
    [
        ("mugs packed into the box", "mugs", "packed into the box"),
        ("coffee mugs packed into the box", "coffee mugs", "packed into the box"),
        ("mugs put into the box", "mugs", "put into the box"),
        ("toys taken from the shelf", "toys", "taken from the shelf"),
        ("people going out through the doorway", "people", "going out through the doorway"),
        ("people who left through the door", "people", "who left through the door"),
        ("boxes that were closed", "boxes", "that were closed"),
        ("mugs through the scanner", "mugs", "through the scanner"),
        ("bottles handed over", "bottles", "handed over"),
        ("doughnuts packed", "doughnuts", "packed"),
        ("cans put on the shelf", "cans", "put on the shelf"),
        ("red mugs on the table", "red mugs", "on the table"),
        ("cups being washed", "cups", "being washed"),
        ("cars passing", "cars", "passing"),
        ("how many mugs were packed", "how many mugs", "were packed"),
    ],
)
def test_a_subject_ends_where_it_is_told_what_is_done(description: str, subject: str, deed: str) -> None:
    assert parse(description) == Phrase(subject, deed)


@pytest.mark.parametrize(
    "thing", ["mugs", "men and women", "pairs of scissors", "one of the mugs", "glasses of wine"]
)
def test_a_thing_that_is_only_named_has_no_deed(thing: str) -> None:
    assert parse(thing) == Phrase(thing)


@pytest.mark.parametrize(
    "event",
    [
        "times the box was closed",
        "Times the box was closed",
        "visits to the kitchen",
        "stays in the other room",
        "swings of the pendulum",
        "push-ups",
        "hard cuts",
    ],
)
def test_an_event_that_is_named_by_a_noun_is_all_subject(event: str) -> None:
    assert parse(event) == Phrase(event)


@pytest.mark.parametrize(
    "thing",
    [
        *("small potted plants", "three ring-shaped cakes", "the striped mugs", "the closed boxes"),
        *("the passing cars", "one hundred people", "the cut apples", "a torn red box"),
    ],
)
def test_a_verb_form_before_a_noun_only_describes_it(thing: str) -> None:
    assert parse(thing) == Phrase(thing)
    assert parse(f"{thing} packed into the crate") == Phrase(thing, "packed into the crate")


@pytest.mark.parametrize("thing", ["how many mugs", "the new mugs", "its many doors", "some of their cups"])
def test_plain_words_that_lead_on_to_nothing_belong_to_the_subject(thing: str) -> None:
    assert parse(thing) == Phrase(thing)
    assert parse(f"{thing} in the room") == Phrase(thing, "in the room")


def test_words_that_lead_on_to_a_deed_are_plain_ones() -> None:
    assert PLAIN > _LEADING
    for word in _LEADING:
        assert parse(f"mugs {word}") == Phrase("mugs", word)
        assert parse(f"mugs {word} trees") == Phrase("mugs", f"{word} trees")
    for word in PLAIN - _LEADING:
        assert parse(f"mugs {word} trees") == Phrase(f"mugs {word} trees")


def test_the_first_word_is_a_subject_whatever_it_looks_like() -> None:
    assert parse("parked cars") == Phrase("parked cars")
    assert parse("potted plants") == Phrase("potted plants")
    assert parse("fallen leaves picked up") == Phrase("fallen leaves", "picked up")


def test_short_words_that_end_like_verbs_are_none() -> None:
    assert parse("a red bed") == Phrase("a red bed")
    assert parse("bird seed spilled") == Phrase("bird seed", "spilled")


def test_capitals_points_and_spaces_make_no_difference_to_where_it_ends() -> None:
    assert parse("Red Mugs (PACKED, into the box).") == Phrase("Red Mugs", "(PACKED, into the box).")
    assert parse("  mugs   packed ") == Phrase("mugs", "packed")


@pytest.mark.parametrize("nothing", ["", "  ", "mugs"])
def test_little_is_left_as_it_is(nothing: str) -> None:
    assert parse(nothing) == Phrase(nothing)


def test_what_is_done_can_be_said_of_anything() -> None:
    assert parse("red mugs packed into the box").generic == f"{ANYTHING} packed into the box"
    assert parse("bottles packed into the box").generic == parse("mugs packed into the box").generic
    assert parse("red mugs").generic == "red mugs"


def test_no_kind_of_thing_is_called_by_a_deed() -> None:
    phrases = [phrase for kind in KINDS.values() for phrase in (kind.plural, *kind.aliases)]
    assert [phrase for phrase in phrases if parse(phrase).deed] == []


@pytest.mark.parametrize("split", ["train", "unseen"])
def test_of_all_that_is_counted_in_scenes_only_events_are_deeds(split: str) -> None:
    deeds, subjects = set(), set()
    for family in family_names(split):
        for counted in make_scene(family, 0, split, 14.0).counted:
            for words in (counted.target.description, *counted.aliases):
                rest = painted(words).rest  # colours are taken off before
                phrase = parse(rest)
                assert f"{phrase.subject} {phrase.deed}".strip() == rest
                if not counted.target.operator.is_event:
                    assert not phrase.deed, words
                elif phrase.deed:
                    deeds.add(phrase.deed)
                    subjects.add(phrase.subject)
    assert {"packed", "taken from the shelf", "going out through the doorway"} <= deeds
    things = {phrase for kind in KINDS.values() for phrase in (kind.plural, *kind.aliases)}
    assert subjects <= {*things, "people", "boxes"}
