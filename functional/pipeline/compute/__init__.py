"""Compute shaders: dispatches of work groups."""
