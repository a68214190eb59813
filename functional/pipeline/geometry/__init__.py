"""Vertices and primitives: from the arrays of a draw to set-up for rasterization, stage by stage."""
