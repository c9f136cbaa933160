"""Pages people look at: one HTML file each, with its pictures inside and no request to anywhere."""

from stamina_video.evaluation.pages.comparison import comparison_page
from stamina_video.evaluation.pages.counted import CountedVideo, Evidence, Track, counted_page
from stamina_video.evaluation.pages.run import run_page, write_run

__all__ = ["CountedVideo", "Evidence", "Track", "comparison_page", "counted_page", "run_page", "write_run"]
