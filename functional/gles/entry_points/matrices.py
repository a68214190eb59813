"""Entry points of matrices: those of OpenGL ES 1.1 (2.10.2), and desktop's for double numbers and rows (OpenGL 2.0,
2.11.2)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence

import numpy as np

from ...capture import ArgumentError
from ...opengl import enums as gl
from ...opengl.errors import GLError
from ..context import Context
from ..effects import UNIFORMS
from ..fixed.state import IDENTITY, MAX_STACK, MODELVIEW, PROJECTION, TEXTURE, Matrix
from .fixed_table import FixedFunctions

entry = FixedFunctions()
FIXED_ONE = 65536.0


def _stack(context: Context) -> list[Matrix]:
    return context.fixed.stack(context.state.active_unit)


def _multiply(context: Context, matrix: Matrix) -> None:
    stack = _stack(context)
    with np.errstate(all="ignore"):
        stack[-1] = stack[-1] @ matrix


@entry(effect=UNIFORMS)
def glMatrixMode(context: Context, mode: int) -> None:
    if mode not in (MODELVIEW, PROJECTION, TEXTURE):
        raise GLError(gl.INVALID_ENUM, f"matrix mode {mode:#06x}")
    context.fixed.matrix_mode = mode


@entry(effect=UNIFORMS)
def glLoadIdentity(context: Context) -> None:
    _stack(context)[-1] = IDENTITY


@entry(effect=UNIFORMS)
def glPushMatrix(context: Context) -> None:
    stack = _stack(context)
    if len(stack) >= MAX_STACK:
        raise GLError(gl.STACK_OVERFLOW, f"more than {MAX_STACK} matrices")
    stack.append(stack[-1])


@entry(effect=UNIFORMS)
def glPopMatrix(context: Context) -> None:
    stack = _stack(context)
    if len(stack) == 1:
        raise GLError(gl.STACK_UNDERFLOW, "the last matrix cannot be popped")
    stack.pop()


def _columns(values: Sequence[float]) -> Matrix:
    if len(values) < 16:
        raise GLError(gl.INVALID_VALUE, f"a matrix of {len(values)} numbers")
    return np.array(values[:16], np.float64).reshape(4, 4).T


@entry("glLoadMatrixf", "glLoadMatrixd", effect=UNIFORMS)
def glLoadMatrixf(context: Context, values: Sequence[float]) -> None:
    _stack(context)[-1] = _columns(values)


@entry("glMultMatrixf", "glMultMatrixd", effect=UNIFORMS)
def glMultMatrixf(context: Context, values: Sequence[float]) -> None:
    _multiply(context, _columns(values))


@entry(*(f"glLoadTransposeMatrix{kind}" for kind in ("f", "d", "fARB", "dARB")), effect=UNIFORMS)
def glLoadTransposeMatrixf(context: Context, values: Sequence[float]) -> None:
    _stack(context)[-1] = _columns(values).T


@entry(*(f"glMultTransposeMatrix{kind}" for kind in ("f", "d", "fARB", "dARB")), effect=UNIFORMS)
def glMultTransposeMatrixf(context: Context, values: Sequence[float]) -> None:
    _multiply(context, _columns(values).T)


@entry(effect=UNIFORMS)
def glLoadMatrixx(context: Context, values: Sequence[float]) -> None:
    _stack(context)[-1] = _columns(values) / FIXED_ONE


@entry(effect=UNIFORMS)
def glMultMatrixx(context: Context, values: Sequence[float]) -> None:
    _multiply(context, _columns(values) / FIXED_ONE)


def translation(x: float, y: float, z: float) -> Matrix:
    """Matrix of glTranslate."""
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def scaling(x: float, y: float, z: float) -> Matrix:
    """Matrix of glScale."""
    return np.diag([x, y, z, 1.0])


def rotation(degrees: float, x: float, y: float, z: float) -> Matrix:
    """Matrix of glRotate: about an axis through the origin."""
    length = float(np.sqrt(x * x + y * y + z * z))
    if not length > 0:
        return np.eye(4)
    x, y, z = x / length, y / length, z / length
    c, s = float(np.cos(np.radians(degrees))), float(np.sin(np.radians(degrees)))
    matrix = np.eye(4)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    axis = np.array([x, y, z])
    matrix[:3, :3] = c * np.eye(3) + s * cross + (1 - c) * np.outer(axis, axis)
    return matrix


def _span(low: float, high: float) -> float:
    if low == high:
        raise GLError(gl.INVALID_VALUE, "an empty view volume")
    return high - low


def frustum(left: float, right: float, bottom: float, top: float, near: float, far: float) -> Matrix:
    """Matrix of glFrustum."""
    if near <= 0 or far <= 0:
        raise GLError(gl.INVALID_VALUE, "near and far must be positive")
    w, h, d = _span(left, right), _span(bottom, top), _span(near, far)
    return np.array(
        [
            [2 * near / w, 0, (right + left) / w, 0],
            [0, 2 * near / h, (top + bottom) / h, 0],
            [0, 0, -(far + near) / d, -2 * far * near / d],
            [0, 0, -1, 0],
        ]
    )


def orthographic(left: float, right: float, bottom: float, top: float, near: float, far: float) -> Matrix:
    """Matrix of glOrtho."""
    w, h, d = _span(left, right), _span(bottom, top), _span(near, far)
    return np.array(
        [
            [2 / w, 0, 0, -(right + left) / w],
            [0, 2 / h, 0, -(top + bottom) / h],
            [0, 0, -2 / d, -(far + near) / d],
            [0, 0, 0, 1],
        ]
    )


def _register(name: str, make: Callable[..., Matrix], doubles: str) -> None:
    """glNamef with floats, glNamex with 16.16 fixed-point numbers, and desktop's function for doubles."""

    count = len(inspect.signature(make).parameters)

    def floats(context: Context, *values: float) -> None:
        if len(values) != count:
            raise ArgumentError(f"{len(values)} arguments where {count} are expected")
        with np.errstate(all="ignore"):
            matrix = make(*values)
        _multiply(context, matrix)

    def fixed(context: Context, *values: float) -> None:
        floats(context, *(value / FIXED_ONE for value in values))

    entry(f"{name}f", f"{name}fOES", doubles, effect=UNIFORMS)(floats)
    entry(f"{name}x", f"{name}xOES", effect=UNIFORMS)(fixed)


for _name, _make, _doubles in (
    ("glTranslate", translation, "glTranslated"),
    ("glScale", scaling, "glScaled"),
    ("glRotate", rotation, "glRotated"),
    ("glFrustum", frustum, "glFrustum"),
    ("glOrtho", orthographic, "glOrtho"),
):
    _register(_name, _make, _doubles)
