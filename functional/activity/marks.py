"""How applications tell simulators what OpenGL ES has no words for."""

from __future__ import annotations

COLLISIONABLE = "collisionable:"
"""A label of a group that begins so names an object of collision detection, with all groups within it (thesis of 2018,
5.2.2)."""
