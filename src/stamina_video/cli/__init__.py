"""The `stamina` command: parse, call, print. Holds no counting logic."""

from stamina_video.cli.app import main

__all__ = ["main"]
