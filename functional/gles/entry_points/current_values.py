"""Current colours, normals and texture coordinates: desktop OpenGL's functions for each type and number of components
(OpenGL 2.0, 2.7), among them those of OpenGL ES 1.1."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...capture import ArgumentError
from ...glsl.compatibility import COLOR, COORDINATE, COORDINATES, NORMAL
from ...opengl import enums as gl
from ...opengl.errors import GLError
from ..checks import check_value
from ..context import Context
from ..effects import VERTEX_ARRAYS
from .fixed_table import FixedFunctions

entry = FixedFunctions()
FIXED_ONE = 65536.0
_BITS = {"b": 8, "s": 16, "i": 32, "ub": 8, "us": 16, "ui": 32}
_REST = (0.0, 0.0, 0.0, 1.0)
"""Components that are not given."""


def _as_given(value: float) -> float:
    return value


def _from_fixed(value: float) -> float:
    return value / FIXED_ONE


def _normalized(kind: str) -> Callable[[float], float]:
    """Conversion of a type's integers to -1 … 1 or 0 … 1 (OpenGL 2.0, table 2.9)."""
    bits = _BITS.get(kind)
    if bits is None:
        return _from_fixed if kind == "x" else _as_given
    most = (1 << bits) - 1
    return (lambda value: value / most) if kind[0] == "u" else (lambda value: (2 * value + 1) / most)


def coordinate_unit(target: int) -> int:
    """Unit of texture coordinates by its enum; GLError for one that there is not."""
    unit = target - gl.TEXTURE0
    if not 0 <= unit < COORDINATES:
        raise GLError(gl.INVALID_ENUM, f"texture unit {target:#06x}")
    return unit


def _check_count(given: int, count: int) -> None:
    if given != count:
        raise ArgumentError(f"{given} arguments where {count} are expected")


def _register(name: str, count: int, location: int, convert: Callable[[float], float], suffixes: Sequence[str]) -> None:
    """A function for a current value of `count` components, and the same with v but for fixed-point numbers; unit 0's
    location stands for that of the unit which glMultiTexCoord names first."""
    by_unit = name.startswith("glMultiTexCoord")

    def write(context: Context, unit: int, values: Sequence[float]) -> None:
        check_value(len(values) >= count, f"{len(values)} numbers where {count} are expected")
        x, y, z, w = (*map(convert, values[:count]), *_REST[count:])
        context.state.constants[location + unit] = (x, y, z, w)

    def of_unit(context: Context, target: int, *values: float) -> None:
        _check_count(1 + len(values), 1 + count)
        write(context, coordinate_unit(target), values)

    def vector_of_unit(context: Context, target: int, values: Sequence[float]) -> None:
        write(context, coordinate_unit(target), values)

    def scalars(context: Context, *values: float) -> None:
        _check_count(len(values), count)
        write(context, 0, values)

    def vector(context: Context, values: Sequence[float]) -> None:
        write(context, 0, values)

    entry(*(f"{name}{s}" for s in suffixes), effect=VERTEX_ARRAYS)(of_unit if by_unit else scalars)
    if convert is not _from_fixed:
        entry(*(f"{name}v{s}" for s in suffixes), effect=VERTEX_ARRAYS)(vector_of_unit if by_unit else vector)


for _kind in ("b", "s", "i", "ub", "us", "ui", "f", "d"):
    for _count in (3, 4):
        _register(f"glColor{_count}{_kind}", _count, COLOR, _normalized(_kind), [""])
for _kind in ("b", "s", "i", "f", "d"):
    _register(f"glNormal3{_kind}", 3, NORMAL, _normalized(_kind), [""])
for _kind in ("s", "i", "f", "d"):
    for _count in range(1, 5):
        _register(f"glTexCoord{_count}{_kind}", _count, COORDINATE, _as_given, [""])
        _register(f"glMultiTexCoord{_count}{_kind}", _count, COORDINATE, _as_given, ["", "ARB"])
_register("glColor4x", 4, COLOR, _from_fixed, ["", "OES"])
_register("glNormal3x", 3, NORMAL, _from_fixed, ["", "OES"])
_register("glMultiTexCoord4x", 4, COORDINATE, _from_fixed, ["", "OES"])
