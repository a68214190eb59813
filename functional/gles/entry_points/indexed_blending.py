"""Entry points of blending per draw buffer (EXT_draw_buffers_indexed, OpenGL ES 3.2, 15.1.5 and 15.2.1)."""

from __future__ import annotations

from ...opengl import enums as gl
from ...opengl.enums import WEIGHTED_EQUATIONS
from ...opengl.limits import MAX_DRAW_BUFFERS
from ..checks import check_enum, check_value
from ..context import Context
from ..effects import FIXED_STAGES
from .table import EntryPoints

entry = EntryPoints()


def _names(name: str) -> tuple[str, str, str]:
    return name, f"{name}EXT", f"{name}OES"


def check_buffer(number: int) -> None:
    """INVALID_VALUE for a draw buffer that there is none of."""
    check_value(0 <= number < MAX_DRAW_BUFFERS, f"draw buffer {number} of {MAX_DRAW_BUFFERS}")


def _enable(context: Context, target: int, number: int, on: bool) -> None:
    check_enum(target, (gl.BLEND,), "capability of draw buffers")
    check_buffer(number)
    context.state.blend_buffer(number, enabled=on)


@entry(*_names("glEnablei"), effect=FIXED_STAGES)
def glEnablei(context: Context, target: int, number: int) -> None:
    _enable(context, target, number, True)


@entry(*_names("glDisablei"), effect=FIXED_STAGES)
def glDisablei(context: Context, target: int, number: int) -> None:
    _enable(context, target, number, False)


@entry.answers(*_names("glIsEnabledi"))
def glIsEnabledi(context: Context, target: int, number: int) -> bool:
    check_enum(target, (gl.BLEND,), "capability of draw buffers")
    check_buffer(number)
    own = context.state.blend_buffers.get(number)
    return own.enabled if own is not None and own.enabled is not None else gl.BLEND in context.state.enabled


@entry(*_names("glBlendEquationi"), effect=FIXED_STAGES)
def glBlendEquationi(context: Context, number: int, mode: int) -> None:
    check_buffer(number)
    check_enum(mode, gl.BLEND_EQUATIONS, "blend equation")
    context.state.blend_buffer(number, equation=(mode, mode))


@entry(*_names("glBlendEquationSeparatei"), effect=FIXED_STAGES)
def glBlendEquationSeparatei(context: Context, number: int, rgb: int, alpha: int) -> None:
    check_buffer(number)
    for mode in (rgb, alpha):
        check_enum(mode, WEIGHTED_EQUATIONS.values(), "blend equation")
    context.state.blend_buffer(number, equation=(rgb, alpha))


@entry(*_names("glBlendFunci"), effect=FIXED_STAGES)
def glBlendFunci(context: Context, number: int, source: int, destination: int) -> None:
    glBlendFuncSeparatei(context, number, source, destination, source, destination)


@entry(*_names("glBlendFuncSeparatei"), effect=FIXED_STAGES)
def glBlendFuncSeparatei(
    context: Context, number: int, source_rgb: int, destination_rgb: int, source_alpha: int, destination_alpha: int
) -> None:
    check_buffer(number)
    function = (source_rgb, destination_rgb, source_alpha, destination_alpha)
    for factor in function:
        check_enum(factor, gl.BLEND_FACTORS, "blend factor")
    context.state.blend_buffer(number, function=function)


@entry(*_names("glColorMaski"), effect=FIXED_STAGES)
def glColorMaski(context: Context, number: int, red: int, green: int, blue: int, alpha: int) -> None:
    check_buffer(number)
    context.state.blend_buffer(number, mask=(bool(red), bool(green), bool(blue), bool(alpha)))
