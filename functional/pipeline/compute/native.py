"""Executes dispatches by kernels of whole shaders, which run all work groups without returning to Python."""

from __future__ import annotations

from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from ...activity.accesses import local_places
from ...compile.addresses import address
from ...compile.blocks import Block, block_of, place_of
from ...execute.backend import Backend, ComputeKernel, endless
from ...execute.kernel_arguments import ComputeArguments
from ...execute.memory import ShaderMemory
from ...glsl.ir.analysis import graded_samplers
from ..fused.sampler_blocks import sampler_blocks
from ..texturing.unit import probes
from .dispatch import Dispatch

MAX_WORDS = 1 << 31
RECORDED = "its accesses to memory are recorded"
GRADED = "a texture that is filtered anisotropically is sampled with gradients"
LARGE = f"a texture, an image or the number of groups is {MAX_WORDS} or more"
SCATTERED = "its memory is not in one piece"
_ALIGNMENT = 64
_NO_SAMPLERS = np.zeros(1, np.int64)
_FAILED = place_of(ComputeArguments, "failed")


def compute_kernel(dispatch: Dispatch, recorded: bool, backend: Backend) -> ComputeKernel | str:
    """The kernel that executes a dispatch, or the reason why there is none."""
    if recorded:
        return RECORDED
    shader, memory = dispatch.shader, dispatch.memory
    if dispatch.samplers and any(probes(dispatch.samplers[number]) > 1 for number in graded_samplers(shader)):
        return GRADED
    arrays = [*(buffer.words for buffer in memory.buffers), *(image.pixels for image in memory.images)]
    if not all(array.flags.c_contiguous for array in arrays):
        return SCATTERED
    texels = [sampler.storage.texels.size for sampler in dispatch.samplers if sampler.storage is not None]
    if max([*texels, *(image.pixels.size for image in memory.images), prod(dispatch.groups)]) >= MAX_WORDS:
        return LARGE
    kernel = backend.compute_kernel(shader, tuple(image.format for image in memory.images))
    return f"compute shader: {kernel}" if isinstance(kernel, str) else kernel


def run_kernel(dispatch: Dispatch, kernel: ComputeKernel) -> None:
    """Execute all work groups; see `Backend.run` for errors."""
    block = _arguments(dispatch, kernel)
    kernel.call(block.address)
    if block.words[_FAILED]:
        raise endless(dispatch.shader)


def _arguments(dispatch: Dispatch, kernel: ComputeKernel) -> Block:
    """The arguments for all groups."""
    shader = dispatch.shader
    constants = np.ascontiguousarray(dispatch.constants, np.float32)
    # Programs have hundreds of small dispatches, most without textures.
    samplers = sampler_blocks(shader, dispatch.samplers, kernel) if shader.samplers else _NO_SAMPLERS
    buffers, images = _table(dispatch.memory)
    local, state, shared = (
        _places(shader.local_size, kernel.width),
        _room(kernel.state_bytes),
        _room(shader.shared_bytes + 4),
    )
    columns, rows, layers = dispatch.groups
    arguments = ComputeArguments(
        constants=address(constants),
        samplers=address(samplers),
        buffers=address(buffers),
        images=address(images),
        local=address(local),
        state=address(state),
        shared=address(shared),
        columns=columns,
        rows=rows,
        layers=layers,
        first=0,
        last=prod(dispatch.groups),
    )
    return block_of(arguments, constants, samplers, buffers, images, local, state, shared)


def _table(memory: ShaderMemory) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Buffers and images as the kernel takes them; see `ComputeArguments`."""
    buffers = [(address(b.words), min(len(b.words), MAX_WORDS - 1), b.size_bytes) for b in memory.buffers]
    images = [(address(image.pixels), *image.size) for image in memory.images]
    return np.array(buffers, np.int64), np.array(images, np.int64)


@lru_cache(maxsize=64)
def _places(group: tuple[int, int, int], width: int) -> NDArray[np.int32]:
    """Local places of the invocations of a group, with room for a whole number of vectors."""
    size = prod(group)
    local = np.zeros((3, -(-size // width) * width), np.int32)
    local[:, :size] = local_places(group)
    return local


def _room(size: int) -> NDArray[np.uint8]:
    """Memory that begins with a cache line."""
    room = np.empty(size + _ALIGNMENT, np.uint8)
    return room[-address(room) % _ALIGNMENT :]
