"""Entry points of desktop OpenGL, of every profile: what only OpenGL ES 1.1 has as well, or no version."""

from __future__ import annotations

from ...capture import Call
from ...glsl.compatibility import POINT_SIZE
from ...opengl import enums as gl
from ...opengl.errors import GLError, Unsupported
from ..checks import check_enum
from ..context import Context
from ..effects import FIXED_STAGES, HARMLESS, POINTS, Effect
from .table import EntryPoints, Handler

FIXED_ONE = 65536.0


class _OfAnyProfile(EntryPoints):
    """Entry points that are an error in contexts of OpenGL ES 2.0 and later."""

    def _enter(self, names: tuple[str, ...], handler: Handler, effect: Effect) -> None:
        def checked(context: Context, call: Call) -> None:
            if not (context.desktop or context.fixed_functions):
                raise GLError(gl.INVALID_OPERATION, "a function of desktop OpenGL")
            handler(context, call)

        super()._enter(names, checked, effect)


entry = _OfAnyProfile()


@entry(effect=POINTS)
def glPointSize(context: Context, size: float) -> None:
    if not size > 0:
        raise GLError(gl.INVALID_VALUE, f"point size {size}")
    context.fixed.point_size = size
    if context.fixed_functions:
        context.state.constants[POINT_SIZE] = (size, 0.0, 0.0, 1.0)


@entry("glPointSizex", "glPointSizexOES", effect=POINTS)
def glPointSizex(context: Context, size: float) -> None:
    glPointSize(context, size / FIXED_ONE)


@entry(effect=FIXED_STAGES)
def glLogicOp(context: Context, operation: int) -> None:
    check_enum(operation, range(gl.CLEAR, gl.SET + 1), "logical operation")
    context.fixed.logic_operation = operation


@entry(effect=HARMLESS)
def glPolygonMode(context: Context, face: int, mode: int) -> None:
    check_enum(mode, (gl.POINT, gl.LINE, gl.FILL), "polygon mode")
    if mode != gl.FILL:
        raise Unsupported("polygons as points or lines; they are filled")
