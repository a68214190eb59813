"""Vertices and primitives: from the arrays of a draw to what is rasterized, stage by stage."""
