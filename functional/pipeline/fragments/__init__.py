"""Quads: coverage, tests, shading and blending, stage by stage; and clearing what they are written to."""
