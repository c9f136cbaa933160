import pytest

from stamina_video.cli.experiments.scored import (
    by_operator,
    contrast,
    group_table,
    points,
    result_of,
    rises,
    shown,
    silent,
)
from stamina_video.evaluation import OVERALL
from stamina_video.training.experiments.event_heads import Told, told
from tests.training.experiments.making import a_track

TRACKS = [a_track(number) for number in range(4)]
PERFECT = [told(track, [4, 9], nll=0.5) for track in TRACKS]


def test_a_perfect_head_scores_one_and_a_silent_one_counts_as_zero() -> None:
    perfect = result_of("perfect", TRACKS, [PERFECT, PERFECT]).figures()[OVERALL]
    assert perfect["gpa"] == pytest.approx(1)
    assert (perfect["exact"], perfect["misses"]) == (1, 0)
    assert perfect["nll"] == pytest.approx(0.5)
    assert perfect["delay"] == pytest.approx(0.1)
    nothing = result_of("silent", TRACKS, [silent(TRACKS)]).figures()[OVERALL]
    assert nothing["exact"] == pytest.approx(0.2)
    assert nothing["misses"] == 1


def test_a_contrast_is_a_finding_where_its_interval_is_clear_of_zero() -> None:
    perfect, nothing = (result_of("r", TRACKS, [runs]) for runs in (PERFECT, silent(TRACKS)))
    gained, same = contrast(nothing, perfect), contrast(perfect, perfect)
    assert rises("Up.", "It adds", gained).agrees
    assert rises("Up.", "It adds", gained).ours == "It adds +80.0 (+80.0 to +80.0) points."
    assert not rises("Up.", "It adds", same).agrees
    assert points(same) == "+0.0 (+0.0 to +0.0)"


def test_figures_are_shown_as_rates_seconds_or_nothing() -> None:
    columns = ("gpa", "nll", "delay")
    assert shown({"gpa": 0.5, "nll": 1.234, "delay": None}, columns) == ("50.0", "1.23", "–")


def test_groups_stand_beside_the_whole() -> None:
    result = result_of("r", TRACKS, [[Told(track.trial.name, (), (0,) * 5) for track in TRACKS]], by_operator)
    table = group_table("GPA", "Head", {"silent": result})
    assert table.header == ("Head", "Overall", "E1-Action")
    assert table.rows == (("silent", "20.0", "20.0"),)
