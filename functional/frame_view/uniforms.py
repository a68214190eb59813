"""Uniforms of a draw by name, with their values as text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..call_text import float_text
from ..glsl.gl_types import gl_type
from ..glsl.types import ArrayType
from ..opengl import enums as gl
from ..pipeline.command import DrawCommand

MAX_ELEMENTS = 64
"""Most elements of an array that are listed."""
_KINDS = {"float": gl.FLOAT_VEC2, "int": gl.INT_VEC2, "bool": gl.BOOL_VEC2, "uint": gl.UNSIGNED_INT_VEC2}
_SCALARS = {"float": gl.FLOAT, "int": gl.INT, "bool": gl.BOOL, "uint": gl.UNSIGNED_INT}
_PREFIXES = {"float": "vec", "int": "ivec", "bool": "bvec", "uint": "uvec"}
_MATRICES = {
    getattr(gl, f"FLOAT_MAT{name}"): (f"mat{name}", int(name[0]), int(name[-1]))
    for name in ("2", "3", "4", "2x3", "2x4", "3x2", "3x4", "4x2", "4x3")
}


def _types() -> dict[int, tuple[str, str, int, int]]:
    """GLSL name, kind, columns and rows by enumerant."""
    types = {enum: (kind, kind, 1, 1) for kind, enum in _SCALARS.items()}
    for kind, first in _KINDS.items():
        types |= {first + rows - 2: (f"{_PREFIXES[kind]}{rows}", kind, 1, rows) for rows in (2, 3, 4)}
    return types | {enum: (name, "float", columns, rows) for enum, (name, columns, rows) in _MATRICES.items()}


TYPES = _types()


def uniform_rows(command: DrawCommand) -> list[tuple[str, str, str]]:
    """Name, type and value of each uniform that is no sampler, and of the members of uniform blocks.

    Matrices are given by rows, as they are written in mathematics.
    """
    program, rows = command.state.program, []
    for uniform in program.uniforms:
        if uniform.gl_type not in TYPES or not uniform.slots:
            continue
        stage, slot = next(iter(uniform.slots.items()))
        constants = command.state.constants.of(stage)
        columns = TYPES[uniform.gl_type][2]
        for element in range(min(max(1, uniform.array_size), MAX_ELEMENTS)):
            part = constants[slot + element * columns : slot + (element + 1) * columns]
            name = f"{uniform.name.removesuffix('[0]')}[{element}]" if uniform.array_size else uniform.name
            if len(part) == columns:
                rows.append((name, TYPES[uniform.gl_type][0], _value(part, uniform.gl_type)))
    return rows + _block_rows(command)


def _block_rows(command: DrawCommand) -> list[tuple[str, str, str]]:
    rows = []
    for block in command.state.program.blocks:
        if not block.slots:
            continue
        stage, slot = next(iter(block.slots.items()))
        data = np.ascontiguousarray(command.state.constants.of(stage)[slot:]).view(np.float32).reshape(-1)
        for member in block.members:
            enum = gl_type(member.type)
            count = member.type.size if isinstance(member.type, ArrayType) else 0
            for element in range(min(max(1, count), MAX_ELEMENTS)):
                first = (member.offset_bytes + element * member.array_stride_bytes) // 4
                part = _member(data[first:], enum, member.matrix_stride_bytes // 4, member.row_major)
                if part is not None:
                    name = f"{block.name}: {member.name}" + (f"[{element}]" if count else "")
                    rows.append((name, TYPES[enum][0], _value(part, enum)))
    return rows


def _member(data: NDArray[np.float32], enum: int, stride: int, row_major: bool) -> NDArray[np.float32] | None:
    """Columns of a member, each padded to four components; None where the constants end before it."""
    _, _, columns, rows = TYPES[enum]
    lines, length = (rows, columns) if row_major else (columns, rows)
    if len(data) < (lines - 1) * stride + length:
        return None
    part = np.zeros((lines, 4), np.float32)
    for line in range(lines):
        part[line, :length] = data[line * stride : line * stride + length]
    if not row_major:
        return part
    turned = np.zeros((columns, 4), np.float32)
    turned[:, :rows] = part[:rows, :columns].T
    return turned


def _value(part: NDArray[np.float32], enum: int) -> str:
    _, kind, columns, rows = TYPES[enum]
    part = np.ascontiguousarray(part[:, :rows])
    if kind == "float":
        texts = [[float_text(float(value)) for value in column] for column in part]
    elif kind == "bool":
        texts = [[str(value != 0).lower() for value in column] for column in part.view(np.int32).tolist()]
    else:
        texts = [[str(value) for value in column] for column in part.view(np.dtype(f"{kind}32")).tolist()]
    if columns == 1:
        return ", ".join(texts[0])
    return "\n".join(", ".join(column[row] for column in texts) for row in range(rows))
