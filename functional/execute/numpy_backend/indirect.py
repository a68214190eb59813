"""Registers chosen at run time."""

import numpy as np

from ...glsl.ir.program import File
from .kernels import Operation
from .registers import Registers


def gather(file: File, base: int, component: int, address: int, d: int) -> Operation:
    """Read a register whose number differs from lane to lane; numbers outside the file are clamped."""

    def run(s: Registers) -> None:
        if file is File.CONSTANT:
            index = np.clip(s.ints[address] + base, 0, len(s.constants) - 1)
            s.floats[d][:] = s.constants[index, component]
        elif file is File.INPUT:
            index = np.clip(s.ints[address] + base, 0, len(s.inputs) - 1)
            s.floats[d][:] = s.inputs[index, component, s.lane_numbers]
        elif file is File.IMMEDIATE:
            table = np.array(s.layout.shader.immediates, np.uint32).view(np.float32)
            s.floats[d][:] = table[np.clip(s.ints[address] + base, 0, len(table) - 1), component]
        else:
            index = np.clip(s.ints[address] + base, 0, s.layout.shader.temporary_count - 1)
            s.floats[d][:] = s.block[4 * index + component, s.lane_numbers]

    return run


def scatter(base: int, component: int, address: int, a: int, count: int) -> Operation:
    """Write a temporary whose number differs from lane to lane, in executing lanes; none outside the file."""

    def run(s: Registers) -> None:
        index = np.broadcast_to(s.ints[address] + base, s.lanes)
        inside = (index >= 0) & (index < count)
        if s.mask is not None:
            inside = inside & s.mask
        lanes = s.lane_numbers[inside]
        values = np.broadcast_to(s.floats[a], s.lanes)
        s.block[4 * index[inside] + component, lanes] = values[inside]

    return run
