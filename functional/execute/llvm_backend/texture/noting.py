"""Texture operations whose texels are not needed, only which ones would be read: for counting texels.

Levels and places are found as where texels are read.
"""

from __future__ import annotations

from llvmlite import ir

from ...kernel_arguments import TextureKind
from ..ir.memory import struct_of
from ..ir.vectors import Value
from .kinds import sampling_of
from .unit import Filtered, Sampling, signature

NOTING_IMPLICIT, NOTING_EXPLICIT = "note_implicit", "note_explicit"


class _Noting(Sampling):
    """Leaves out texels, before the steps of a kind of texture."""

    def _result(self) -> Value:
        self._filtered()
        return struct_of(self.v.builder, [self.v.number(0)] * 4)

    def _level(self, level: Value, linear: Value) -> Filtered:
        return Filtered([self.v.number(0)] * 4, *self._base_texel(level, linear))


def emit_noting(module: ir.Module, width: int, kind: TextureKind) -> None:
    """The functions that take the place of those with the level of detail implied and given; all channels are 0."""
    noting: type[Sampling] = type("Noting", (_Noting, sampling_of(kind)), {})
    for name in (NOTING_IMPLICIT, NOTING_EXPLICIT):
        function = ir.Function(module, signature(width, kind.deep, kind.shifted), name)
        noting(function, width, name == NOTING_IMPLICIT, kind).emit()
