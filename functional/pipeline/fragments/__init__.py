"""Quads: coverage, tests, shading and blending, stage by stage; and clearing of attachments."""
