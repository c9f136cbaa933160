from benchmarks.perception import Spent
from benchmarks.session import STAGES, Stopwatch, _stage_rows


def test_what_is_left_of_a_whole_is_never_less_than_nothing() -> None:
    assert Spent(5.0, 8.0) - Spent(2.0, 9.0) == Spent(3.0, 0.0)


def test_a_stopwatch_passes_the_result_on_and_starts_anew_once_read() -> None:
    watch = Stopwatch(lambda first, second: first + second)
    assert watch(2, 3) == 5
    once = watch.taken()
    assert once.clock > 0
    assert watch.taken() == Spent(0.0, 0.0)


def observed(eyes: float, step: float) -> dict[str, Spent]:
    """Milliseconds of one observation; reading it took 20."""
    parts = dict.fromkeys(STAGES, Spent(1.0, 1.0))
    whole = Spent(step, 2 * step)
    return {**parts, "reading the frame": Spent(20.0, 20.0), "frozen eyes": Spent(eyes, eyes), "step": whole}


def test_medians_give_the_rate_and_the_share_of_what_is_trained() -> None:
    rows = _stage_rows([observed(72.0, 80.0), observed(72.0, 80.0), observed(1.0, 800.0)])
    assert len(rows) == len(STAGES) + 3
    rate, share = rows[-2:]
    assert (rate.figure, rate.met) == ("10.0", True)
    assert (share.figure, share.met) == ("10.0% (55.0% of processor time)", True)


def test_slow_or_wasteful_sessions_miss_their_bars() -> None:
    rate, share = _stage_rows([observed(100.0, 200.0)])[-2:]
    assert not rate.met
    assert not share.met
