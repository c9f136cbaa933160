"""Made-up runs for the pages: questions of every operator over a few videos, answered more or less well."""

import math
import random

from stamina_video.evaluation import Predictions, Result, score_runs
from stamina_video.semantics import Commit, Operator, Question

OPERATORS = tuple(Operator)
BOX = {"box": [0.1, 0.2, 0.5, 0.6], "score": 0.9}


def questions(number: int, videos: int = 5) -> list[Question]:
    dice = random.Random(7)
    return [_question(index, f"clip-{index % videos}.mp4", dice) for index in range(number)]


def run(asked: list[Question], name: str, wrong: float, seeds: int = 1, seed: int = 0) -> Result:
    """A run that is wrong by one or two with this probability at each point, and at times says nothing."""
    dice = random.Random(seed)
    answers = [
        tuple(tuple(_answer(dice, count, wrong) for count in question.counts) for question in asked)
        for _ in range(seeds)
    ]
    commits = {question.id: _commits(question) for question in asked}
    settings = {"access": "stream", "fps": 2.0, "model": "nano-1a2b3c", "annotations": "questions.jsonl"}
    runs = [Predictions(f"seed{index}.jsonl", each) for index, each in enumerate(answers)]
    return score_runs(asked, runs, name, settings, commits)


def _question(index: int, video: str, dice: random.Random) -> Question:
    operator = OPERATORS[index % len(OPERATORS)]
    times = tuple(sorted(round(dice.uniform(0.5, 4.0), 2) for _ in range(dice.randint(3, 9))))
    text = f"How many {['mugs', 'people', 'red boxes'][index % 3]} have been packed so far?"
    if operator.windowed:
        text = "How many mugs have appeared in the past 2 seconds?"
    if operator is Operator.O2_GAIN:
        text = "How many mugs that have never appeared before have appeared in the past 2 seconds?"
    counts = tuple(dice.randint(0, 3) if operator.windowed else step // 2 for step in range(len(times)))
    return Question(f"q{index:03d}", video, text, operator, times, counts)


def _answer(dice: random.Random, count: int, wrong: float) -> float:
    if dice.random() >= wrong:
        return float(count)
    return math.nan if dice.random() < 0.1 else max(count + dice.choice((-2, -1, 1, 2)), 0)


def _commits(question: Question) -> list[Commit]:
    return [
        Commit(question.video, "mugs", "event", 1, index, time - 0.2, f"{question.id}-{index}", BOX)
        for index, time in enumerate(question.times[::2])
    ]
