"""Trains what the compact model sees with: from stills of simulated scenes, and of video that nobody annotated."""
