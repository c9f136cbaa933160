import math
import random

import pytest

from stamina_video.evaluation import compare_results
from stamina_video.evaluation.diagnosis import diagnose
from stamina_video.evaluation.trajectories import Birth, Identity, Mark, Run, Trajectory
from stamina_video.semantics import InvalidInput


def trajectory(name: str = "t", parent: str = "p", stratum: str = "boundary supported") -> Trajectory:
    return Trajectory(
        name,
        parent,
        stratum,
        endpoints=(4.0, 20.0),
        counts=(1, 2),
        observed=tuple(map(float, range(21))),
        completions=(Mark(2.0), Mark(10.0)),
    )


def figures(*pairs: tuple[Trajectory, Run]) -> dict[str, float | None]:
    return diagnose(pairs).figures()["overall"]


def test_an_event_run_is_judged_in_full() -> None:
    run = Run("1", hard=(1, 3), commits=(Mark(2.5), Mark(3.0), Mark(18.0)), nll=1.2)
    found = figures((trajectory(), run))
    assert found["gpa"] == pytest.approx(0.5)
    assert found["exact"] == 0.5
    assert found["hard_mae"] == 0.5
    assert found["hard_gain_mae"] == 0.5  # one too many since the endpoint before
    assert found["nll"] == pytest.approx(0.6)
    assert found["duplicates"] == 0.5
    assert found["misses"] == 0.5
    assert found["outside"] == pytest.approx(1 / 3)
    assert found["delay"] == 0.5
    # Eligible: (14,15] to (19,20]; everything earlier touches 2 ± 3 or 10 ± 3.
    assert found["false_updates"] == pytest.approx(1 / 6)


def test_gain_counts_from_the_empty_origin() -> None:
    late = Run("1", hard=(0, 2))
    assert figures((trajectory(), late))["hard_mae"] == 0.5
    assert figures((trajectory(), late))["hard_gain_mae"] == 1.0  # one too few, then one too many


def test_soft_and_hard_errors_stand_side_by_side() -> None:
    found = figures((trajectory(), Run("1", hard=(1, 2), soft=(0.5, 2.0))))
    assert found["soft_mae"] == 0.25
    assert found["soft_gain_mae"] == 0.5
    assert found["hard_mae"] == 0.0


def test_no_answer_is_wrong_and_reads_as_empty() -> None:
    found = figures((trajectory(), Run("1", hard=(math.nan, 2))))
    assert (found["exact"], found["gpa"], found["hard_mae"]) == (0.5, 0.5, 0.5)


def test_ratios_pool_over_trajectories_and_seeds() -> None:
    quiet = Run("1", hard=(0, 0))
    right = Run("2", hard=(1, 2), commits=(Mark(2.0), Mark(10.0)))
    found = figures((trajectory(), quiet), (trajectory(), right), (trajectory("u"), quiet))
    assert found["misses"] == pytest.approx(4 / 6)
    assert found["delay"] == 0.0
    assert found["exact"] == pytest.approx(1 / 3)


def test_strata_are_reported_apart() -> None:
    run = Run("1", hard=(1, 2))
    result = diagnose([(trajectory(), run), (trajectory("u", stratum="endpoint only"), run)])
    assert result.groups == ("boundary supported", "endpoint only")


def test_identity_metrics_need_verified_identities() -> None:
    counted = Trajectory("t", "p", "count only", (9.0,), (1,))
    verified = Trajectory(
        "u", "p", "identity verified", (9.0,), (1,), identities=(Identity("cat", (1.0, 5.0)),)
    )
    births = (Birth(3.0, "cat"), Birth(6.0, "cat"))
    run = Run("1", hard=(2,), births=births, retrieval_misses=1)
    assert figures((counted, run))["new_recall"] is None
    found = figures((counted, run), (verified, run))
    assert found["new_precision"] == 0.5
    assert found["new_recall"] == 1.0
    assert found["reentry_double_counts"] == 1.0
    assert found["unresolved"] == 0.0
    assert found["acceptance_delay"] == 2.0
    assert found["retrieval_misses"] == 1.0
    assert found["hard_mae"] == 1.0


def test_a_counter_without_links_has_counts_but_no_identity_metrics() -> None:
    verified = Trajectory("u", "p", "identity verified", (9.0,), (1,), identities=(Identity("cat", (1.0,)),))
    found = figures((verified, Run("1", hard=(1,))))
    assert found["new_precision"] is None
    assert found["exact"] == 1.0


def test_endpoints_and_counts_must_pair_up_in_time() -> None:
    with pytest.raises(InvalidInput, match="expected a count per endpoint, got 1 for 2"):
        Trajectory("t", "p", "s", (1.0, 2.0), (1,))
    with pytest.raises(InvalidInput, match="expected endpoints in order of time"):
        Trajectory("t", "p", "s", (2.0, 1.0), (1, 1))


def test_a_paired_contrast_finds_the_better_counter() -> None:
    draw = random.Random(7)
    worse, better = [], []
    for index in range(60):
        one = trajectory(f"t{index}", f"p{index // 4}")
        worse.append((one, Run("1", hard=(1, 2 if draw.random() < 0.2 else 3))))
        better.append((one, Run("1", hard=(1, 2 if draw.random() < 0.9 else 3))))
    found = compare_results(diagnose(worse), diagnose(better), 1000)
    (exact,) = [one for one in found.contrasts if (one.name, one.metric) == ("overall", "exact")]
    assert found.parents == 15
    assert exact.low is not None
    assert exact.low > 0
