"""Entry points of fixed functions, which contexts of OpenGL ES 2.0 and later and of desktop's core profile lack."""

from __future__ import annotations

from ...capture import Call
from ...opengl import enums as gl
from ...opengl.errors import GLError
from ..context import Context
from ..effects import Effect
from .table import EntryPoints, Handler


class FixedFunctions(EntryPoints):
    """Entry points that are an error in a context without fixed functions."""

    def _enter(self, names: tuple[str, ...], handler: Handler, effect: Effect) -> None:
        def checked(context: Context, call: Call) -> None:
            if not context.fixed_functions:
                raise GLError(gl.INVALID_OPERATION, "a fixed function, which this context's API lacks")
            handler(context, call)

        super()._enter(names, checked, effect)
