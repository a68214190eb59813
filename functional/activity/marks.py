"""Marks with which applications tell simulators what OpenGL ES cannot express."""

from __future__ import annotations

COLLISIONABLE = "collisionable:"
"""A group whose label begins with this is an object of collision detection, with all groups inside it (thesis of 2018,
5.2.2)."""
