"""Checks a pool without trusting what made it: reads the two tables and recomputes everything it can.

A second implementation on purpose. It shares no code with the compiler or the records: column names and
the paper's definitions are all the two have in common.
"""

from stamina_video.data.checker.check import check_pool, check_tables
from stamina_video.data.checker.report import Fault, Report

__all__ = ["Fault", "Report", "check_pool", "check_tables"]
