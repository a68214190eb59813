"""Trims captured streams: writes some frames of one, with all that they depend on, as a stream of its own."""

from .trim import Trimmed, trim

__all__ = ["Trimmed", "trim"]
