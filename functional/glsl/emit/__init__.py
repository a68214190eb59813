"""Turns single-assignment code into the instructions of the IR."""

from .emitter import Emitter
from .operands import Interface

__all__ = ["Emitter", "Interface"]
