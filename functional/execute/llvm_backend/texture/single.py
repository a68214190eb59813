"""One channel of an image: shaders that blur shadows or draw text read only one channel.

Everything is as for four channels, without the three unused ones.
"""

from __future__ import annotations

from llvmlite import ir

from ...kernel_arguments import SAMPLER
from ..ir.memory import either
from ..ir.vectors import FLOAT, INT, Value
from .unit import IMPLICIT, Sampling, signature

SINGLE = "sample_single"


def single_signature(width: int, shifted: bool = False) -> ir.FunctionType:
    """Number of the channel, and the arguments for two-dimensional images; returns the channel."""
    whole = signature(width, False, shifted)
    return ir.FunctionType(ir.VectorType(FLOAT, width), [INT, *whole.args])


class SingleSampling(Sampling):
    """Samples one channel of two-dimensional images, with the level of detail implied."""

    BEFORE = 1

    def _result(self) -> Value:
        """The single channel if all lanes read the first level in the same way, otherwise one of four channels."""
        b = self.v.builder
        if self._wide or self.kind.probed or self.kind.bordered:
            return self._one_of_four()[0]
        harder = b.or_(self._detailed(), self._is_set(SAMPLER.swizzled))
        return either(b, harder, self._one_of_four, self._of_base_level)[0]

    def _one_of_four(self) -> list[Value]:
        b = self.v.builder
        result = b.call(b.module.globals[IMPLICIT], self.arguments)
        chosen = b.extract_value(result, 0)
        for number in range(1, 4):
            is_it = b.icmp_signed("==", self.function.args[0], ir.Constant(INT, number))
            chosen = b.select(is_it, b.extract_value(result, number), chosen)
        return [chosen]

    def _channels(self, texel: Value) -> list[Value]:
        v, b = self.v, self.v.builder
        bits = v.splat_integer(b.shl(self.function.args[0], ir.Constant(INT, 3)))
        return [b.sitofp(b.and_(b.lshr(texel, bits), v.integer(255)), v.floats)]
