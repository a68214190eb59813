"""Entry points that only set state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps

from ...glsl.compatibility import COLOR
from ...opengl import enums as gl
from ...opengl.enums import WEIGHTED_EQUATIONS
from ...opengl.errors import GLError, Unsupported
from ...opengl.limits import MAX_VIEWPORT
from ..arguments import clamped, signless
from ..checks import check_enum
from ..context import Context
from ..effects import FIXED_STAGES, HARMLESS, OBJECTS, PARAMETERS, VIEWPORT, Effect
from ..state import HINTS, PIXEL_STORE
from .table import EntryPoints

entry = EntryPoints()


def _check_capability(context: Context, cap: int) -> None:
    exists = cap in gl.CAPABILITIES or cap in gl.IGNORED_CAPABILITIES
    exists |= context.fixed_functions and (cap in gl.FIXED_CAPABILITIES or cap == gl.TEXTURE_2D)
    exists |= context.desktop and cap in gl.DESKTOP_CAPABILITIES
    if context.desktop and not exists:
        raise Unsupported(f"capability {cap:#06x}, which OpenGL ES lacks")
    check_enum(cap, {cap} if exists else (), "capability")


@entry(effect=FIXED_STAGES)
def glEnable(context: Context, cap: int) -> None:
    _check_capability(context, cap)
    if cap == gl.TEXTURE_2D:
        context.fixed.texturing.add(context.state.active_unit)
    elif cap in gl.FIXED_CAPABILITIES or cap in gl.DESKTOP_CAPABILITIES:
        context.fixed.enabled.add(cap)
    else:
        context.state.enabled.add(cap)
    _changed(context, cap)


@entry(effect=FIXED_STAGES)
def glDisable(context: Context, cap: int) -> None:
    if not context.desktop:
        _check_capability(context, cap)
    if cap == gl.TEXTURE_2D:
        context.fixed.texturing.discard(context.state.active_unit)
    if cap == gl.COLOR_MATERIAL and cap in context.fixed.enabled:
        context.fixed.keep_tracked(context.state.constants[COLOR])
        context.group.changed(PARAMETERS)
    context.fixed.enabled.discard(cap)
    context.state.enabled.discard(cap)
    _changed(context, cap)


def _changed(context: Context, cap: int) -> None:
    """Note capabilities that are not of the fixed-function stages alone: of the render target, of draw buffers."""
    if cap == gl.FRAMEBUFFER_SRGB:
        context.group.changed(OBJECTS)
    elif cap == gl.BLEND:
        context.state.blend_all_buffers("enabled")


@entry(effect=VIEWPORT)
def glViewport(context: Context, x: int, y: int, width: int, height: int) -> None:
    if width < 0 or height < 0:
        raise GLError(gl.INVALID_VALUE, f"viewport of {width}x{height}")
    context.state.viewport = (x, y, min(width, MAX_VIEWPORT), min(height, MAX_VIEWPORT))


@entry(effect=FIXED_STAGES)
def glScissor(context: Context, x: int, y: int, width: int, height: int) -> None:
    if width < 0 or height < 0:
        raise GLError(gl.INVALID_VALUE, f"scissor of {width}x{height}")
    context.state.scissor = (x, y, width, height)


@entry("glDepthRangef", "glDepthRange", effect=FIXED_STAGES)
def glDepthRangef(context: Context, near: float, far: float) -> None:
    context.state.depth_range = (clamped(near), clamped(far))


def _color(context: Context, *values: float) -> tuple[float, float, float, float]:
    """A colour, not clamped: values beyond 0…1 matter for float framebuffers (OpenGL ES 3.0, 4.1.7 and 4.2.3)."""
    r, g, b, a = values if context.version >= 2 else (clamped(v) for v in values)
    return float(r), float(g), float(b), float(a)


@entry(effect=HARMLESS)
def glClearColor(context: Context, red: float, green: float, blue: float, alpha: float) -> None:
    context.state.clear_color = _color(context, red, green, blue, alpha)


@entry("glClearDepthf", "glClearDepth", effect=HARMLESS)
def glClearDepthf(context: Context, depth: float) -> None:
    context.state.clear_depth = clamped(depth)


@entry(effect=HARMLESS)
def glClearStencil(context: Context, value: int) -> None:
    context.state.clear_stencil = value


@entry(effect=FIXED_STAGES)
def glColorMask(context: Context, red: int, green: int, blue: int, alpha: int) -> None:
    context.state.color_mask = (bool(red), bool(green), bool(blue), bool(alpha))
    context.state.blend_all_buffers("mask")


@entry(effect=FIXED_STAGES)
def glDepthMask(context: Context, flag: int) -> None:
    context.state.depth_mask = bool(flag)


@entry(effect=FIXED_STAGES)
def glDepthFunc(context: Context, function: int) -> None:
    _check(function, gl.COMPARISONS)
    context.state.depth_function = function


@entry(effect=FIXED_STAGES)
def glCullFace(context: Context, mode: int) -> None:
    check_enum(mode, (gl.FRONT, gl.BACK, gl.FRONT_AND_BACK), "face")
    context.state.cull_face = mode


@entry(effect=FIXED_STAGES)
def glFrontFace(context: Context, mode: int) -> None:
    _check(mode, gl.WINDINGS)
    context.state.front_face = mode


@entry(effect=FIXED_STAGES)
def glPolygonOffset(context: Context, factor: float, units: float) -> None:
    context.state.polygon_offset = (signless(factor), signless(units))


@entry(effect=FIXED_STAGES)
def glLineWidth(context: Context, width: float) -> None:
    if not width > 0:
        raise GLError(gl.INVALID_VALUE, f"line width {width}")
    context.state.line_width = float(width)


@entry(effect=FIXED_STAGES)
def glBlendColor(context: Context, red: float, green: float, blue: float, alpha: float) -> None:
    r, g, b, a = _color(context, red, green, blue, alpha)
    context.state.blend_color = (signless(r), signless(g), signless(b), signless(a))


@entry(effect=FIXED_STAGES)
def glBlendEquation(context: Context, mode: int) -> None:
    _check(mode, gl.BLEND_EQUATIONS)
    _blend_by(context, mode, mode)


@entry("glBlendEquationSeparate", "glBlendEquationSeparateOES", effect=FIXED_STAGES)
def glBlendEquationSeparate(context: Context, rgb: int, alpha: int) -> None:
    _check(rgb, WEIGHTED_EQUATIONS.values())
    _check(alpha, WEIGHTED_EQUATIONS.values())
    _blend_by(context, rgb, alpha)


def _blend_by(context: Context, rgb: int, alpha: int) -> None:
    context.state.blend_equation = (rgb, alpha)
    context.state.blend_all_buffers("equation")


@entry(effect=FIXED_STAGES)
def glBlendFunc(context: Context, source: int, destination: int) -> None:
    glBlendFuncSeparate(context, source, destination, source, destination)


@entry("glBlendFuncSeparate", "glBlendFuncSeparateOES", effect=FIXED_STAGES)
def glBlendFuncSeparate(
    context: Context, source_rgb: int, destination_rgb: int, source_alpha: int, destination_alpha: int
) -> None:
    for factor in (source_rgb, destination_rgb, source_alpha, destination_alpha):
        _check(factor, gl.BLEND_FACTORS)
    if context.version == 1:
        # There, SRC_ALPHA_SATURATE is a factor of the source only.
        check_enum(destination_rgb, gl.BLEND_FACTORS.keys() - {gl.SRC_ALPHA_SATURATE}, "destination factor")
    context.state.blend_function = (source_rgb, destination_rgb, source_alpha, destination_alpha)
    context.state.blend_all_buffers("function")


@entry(effect=FIXED_STAGES)
def glSampleCoverage(context: Context, value: float, invert: int) -> None:
    context.state.sample_coverage = (clamped(value), bool(invert))


@entry(effect=FIXED_STAGES)
def glStencilFunc(context: Context, function: int, reference: int, mask: int) -> None:
    glStencilFuncSeparate(context, gl.FRONT_AND_BACK, function, reference, mask)


@entry(effect=FIXED_STAGES)
def glStencilFuncSeparate(context: Context, face: int, function: int, reference: int, mask: int) -> None:
    _check(function, gl.COMPARISONS)
    _set_stencil(context, face, function=function, reference=min(max(reference, 0), 255), mask=mask)


@entry(effect=FIXED_STAGES)
def glStencilMask(context: Context, mask: int) -> None:
    _set_stencil(context, gl.FRONT_AND_BACK, write_mask=mask)


@entry(effect=FIXED_STAGES)
def glStencilMaskSeparate(context: Context, face: int, mask: int) -> None:
    _set_stencil(context, face, write_mask=mask)


@entry(effect=FIXED_STAGES)
def glStencilOp(context: Context, fail: int, depth_fail: int, depth_pass: int) -> None:
    glStencilOpSeparate(context, gl.FRONT_AND_BACK, fail, depth_fail, depth_pass)


@entry(effect=FIXED_STAGES)
def glStencilOpSeparate(context: Context, face: int, fail: int, depth_fail: int, depth_pass: int) -> None:
    for operation in (fail, depth_fail, depth_pass):
        _check(operation, gl.STENCIL_OPERATIONS)
    _set_stencil(context, face, fail=fail, depth_fail=depth_fail, depth_pass=depth_pass)


@entry()
def glPixelStorei(context: Context, name: int, value: int) -> None:
    check_enum(name, PIXEL_STORE, "pixel store parameter")
    which, part = PIXEL_STORE[name]
    if value < 0 or (part == "alignment" and value not in (1, 2, 4, 8)):
        raise GLError(gl.INVALID_VALUE, f"{value}")
    setattr(context.state, which, replace(getattr(context.state, which), **{part: value}))


@entry()
def glHint(context: Context, target: int, mode: int) -> None:
    allowed = (
        {gl.GENERATE_MIPMAP_HINT, gl.FRAGMENT_SHADER_DERIVATIVE_HINT}
        if context.version >= 2
        else HINTS.keys() - {gl.FRAGMENT_SHADER_DERIVATIVE_HINT}
    )
    if not context.desktop:
        check_enum(target, allowed, "hint")
    check_enum(mode, (gl.DONT_CARE, gl.FASTEST, gl.NICEST), "hint mode")
    context.state.hints[target] = mode


@entry(effect=HARMLESS)
def glFlush(context: Context) -> None:
    return


@entry(effect=HARMLESS)
def glFinish(context: Context) -> None:
    return


@entry()
def glReleaseShaderCompiler(context: Context) -> None:
    return


def _check(value: int, allowed: object) -> None:
    if value not in allowed:  # type: ignore[operator]
        raise GLError(gl.INVALID_ENUM, f"{value:#06x} is not one of the values allowed")


def _set_stencil(context: Context, face: int, **fields: int) -> None:
    _check(face, (gl.FRONT, gl.BACK, gl.FRONT_AND_BACK))
    if face != gl.BACK:
        context.state.stencil_front = context.state.stencil_front._replace(**fields)
    if face != gl.FRONT:
        context.state.stencil_back = context.state.stencil_back._replace(**fields)


@entry("glSampleCoveragex", "glSampleCoveragexOES", effect=FIXED_STAGES)
def glSampleCoveragex(context: Context, value: float, invert: int) -> None:
    glSampleCoverage(context, value / 65536.0, invert)


def _fixed_point(name: str, setter: Callable[..., None], effect: Effect) -> None:
    """Register the variant of OpenGL ES 1.1 that takes 16.16 fixed-point numbers."""

    @wraps(setter)
    def function(context: Context, *values: float) -> None:
        setter(context, *(value / 65536.0 for value in values))

    entry(f"{name}x", f"{name}xOES", effect=effect)(function)


_fixed_point("glClearColor", glClearColor, HARMLESS)
_fixed_point("glClearDepth", glClearDepthf, HARMLESS)
_fixed_point("glDepthRange", glDepthRangef, FIXED_STAGES)
_fixed_point("glLineWidth", glLineWidth, FIXED_STAGES)
_fixed_point("glPolygonOffset", glPolygonOffset, FIXED_STAGES)
