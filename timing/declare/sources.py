"""Purposes of requests to memory."""

from __future__ import annotations

SOURCES = (
    "command",
    "index",
    "vertex",
    "primitive_list",
    "primitive_attributes",
    "texture",
    "instruction",
    "color",
    "depth",
    "transfer",
    "visibility_graph",
    "collisions",
    "cpu",
    "display",
    "compute",
)
"""Purposes of requests; traffic is accounted by them."""
