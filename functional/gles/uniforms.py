"""Writing uniforms into the constants of both stages (OpenGL ES 2.0, 2.10.4)."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from ..glsl import Uniform
from ..opengl import enums as gl
from ..opengl.errors import GLError
from ..opengl.limits import MAX_TEXTURE_UNITS
from .programs import Program
from .uniform_places import UniformPlace, UnitPlace, stage_place

MATRIX_COLUMNS = {
    gl.FLOAT_MAT2: 2,
    gl.FLOAT_MAT3: 3,
    gl.FLOAT_MAT4: 4,
    gl.FLOAT_MAT2x3: 2,
    gl.FLOAT_MAT2x4: 2,
    gl.FLOAT_MAT3x2: 3,
    gl.FLOAT_MAT3x4: 3,
    gl.FLOAT_MAT4x2: 4,
    gl.FLOAT_MAT4x3: 4,
}
_INTEGERS = {
    gl.INT,
    gl.INT_VEC2,
    gl.INT_VEC3,
    gl.INT_VEC4,
    gl.UNSIGNED_INT,
    gl.UNSIGNED_INT_VEC2,
    gl.UNSIGNED_INT_VEC3,
    gl.UNSIGNED_INT_VEC4,
}
_BOOLEANS = {gl.BOOL, gl.BOOL_VEC2, gl.BOOL_VEC3, gl.BOOL_VEC4}


_COMPONENTS = {
    gl.FLOAT: ("f", 1),
    gl.FLOAT_VEC2: ("f", 2),
    gl.FLOAT_VEC3: ("f", 3),
    gl.FLOAT_VEC4: ("f", 4),
    gl.INT: ("i", 1),
    gl.INT_VEC2: ("i", 2),
    gl.INT_VEC3: ("i", 3),
    gl.INT_VEC4: ("i", 4),
    gl.UNSIGNED_INT: ("ui", 1),
    gl.UNSIGNED_INT_VEC2: ("ui", 2),
    gl.UNSIGNED_INT_VEC3: ("ui", 3),
    gl.UNSIGNED_INT_VEC4: ("ui", 4),
    gl.BOOL: ("", 1),
    gl.BOOL_VEC2: ("", 2),
    gl.BOOL_VEC3: ("", 3),
    gl.BOOL_VEC4: ("", 4),
}
"""Kind ("" accepts all) and number of components of the types that are not matrices."""
_MATRIX_ROWS = {
    gl.FLOAT_MAT2: 2,
    gl.FLOAT_MAT3: 3,
    gl.FLOAT_MAT4: 4,
    gl.FLOAT_MAT2x3: 3,
    gl.FLOAT_MAT2x4: 4,
    gl.FLOAT_MAT3x2: 2,
    gl.FLOAT_MAT3x4: 4,
    gl.FLOAT_MAT4x2: 2,
    gl.FLOAT_MAT4x3: 3,
}


def _fits(uniform: Uniform, kind: str, shape: tuple[int, ...]) -> bool:
    """Whether glUniform of a kind and shape may set a uniform (OpenGL ES 3.0, 2.12.6)."""
    if shape[0] > 1 and not uniform.array_size:
        return False
    if uniform.sampler:
        return kind == "i" and shape[1:] == (1,)
    if len(shape) == 3:
        return shape[1:] == (MATRIX_COLUMNS.get(uniform.gl_type), _MATRIX_ROWS.get(uniform.gl_type))
    wanted, components = _COMPONENTS.get(uniform.gl_type, ("none", 0))
    return shape[1] == components and wanted in ("", kind)


def set_uniform(
    program: Program, location: int, values: NDArray[np.float32] | NDArray[np.int32], kind: str | None = None
) -> None:
    """Set one uniform or consecutive elements of an array.

    Parameters
    ----------
    program
        Linked program.
    location
        Location of the captured driver; -1 is ignored, as the specification says.
    values
        float32 or int32, shape (elements, components), or (elements, columns, rows) for matrices.
    kind
        f, i or ui: the kind that the uniform must accept; None sets it without a check.

    Raises
    ------
    GLError
        No uniform is known at that location, or it has another type.
    """
    if location == -1 or location in program.inactive:
        return
    uniform_and_index = program.find(location)
    if uniform_and_index is None:
        if location in program.inactive:
            return
        raise GLError(gl.INVALID_OPERATION, f"program {program.name} has no uniform at location {location}")
    uniform, first = uniform_and_index
    if kind is not None and not _fits(uniform, kind, values.shape):
        raise GLError(gl.INVALID_OPERATION, f"uniform {uniform.name} is of another type or size")
    values = values[: max(1, uniform.array_size) - first]
    if uniform.sampler:
        _set_units(program, uniform, first, values.astype(np.int64).reshape(-1))
        return
    rows = _rows(uniform, values)
    columns = MATRIX_COLUMNS.get(uniform.gl_type, 1)
    changed = False
    for slot, constants, stage in program.slots(uniform):
        start = slot + first * columns
        part = constants[start : start + len(rows)]
        rows_here = rows[: len(part), :]
        if not np.array_equal(part[:, : rows.shape[1]].view(np.uint32), rows_here.view(np.uint32)):
            part[:, : rows.shape[1]] = rows_here
            program.dirty[stage, start] = max(len(part), program.dirty.get((stage, start), 0))
            changed = True
    program.version += changed


def prepare_uniform(
    program: Program, location: int, kind: str, elements: int, columns: int, components: int
) -> UniformPlace | UnitPlace | None:
    """Destination of values that `set_uniform` accepted before; None if they are not simply copied.

    Parameters
    ----------
    kind
        f, i or ui.
    elements, columns, components
        Shape of the values; columns is 1 unless they are matrices.
    """
    size = elements * columns * components
    pack = struct.Struct(f"<{size}{'I' if kind == 'ui' else kind}").pack
    if location == -1 or location in program.inactive:
        return UniformPlace(size, pack, ())
    uniform_and_index = program.find(location)
    if uniform_and_index is None:
        return None
    uniform, first = uniform_and_index
    used = min(elements, max(1, uniform.array_size) - first)
    if uniform.sampler:
        return UnitPlace(size, _unit_places(program, uniform, first, used))
    if uniform.gl_type in _BOOLEANS:
        return None
    places = (
        stage_place(stage, constants, slot + first * columns, used * columns, components)
        for slot, constants, stage in program.slots(uniform)
    )
    return UniformPlace(size, pack, tuple(place for place in places if place is not None))


def _rows(uniform: Uniform, values: NDArray[np.float32] | NDArray[np.int32]) -> NDArray[np.float32]:
    """Values as constant slots: one row per element, or per column of a matrix."""
    if values.ndim == 3:
        return np.ascontiguousarray(values.reshape(-1, values.shape[2]), np.float32)
    if uniform.gl_type in _INTEGERS:
        return np.ascontiguousarray(values.astype(np.int32)).view(np.float32)
    if uniform.gl_type in _BOOLEANS:
        return np.ascontiguousarray(np.where(values != 0, -1, 0).astype(np.int32)).view(np.float32)
    return np.ascontiguousarray(values, np.float32)


def uniform_slots(uniform: Uniform) -> int:
    """Number of vec4 that a uniform takes in the constants of a stage."""
    return MATRIX_COLUMNS.get(uniform.gl_type, 1) * max(1, uniform.array_size)


def _set_units(program: Program, uniform: Uniform, first: int, units: NDArray[np.int64]) -> None:
    if ((units < 0) | (units >= MAX_TEXTURE_UNITS)).any():
        raise GLError(gl.INVALID_VALUE, f"texture units {units.tolist()}")
    for table, place, number in _unit_places(program, uniform, first, len(units)):
        table[place] = int(units[number])
    program.units_revision += 1
    program.version += 1


def _unit_places(program: Program, uniform: Uniform, first: int, units: int) -> tuple[tuple[list[int], int, int], ...]:
    """Destination of units from element `first` of a sampler on; see `UnitPlace`."""
    return tuple(
        (table, sampler, i)
        for samplers, table in program.unit_tables(uniform)
        for i, sampler in enumerate(samplers[first : first + units])
        if sampler >= 0
    )


def uniform_values(program: Program, location: int) -> NDArray[np.float32] | NDArray[np.int32] | None:
    """Value of a uniform or array element as glGetUniform returns it: flat, matrices by columns; None if unknown."""
    uniform_and_index = program.find(location)
    if uniform_and_index is None:
        return None
    uniform, first = uniform_and_index
    for samplers, table in program.unit_tables(uniform):
        if samplers[first] >= 0:
            return np.array([table[samplers[first]]], np.int32)
    if uniform.accessed and uniform.counter_offset is None:
        return np.array([uniform.binding + first], np.int32)
    slots = program.slots(uniform)
    if not slots:
        return None
    slot, constants, _ = slots[0]
    columns = MATRIX_COLUMNS.get(uniform.gl_type, 1)
    rows = _MATRIX_ROWS.get(uniform.gl_type) or _COMPONENTS[uniform.gl_type][1]
    part = np.ascontiguousarray(constants[slot + first * columns : slot + (first + 1) * columns, :rows])
    if uniform.gl_type in _BOOLEANS:
        return np.asarray(part.view(np.int32) != 0, np.int32).reshape(-1)
    flat = part.reshape(-1)
    return np.asarray(flat.view(np.int32), np.int32) if uniform.gl_type in _INTEGERS else flat
