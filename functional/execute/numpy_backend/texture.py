"""Texture instructions as requests."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...glsl.ir.program import Instruction
from ..backend import TextureRequest
from .kernels import Operation
from .registers import Registers

_DIMENSIONS = {"2d": 2, "external": 2, "cube": 3, "3d": 3, "2d_array": 3, "2d_ms": 2}
_OPERATIONS: dict[str, Literal["implicit", "bias", "lod", "grad", "fetch", "size", "gather"]] = {
    "TEX": "implicit",
    "TXP": "implicit",
    "TEX2": "implicit",
    "TXB": "bias",
    "TXB2": "bias",
    "TXL": "lod",
    "TXL2": "lod",
    "TXD": "grad",
    "TXF": "fetch",
    "TXQ": "size",
    "TG4": "gather",
}


def _stack(s: Registers, rows: Sequence[int]) -> NDArray[np.float32]:
    """Rows as one array, wide."""
    out = np.empty((len(rows), s.lanes), np.float32)
    for target, row in zip(out, rows, strict=True):
        np.copyto(target.view(np.int32), s.ints[row])
    return out


def texture_operation(
    pc: int, instruction: Instruction, operands: Sequence[int], rows: Sequence[int], components: Sequence[int]
) -> Operation:
    """A texture instruction: build the request, distribute the texels.

    Parameters
    ----------
    operands : sequence of int
        Rows of all four components of each source, in order.
    rows : sequence of int
        Rows of the ``components`` of the result.
    """
    target = str(instruction.target)
    shadow = target.startswith("shadow_")
    count = _DIMENSIONS[target.removeprefix("shadow_")]
    operation = _OPERATIONS[instruction.opcode]
    sampler = instruction.sampler
    assert sampler is not None

    def run(s: Registers) -> None:
        coordinates = _stack(s, operands[:count])
        lod: NDArray[np.float32] | None = None
        gradients: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None
        reference: NDArray[np.float32] | None = None
        if instruction.opcode == "TXP":
            coordinates /= s.floats[operands[3]]
        elif operation in ("bias", "lod", "fetch"):
            lod = _stack(s, [operands[4] if instruction.opcode.endswith("2") else operands[3]])[0]
        elif operation == "size":
            lod = coordinates[0]
        elif operation == "grad":
            gradients = _stack(s, operands[4 : 4 + count]), _stack(s, operands[8 : 8 + count])
        if shadow:
            reference = _stack(s, [operands[2] if target == "shadow_2d" else operands[3]])[0]
            if instruction.opcode == "TXP":
                reference /= s.floats[operands[3]]
        gathered = int(s.ints[operands[4]][0]) if operation == "gather" else 0
        request = TextureRequest(
            pc, sampler, operation, coordinates, lod, gradients, instruction.offsets, reference, s.mask, gathered
        )
        texels = s.sample(request)
        for row, component in zip(rows, components, strict=True):
            np.copyto(s.floats[row], texels[component])

    return run
