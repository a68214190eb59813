"""Texture instructions of a shader as vector code: calls of the texture unit, texels, sizes."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

from llvmlite import ir

from ....compile.blocks import words_in
from ....glsl.ir.program import Instruction
from ...kernel_arguments import FLAT_TARGETS, SAMPLER, SamplerBlock
from ..ir.memory import POINTER, field
from ..ir.transcendental import log2
from ..ir.vectors import INT, LONG, Value, Vectors
from ..ir.whole import Operands
from .fetch import fetched_texel, level_size
from .kinds import single_signature
from .notes import Notes
from .texels import texels_per_unit
from .unit import SHIFTS, greater, signature

_EXPLICIT = ("TXL", "TXL2", "TXD")
"""Operations whose level of detail is given."""


@dataclass(frozen=True)
class TextureCalls:
    """Emits the texture instructions of a stage.

    Parameters
    ----------
    v
        Where code goes.
    samplers
        Address of the `SamplerBlock` of each texture of the stage.
    derivatives
        Whether lanes come in quads, so that a level of detail can be implied (fragment stage). Otherwise it is 0.
    shifted
        Textures that are sampled with texel offsets; see `shifted_samplers`.
    unread
        Textures of which it is enough to note what would be read.
    """

    v: Vectors
    samplers: Value
    derivatives: bool
    shifted: frozenset[int]
    unread: frozenset[int] = frozenset()

    def emit(self, instruction: Instruction, operands: Operands, notes: Notes, read: frozenset[int]) -> list[Value]:
        """Four channels.

        Parameters
        ----------
        instruction
            To execute.
        operands
            Its operands.
        notes
            Where reads are noted.
        read
            Channels that the shader reads; the others may have any value.
        """
        v, b, (coordinates, detail, gradients) = self.v, self.v.builder, operands
        assert instruction.sampler is not None
        first = ir.Constant(LONG, instruction.sampler * words_in(SamplerBlock))
        sampler = b.gep(self.samplers, [first], source_etype=LONG)
        if instruction.opcode == "TXQ":
            return level_size(v, sampler, str(instruction.target), detail)
        if instruction.opcode == "TXF":
            return fetched_texel(notes, sampler, instruction, coordinates, detail, instruction.sampler in self.unread)
        flat = instruction.target in FLAT_TARGETS
        if gradients is not None:
            detail = gradient_detail(v, sampler, str(instruction.target), gradients)
        explicit, shifted = not self.derivatives or instruction.opcode in _EXPLICIT, instruction.sampler in self.shifted
        arguments = [sampler, notes.block, notes.first, *coordinates, detail]
        if shifted:
            offsets = [*(instruction.offsets or ()), 0, 0, 0]
            arguments += [ir.Constant(INT, offset) for offset in offsets[:SHIFTS]]
        if flat and not explicit and len(read) == 1:
            function = self._function(sampler, SAMPLER.single, single_signature(v.width, shifted))
            return [b.call(function, [ir.Constant(INT, *read), *arguments])] * 4
        unit = SAMPLER.explicit if explicit else SAMPLER.implicit
        result = b.call(self._function(sampler, unit, signature(v.width, not flat, shifted)), arguments)
        return [b.extract_value(result, i) for i in range(4)]

    def _function(self, sampler: Value, place: int, kind: ir.FunctionType) -> Value:
        """A function whose address a sampler holds, as something to call: a call asks it for the function's type."""
        address = field(self.v.builder, sampler, place, POINTER)
        return SimpleNamespace(function_type=kind, type=POINTER, get_reference=address.get_reference)


def gradient_detail(v: Vectors, sampler: Value, target: str, gradients: tuple[list[Value], list[Value]]) -> Value:
    """The base-2 logarithm of the scale factor, before biases and limits.

    Parameters
    ----------
    v
        Where code goes.
    sampler
        Address of a `SamplerBlock`.
    target
        Of the operation.
    gradients
        Changes of the coordinates to the next pixel right, and up.
    """
    sizes, rho = texels_per_unit(v, sampler, target.removeprefix("shadow_")), v.number(0)
    for gradient in gradients:
        for change, size in zip(gradient, sizes, strict=False):
            rho = greater(v, rho, v.builder.fmul(v.call("fabs", change), size))
    return log2(v, rho)
