"""Measures anything that counts: scorers, diagnostics, controls, predicates, tables. Runs no model."""

from stamina_video.evaluation.assay import AssayVideo, Reading, assay
from stamina_video.evaluation.bootstrap import Comparison, Contrast, Figure, compare_results, intervals
from stamina_video.evaluation.choices import score_ovobench, score_ovos
from stamina_video.evaluation.commits import run_of_commits
from stamina_video.evaluation.controls import Control, Reads, controlled
from stamina_video.evaluation.diagnosis import diagnose
from stamina_video.evaluation.events import Matching, match, stable_intervals
from stamina_video.evaluation.harness import write_harness
from stamina_video.evaluation.identities import IdentityTally, tally_identities
from stamina_video.evaluation.ovobench import Decision, read_decisions
from stamina_video.evaluation.ovos import Query, read_queries
from stamina_video.evaluation.predicates import ROUTINES, Predicate, Watch
from stamina_video.evaluation.predictions import Predictions, read_predictions
from stamina_video.evaluation.prompts import Prompts
from stamina_video.evaluation.recurrence import PixelRecurrence
from stamina_video.evaluation.report import report
from stamina_video.evaluation.responses import Responses, read_query_responses, read_responses
from stamina_video.evaluation.results import OVERALL, Result, Row, read_result, write_result
from stamina_video.evaluation.runs import read_runs
from stamina_video.evaluation.scoring import score_document, score_runs
from stamina_video.evaluation.svcbench import QuestionScores, score_questions
from stamina_video.evaluation.tables import comparison_table, percent
from stamina_video.evaluation.trajectories import Birth, Identity, Mark, Run, Trajectory
from stamina_video.evaluation.truth import read_truth
from stamina_video.semantics.files import digest

__all__ = [
    "OVERALL",
    "ROUTINES",
    "AssayVideo",
    "Birth",
    "Comparison",
    "Contrast",
    "Control",
    "Decision",
    "Figure",
    "Identity",
    "IdentityTally",
    "Mark",
    "Matching",
    "PixelRecurrence",
    "Predicate",
    "Predictions",
    "Prompts",
    "Query",
    "QuestionScores",
    "Reading",
    "Reads",
    "Responses",
    "Result",
    "Row",
    "Run",
    "Trajectory",
    "Watch",
    "assay",
    "compare_results",
    "comparison_table",
    "controlled",
    "diagnose",
    "digest",
    "intervals",
    "match",
    "percent",
    "read_decisions",
    "read_predictions",
    "read_queries",
    "read_query_responses",
    "read_responses",
    "read_result",
    "read_runs",
    "read_truth",
    "report",
    "run_of_commits",
    "score_document",
    "score_ovobench",
    "score_ovos",
    "score_questions",
    "score_runs",
    "stable_intervals",
    "tally_identities",
    "write_harness",
    "write_result",
]
