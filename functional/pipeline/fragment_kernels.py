"""Fragment shading by a program's kernel: interpolation, shader and texture operations in one call per chunk."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..execute.backend import DEFAULT_INSTRUCTION_LIMIT, Backend, ExecutionError, Kernel
from ..execute.kernel_arguments import (
    WRAP_CLAMP,
    WRAP_MIRROR,
    WRAP_POWER_OF_TWO,
    WRAP_REPEAT,
    FragmentField,
    ReadField,
)
from ..glsl.ir.program import Shader
from .command import DrawCommand, Sampler, Storage
from .geometry import Geometry
from .rasterization import Quads
from .texture_filter import CLAMP_TO_EDGE, LINEAR, MIRRORED_REPEAT
from .texturing import MAX_LOD_BIAS, Reads

IDENTITY = (0, 1, 2, 3)
MOST_TEXELS = 1 << 29
_ONE = np.zeros(1, np.int64)
BLACK = Storage(np.array([0, 0, 0, 255], np.uint8), _ONE, _ONE + 1, _ONE + 1, _ONE + 1)
"""What an incomplete texture reads."""


def chosen_kernel(draw: DrawCommand, geometry: Geometry, backend: Backend, recording: bool) -> Kernel | None:
    """The kernel that shades a draw, or None where only the back end's general way does.

    Parameters
    ----------
    draw, geometry
        What is drawn.
    backend
        Executes shaders.
    recording
        Whether executed paths are recorded; kernels do not tell them.
    """
    if geometry.outputs.shape[1] < least_outputs(draw):
        return None
    return state_kernel(draw, geometry.size, backend, recording)


def least_outputs(draw: DrawCommand) -> int:
    """Components of the vertices' outputs that the varyings of the fragment shader reach."""
    return max((4 * d.slot + 4 for d in draw.program.fragment.inputs if d.semantic == "varying"), default=0)


def state_kernel(draw: DrawCommand, size: int, backend: Backend, recording: bool) -> Kernel | None:
    """`chosen_kernel` as far as the state and the corners of a primitive decide it."""
    shader = draw.program.fragment
    if recording and any(i.opcode in ("UIF", "BGNLOOP") for i in shader.instructions):
        return None
    if not all(map(_plain, draw.fragment_samplers)):
        return None
    flat = frozenset(v.slot for v in draw.program.varyings if v.interpolation == "flat")
    return backend.fragment_kernel(shader, flat, size)


def _plain(sampler: Sampler) -> bool:
    """Whether a kernel can sample a texture."""
    storage = sampler.storage
    if storage is None:
        return True
    probed = sampler.anisotropy > 1 and bool(sampler.min_filter & 1)
    flat = sampler.target == "2d" and storage.texels.dtype == np.uint8 and storage.texels.size < 4 * MOST_TEXELS
    return flat and not probed and sampler.compare < 0


def address(array: NDArray[Any]) -> int:
    """Where an array's first element lies; the array must outlive its use."""
    return int(array.__array_interface__["data"][0])


