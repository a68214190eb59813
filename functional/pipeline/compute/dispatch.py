"""Executes dispatches: all work groups in order, as many at once as fit a chunk of lanes.

The reference executes every instruction for all lanes of a chunk before the next one, so barriers need no code there.
Within an instruction memory is accessed in the order of the lanes: work groups by x, y and z, invocations of a group by
their local index.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ...activity.accesses import local_places, places
from ...execute.backend import DEFAULT_INSTRUCTION_LIMIT, Backend
from ...execute.memory import Access, ShaderMemory
from ...execute.paths import PathTable
from ...glsl.ir.program import Shader
from ..sampler import Sampler
from ..texturing.reads import Reads
from ..texturing.unit import TextureUnit

CHUNK = 1 << 14
"""Most lanes that are executed at once, unless a work group has more."""


class Dispatch(NamedTuple):
    """One dispatch, resolved.

    Attributes
    ----------
    shader
        Compute shader.
    constants
        Its constant file, float32 (n, 4).
    samplers
        Textures by sampler number.
    memory
        Buffers and images, changed in place.
    groups
        Work groups in x, y and z.
    indirect
        Identity of the buffer with the number of groups, and the first byte of it.
    """

    shader: Shader
    constants: NDArray[np.float32]
    samplers: tuple[Sampler, ...]
    memory: ShaderMemory
    groups: tuple[int, int, int]
    indirect: tuple[int, int] | None = None


class DispatchSink(Protocol):
    """Observes a dispatch."""

    @property
    def paths(self) -> PathTable:
        """The table that numbers the executed paths."""

    def add_groups(self, first: int, paths: NDArray[np.int64], accesses: list[Access], reads: list[Reads]) -> None:
        """Some work groups from a number on were executed: the path of each invocation, and in order accesses to memory
        and texture operations."""


def execute_dispatch(dispatch: Dispatch, backend: Backend, sink: DispatchSink | None = None) -> None:
    """Execute all work groups and tell the sink; see `Backend.run` for errors."""
    shader, memory = dispatch.shader, dispatch.memory
    memory.group_lanes = prod(shader.local_size)
    count = prod(dispatch.groups)
    at_once = max(1, CHUNK // memory.group_lanes)
    for first in range(0, count, at_once):
        groups = np.arange(first, min(first + at_once, count))
        memory.begin_groups(len(groups), shader.shared_bytes)
        memory.noted = None if sink is None else []
        reads: list[Reads] | None = None if sink is None else []
        texture_unit = TextureUnit(dispatch.samplers, False, reads)
        inputs = invocation_inputs(shader, groups, dispatch.groups)
        table, limit = None if sink is None else sink.paths, DEFAULT_INSTRUCTION_LIMIT
        done = backend.run(shader, inputs, dispatch.constants, texture_unit, table, limit, memory)
        if sink is not None:
            paths = np.zeros(inputs.shape[2], np.int64) if done.paths is None else done.paths.astype(np.int64)
            sink.add_groups(first, paths, memory.noted or [], reads or [])


def invocation_inputs(shader: Shader, numbers: NDArray[np.int64], groups: tuple[int, int, int]) -> NDArray[np.float32]:
    """Inputs of the invocations of some work groups.

    Parameters
    ----------
    numbers
        Numbers of the work groups, x first.
    groups
        Work groups of the dispatch in x, y and z.

    Returns
    -------
    float32 array of shape (inputs, 4, lanes)
        Bits of unsigned integers.
    """
    size = prod(shader.local_size)
    lanes = len(numbers) * size
    inputs = np.zeros((len(shader.inputs), 4, lanes), np.int32)
    for row, declaration in zip(inputs, shader.inputs, strict=True):
        if declaration.semantic == "local_id":
            row[:3] = np.tile(local_places(shader.local_size), len(numbers))
        elif declaration.semantic == "group_id":
            row[:3] = np.repeat(places(numbers, groups), size, axis=1)
        else:
            row[:3] = np.array(groups, np.int32)[:, None]
    return inputs.view(np.float32)
