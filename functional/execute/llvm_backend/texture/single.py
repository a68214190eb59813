"""One channel of an image: shaders that blur shadows or draw text read only one channel.

Everything is as for four channels, without the three unused ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from ...kernel_arguments import SamplerField, TextureKind
from ..ir.memory import either
from ..ir.vectors import FLOAT, INT, Value, Vectors
from .notes import Notes
from .unit import IMPLICIT, Sampling, signature

SINGLE = "sample_single"


def single_signature(width: int) -> ir.FunctionType:
    """Number of the channel, and the arguments for two-dimensional images; returns the channel."""
    whole = signature(width, False)
    return ir.FunctionType(ir.VectorType(FLOAT, width), [INT, *whole.args])


class SingleSampling(Sampling):
    """Samples one channel of two-dimensional images, with the level of detail implied.

    Parameters
    ----------
    function
        To fill.
    width
        Lanes of a vector.
    kind
        Of texture.
    """

    def __init__(self, function: ir.Function, width: int, kind: TextureKind) -> None:
        super().__init__(function, width, True, kind)
        self.channel = function.args[0]

    def _arguments(self) -> Sequence[Value]:
        arguments: Sequence[Value] = self.function.args[1:]
        return arguments

    def emit(self) -> None:
        """The single channel if all lanes read the first level in the same way, otherwise one of four channels."""
        b = ir.IRBuilder(self.function.append_basic_block("entry"))
        v = self.v = Vectors(b, self.width)
        self.notes = Notes(v, self.note, self.first)
        if self.kind.floats or self.kind.probed:
            values = self._one_of_four()
        else:
            harder = b.or_(self._detailed(), self._is_set(SamplerField.SWIZZLED))
            values = either(b, harder, self._one_of_four, self._of_base_level)
        b.ret(values[0])

    def _one_of_four(self) -> list[Value]:
        b = self.v.builder
        result = b.call(b.module.globals[IMPLICIT], self._arguments())
        chosen = b.extract_value(result, 0)
        for number in range(1, 4):
            is_it = b.icmp_signed("==", self.channel, ir.Constant(INT, number))
            chosen = b.select(is_it, b.extract_value(result, number), chosen)
        return [chosen]

    def _channels(self, texel: Value) -> list[Value]:
        v, b = self.v, self.v.builder
        bits = v.splat_integer(b.shl(self.channel, ir.Constant(INT, 3)))
        return [b.sitofp(b.and_(b.lshr(texel, bits), v.integer(255)), v.floats)]
