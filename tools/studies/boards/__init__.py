"""Real boards: predicted beside measured frame times.

Frame rates that owners of boards have published, and the same scenes as captures; see docs/accuracy.md. The rules were
written before the presets of the boards were.
"""

from __future__ import annotations

from .study import board_study

__all__ = ["board_study"]
