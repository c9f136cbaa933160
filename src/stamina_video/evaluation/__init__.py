"""Measures anything that counts: scorers, diagnostics, controls, predicates, tables. Runs no model."""

from stamina_video.evaluation.choices import score_ovobench
from stamina_video.evaluation.files import digest
from stamina_video.evaluation.ovobench import Decision, read_decisions
from stamina_video.evaluation.predictions import Predictions, read_predictions
from stamina_video.evaluation.responses import Responses, read_responses
from stamina_video.evaluation.results import OVERALL, Result, Row, read_result, write_result
from stamina_video.evaluation.scoring import score_document, score_runs
from stamina_video.evaluation.svcbench import QuestionScores, score_questions
from stamina_video.evaluation.tables import comparison_table, percent

__all__ = [
    "OVERALL",
    "Decision",
    "Predictions",
    "QuestionScores",
    "Responses",
    "Result",
    "Row",
    "comparison_table",
    "digest",
    "percent",
    "read_decisions",
    "read_predictions",
    "read_responses",
    "read_result",
    "score_document",
    "score_ovobench",
    "score_questions",
    "score_runs",
    "write_result",
]
