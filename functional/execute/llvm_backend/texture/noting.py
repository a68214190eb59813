"""Texture operations whose texels are not needed, only which levels would be read and how: for counting texels.

Levels are found as where texels are read; what else would be noted, places and faces, stays as it was.
"""

from __future__ import annotations

from llvmlite import ir

from ...kernel_arguments import TextureKind
from ..ir.vectors import Value
from .kinds import sampling_of
from .notes import Notes
from .unit import Filtered, Sampling, signature

NOTING = "note_levels"


class _LevelNotes(Notes):
    """Notes of levels, and whether these are filtered."""

    def face(self, face: Value) -> None:
        """Nothing."""

    def texels(self, which: int, x: Value, y: Value) -> None:
        """Nothing."""


class _Noting(Sampling):
    """Leaves out texels, before the steps of a kind of texture."""

    HAS_SHORT_WAY = True

    def noted(self, block: Value) -> Notes:
        """Notes of levels."""
        return _LevelNotes(self.v, block, self.first)

    def _level(self, level: Value, linear: Value) -> Filtered:
        return Filtered([self.v.number(0)] * 4, None, None)


def emit_noting(module: ir.Module, width: int, kind: TextureKind) -> None:
    """The function that takes the place of the one with the level of detail implied; it gives no channels."""
    function = ir.Function(module, signature(width, kind.deep, kind.shifted), NOTING)
    noting: type[Sampling] = type("Noting", (_Noting, sampling_of(kind)), {})
    noting(function, width, True, kind).emit()
