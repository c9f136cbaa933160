import json
import math

from stamina_video.evaluation import Predictions, score_runs
from stamina_video.evaluation.controls import Control, Reads, choose_donors, controlled, table_reads
from stamina_video.semantics import Operator, Question, read_questions
from tests.shared_data import SVCBENCH_QUERIES, SVCBENCH_QUESTIONS, needs

GAIN = "How many cups that have never appeared before have appeared in the past 4 seconds?"


def asked(
    name: str,
    video: str,
    operator: Operator = Operator.E1_ACTION,
    times: tuple[float, ...] = (2.0, 5.0, 9.0),
    text: str = "How many times has the man jumped so far?",
) -> Question:
    return Question(name, video, text, operator, times, (0,) * len(times))


def answers(
    questions: list[Question], given: list[tuple[float, ...]], control: Control, **extra: object
) -> tuple[tuple[float, ...], ...]:
    starts = extra.get("starts")
    run = Predictions("run", tuple(given), starts=starts)  # type: ignore[arg-type]
    return controlled(questions, run, control, extra.get("histories")).answers  # type: ignore[arg-type]


def test_clear_reads_nothing() -> None:
    assert answers([asked("q", "a.mp4")], [(1, 2, 3)], Control.CLEAR) == ((0, 0, 0),)


def test_delay_reads_the_previous_distinct_endpoint() -> None:
    assert answers([asked("q", "a.mp4")], [(1, 2, 3)], Control.DELAY) == ((0, 1, 2),)


def test_delay_goes_by_time_and_keeps_the_files_order() -> None:
    question = asked("q", "a.mp4", Operator.O1_SNAP, (9.0, 2.0, 2.0), "How many cups are visible?")
    assert answers([question], [(3, 1, 1)], Control.DELAY) == ((1, 0, 0),)


def test_delay_moves_both_ends_of_a_window() -> None:
    question = asked("g", "a.mp4", Operator.O2_GAIN, (10.0,), GAIN)
    # 10 s reads what stood at 6 s, the window's start; 6 s reads the empty origin.
    assert answers([question], [(2,)], Control.DELAY, starts={"g": (3.0,)}) == ((3.0,),)
    assert answers([question], [(2,)], Control.DELAY) == ((0.0,),)  # the table does not say what stood there


def test_swap_reads_another_video_as_of_the_same_time() -> None:
    questions = [asked("q", "a.mp4"), asked("r", "b.mp4", times=(1.0, 6.0))]
    assert answers(questions, [(1, 2, 3), (5, 7)], Control.SWAP) == ((5, 5, 7), (0, 2))


def test_swap_in_a_stream_reads_the_donors_whole_history() -> None:
    questions = [asked("q", "a.mp4"), asked("r", "b.mp4", times=(1.0, 6.0))]
    histories = {"r": Reads.of_moments([1.5, 4.0, 8.5])}
    assert answers(questions, [(1, 2, 3), (5, 7)], Control.SWAP, histories=histories)[0] == (1, 2, 3)


def test_swap_takes_both_ends_of_a_window_from_one_donor() -> None:
    questions = [
        asked("g", "a.mp4", Operator.O2_GAIN, (10.0,), GAIN),
        asked("h", "b.mp4", Operator.O2_GAIN, (12.0,), GAIN),
    ]
    histories = {"h": Reads.of_moments([5.0, 7.0, 8.0])}
    assert answers(questions, [(0,), (0,)], Control.SWAP, histories=histories)[0] == (2,)


def test_without_a_donor_the_state_is_empty() -> None:
    assert answers([asked("q", "a.mp4"), asked("r", "a.mp4")], [(1, 2, 3)] * 2, Control.SWAP)[0] == (0, 0, 0)


def test_an_invalid_read_stays_invalid() -> None:
    ((first, second, _),) = answers([asked("q", "a.mp4")], [(math.nan, 2, 3)], Control.DELAY)
    assert first == 0
    assert math.isnan(second)


def test_donors_prefer_the_same_target_then_operator_then_measure() -> None:
    cats, dogs = (
        "How many different cats have appeared so far?",
        "How many different dogs have appeared so far?",
    )
    questions = [
        asked("0", "a.mp4", Operator.O2_UNIQUE, text=cats),
        asked("1", "b.mp4", Operator.O2_UNIQUE, text=dogs),
        asked("2", "c.mp4", Operator.O2_UNIQUE, text=cats),
        asked("3", "c.mp4", Operator.O2_GAIN, (10.0,), GAIN),
        asked("4", "c.mp4", Operator.E1_ACTION),
    ]
    assert choose_donors(questions) == {0: 2, 1: 2, 2: 0, 3: 0}


def test_a_table_tells_both_ends_of_a_window() -> None:
    reads = table_reads(asked("g", "a.mp4", Operator.O2_GAIN, (10.0,), GAIN), (2.0,), (3.0,))
    assert (reads.times, reads.counts) == ((6.0, 10.0), (3.0, 5.0))
    assert [reads.at(time) for time in (5.9, 6.0, 11.0)] == [0.0, 3.0, 5.0]


def _gpa(questions: list[Question], run: Predictions) -> float:
    return round(100 * (score_runs(questions, [run]).figures()["overall"]["gpa"] or 0), 1)


@needs(SVCBENCH_QUERIES)
def test_controls_of_a_perfect_run_on_the_benchmark() -> None:
    questions = read_questions(SVCBENCH_QUERIES)
    truth = Predictions("truth", tuple(tuple(map(float, one.counts)) for one in questions))
    assert _gpa(questions, controlled(questions, truth, Control.CLEAR)) == 6.1  # the paper's row
    assert _gpa(questions, controlled(questions, truth, Control.DELAY)) == 15.4
    assert _gpa(questions, controlled(questions, truth, Control.SWAP)) == 17.3


@needs(SVCBENCH_QUESTIONS)
def test_swapping_whole_true_histories() -> None:
    questions = [one for one in read_questions(SVCBENCH_QUESTIONS) if one.operator.cumulative]
    moments = {}
    for line in SVCBENCH_QUESTIONS.read_text().splitlines():
        row = json.loads(line)
        moments[row["id"]] = row["occurrence_times"]
    histories = {}
    for one in questions:
        found = moments[one.id]["end"] if isinstance(moments[one.id], dict) else moments[one.id]
        histories[one.id] = Reads.of_moments(found)
    truth = Predictions("truth", tuple(tuple(map(float, one.counts)) for one in questions))
    swapped = controlled(questions, truth, Control.SWAP, histories)
    assert _gpa(questions, swapped) == 19.7
