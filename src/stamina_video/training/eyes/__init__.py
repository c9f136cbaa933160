"""Trains what the compact model sees with: from stills of simulated scenes and of unannotated video."""
