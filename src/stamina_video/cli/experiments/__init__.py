"""Each experiment joins what training made with how evaluation judges it, into one page."""
