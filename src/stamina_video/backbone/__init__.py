"""Backbones: an observation → the features the transitions read."""
