"""Lowers the typed tree to single-assignment code."""

from .shader import lower_shader

__all__ = ["lower_shader"]