def _bits(value: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", value))[0])


def _wrap(mode: int, size: int) -> int:
    if mode == CLAMP_TO_EDGE:
        return WRAP_CLAMP
    if mode == MIRRORED_REPEAT:
        return WRAP_MIRROR
    return WRAP_REPEAT if size & (size - 1) else WRAP_POWER_OF_TWO


def sampler_block(sampler: Sampler) -> list[int]:
    """A texture as the kernels' texture unit takes it: the fields of `kernel_arguments.SamplerField` in order."""
    storage = sampler.storage or BLACK
    width, height = int(storage.widths[0]), int(storage.heights[0])
    mipmaps = 0 if sampler.min_filter < 0x2700 else 1 if sampler.min_filter < 0x2702 else 2
    min_linear, mag_linear = sampler.min_filter & 1, int(sampler.mag_filter == LINEAR)
    bias = min(max(sampler.lod_bias, -MAX_LOD_BIAS), MAX_LOD_BIAS)
    swizzle = IDENTITY if sampler.storage is None else sampler.swizzle
    return [
        address(storage.texels),
        address(storage.first_texels),
        width,
        height,
        len(storage.widths) - 1,
        min_linear,
        mag_linear,
        mipmaps,
        int(mipmaps > 0 or min_linear != mag_linear),
        _wrap(sampler.wrap_s, width),
        _wrap(sampler.wrap_t, height),
        _bits(bias),
        _bits(sampler.min_lod),
        _bits(sampler.max_lod),
        int(swizzle != IDENTITY),
        *swizzle,
    ]


class KernelShading:
    """The kernel of a draw with its arguments; shades chunks of a batch of quads.

    Parameters
    ----------
    kernel
        From `chosen_kernel`.
    draw, geometry, quads
        What is drawn.
    recording
        Whether texture reads are noted.
    """

    def __init__(self, kernel: Kernel, draw: DrawCommand, geometry: Geometry, quads: Quads, recording: bool) -> None:
        self.kernel, self.shader, self.draw, self.recording = kernel, draw.program.fragment, draw, recording
        samplers = [value for sampler in draw.fragment_samplers for value in sampler_block(sampler)]
        constants = np.ascontiguousarray(draw.fragment_constants, np.float32)
        # Whatever the block points at lives as long as this.
        self._samplers = np.array(samplers or [0], np.int64)
        self._kept = (constants, quads, geometry)
        block = self.block = np.zeros(len(FragmentField), np.int64)
        for field, array in (
            (FragmentField.PRIMITIVE, quads.primitive),
            (FragmentField.QUAD_X, quads.x),
            (FragmentField.QUAD_Y, quads.y),
            (FragmentField.CORNERS, geometry.corners),
            (FragmentField.WINDOW, geometry.window),
            (FragmentField.OUTPUTS, geometry.outputs),
            (FragmentField.PLANES, geometry.planes),
            (FragmentField.FRONT, geometry.front),
            (FragmentField.CONSTANTS, constants),
            (FragmentField.SAMPLERS, self._samplers),
        ):
            assert array.flags.c_contiguous
            block[field] = address(array)
        block[FragmentField.OUTPUT_STRIDE] = geometry.outputs.shape[1]
        block[FragmentField.LIMIT] = DEFAULT_INSTRUCTION_LIMIT
        block[FragmentField.IMPLICIT], block[FragmentField.EXPLICIT] = kernel.texture_unit

    def shade(self, which: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.bool_] | None, list[Reads]]:
        """Results of some quads, by position in the batch.

        Returns
        -------
        float32 (outputs, 4, lanes), bool (lanes,) or None, list of Reads
            Outputs, discarded lanes, and texture operations in order of execution. Lanes are those of the quads, and
            of some more that mean nothing.

        Raises
        ------
        ExecutionError
            A loop does not come to its end.
        """
        block, shader, step = self.block, self.shader, self.kernel.width
        row = (4 * len(which) + step - 1) // step * step
        results = np.empty((len(shader.outputs), 4, row), np.float32)
        killed = np.empty(row, np.bool_) if shader.discards else None
        block[FragmentField.COUNT], block[FragmentField.ROW] = len(which), row
        block[FragmentField.WHICH] = address(which)
        block[FragmentField.RESULTS] = address(results)
        block[FragmentField.KILLED] = 0 if killed is None else address(killed)
        reads = new_reads(shader, row) if self.recording else []
        notes = np.array([field for r in reads for field in note_block(r, row)] or [0], np.int64)
        block[FragmentField.READS] = address(notes) if reads else 0
        self.kernel.call(address(block))
        if block[FragmentField.FAILED]:
            raise endless(self.draw)
        return results, killed, told_reads(self.draw, reads, 4 * len(which))


def new_reads(shader: Shader, row: int) -> list[Reads]:
    """Rows of all lanes for every texture operation of a shader without flow, for a kernel to fill."""
    return [
        Reads(
            pc,
            sampler,
            np.empty((2, row), np.int8),
            np.zeros((2, row), np.int32),
            np.zeros((2, row), np.int32),
            np.zeros(row, np.int32),
            np.empty(row, np.bool_),
            None,
        )
        for pc, sampler in texture_operations(shader)
    ]


def told_reads(draw: DrawCommand, reads: list[Reads], lanes: int) -> list[Reads]:
    """What is recorded: nothing of incomplete textures, and levels counted from the texture's first."""
    told = []
    for r in reads:
        sampler = draw.fragment_samplers[r.sampler]
        if sampler.storage is None:
            continue
        levels = r.levels[:, :lanes]
        if sampler.base_level:
            levels[levels >= 0] += sampler.base_level
        told.append(
            Reads(r.pc, r.sampler, levels, r.x[:, :lanes], r.y[:, :lanes], r.face[:lanes], r.linear[:lanes], None)
        )
    return told


def endless(draw: DrawCommand) -> ExecutionError:
    """What to raise where a fragment shader does not come to its end."""
    name = draw.program.fragment.name
    return ExecutionError(
        f"{name}: more than {DEFAULT_INSTRUCTION_LIMIT} instructions executed; does a loop never end?"
    )


def texture_operations(shader: Shader) -> list[tuple[int, int]]:
    """Position and sampler of each texture instruction."""
    return [
        (pc, i.sampler)
        for pc, i in enumerate(shader.instructions)
        if i.info.shape == "texture" and i.sampler is not None
    ]


def note_block(reads: Reads, row: int) -> list[int]:
    block = [0] * len(ReadField)
    for field, array in (
        (ReadField.LEVELS, reads.levels),
        (ReadField.X, reads.x),
        (ReadField.Y, reads.y),
        (ReadField.LINEAR, reads.linear),
    ):
        block[field] = address(array)
    block[ReadField.ROW] = row
    return block
