"""Names of enums and flags by the arguments that take them, for streams that hold only numbers."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from . import egl_enums, enums

_ENUM_ARGUMENTS = """
target type cap pname format internalformat func sfactor dfactor sfactorRGB dfactorRGB sfactorAlpha dfactorAlpha src
dst srcRGB dstRGB srcAlpha dstAlpha modeRGB modeAlpha face fail zfail zpass sfail dpfail dppass attachment textarget
renderbuffertarget usage access identifier shadertype precisiontype primitiveMode bufferMode programInterface opcode
light source filter readTarget writeTarget mode
"""
_ENUMS = frozenset(_ENUM_ARGUMENTS.split())
"""Arguments of OpenGL ES that are enums in every function."""
_OTHERS = frozenset(
    {
        ("glActiveTexture", "texture"),
        ("glClientActiveTexture", "texture"),
        ("glGetString", "name"),
        ("glGetStringi", "name"),
        ("glReadBuffer", "src"),
        ("glFenceSync", "condition"),
        ("glClearBufferfv", "buffer"),
        ("glClearBufferiv", "buffer"),
        ("glClearBufferuiv", "buffer"),
        ("glClearBufferfi", "buffer"),
        ("eglBindAPI", "api"),
    }
)
_SYMBOLIC = frozenset({"param", "params", "bufs", "attachments"})
"""Arguments that are numbers or enums: they have names from `_LEAST` on."""
_LEAST = 0x0200
_MASKS = MappingProxyType(
    {
        ("glClear", "mask"): ("COLOR_BUFFER_BIT", "DEPTH_BUFFER_BIT", "STENCIL_BUFFER_BIT"),
        ("glBlitFramebuffer", "mask"): ("COLOR_BUFFER_BIT", "DEPTH_BUFFER_BIT", "STENCIL_BUFFER_BIT"),
    }
)
_BLENDING = frozenset(name for name in _ENUMS if name[:3].lower() in ("sfa", "dfa", "src", "dst"))


def _reversed(module: object) -> MappingProxyType[int, str]:
    """Names by number, the first of each number; small numbers mean something else in every group."""
    names: dict[int, str] = {}
    for name, number in vars(module).items():
        if name.isupper() and type(number) is int and number >= _LEAST:
            names.setdefault(number, name)
    return MappingProxyType(names)


_GL, _EGL = _reversed(enums), _reversed(egl_enums)


def enum_name(function: str, argument: str, number: int) -> str | None:
    """Name of the value of an argument, such as GL_TRIANGLES, or None if it has none.

    Parameters
    ----------
    function, argument
        The names of both.
    number
        The value, or an element of it.
    """
    masks = _MASKS.get((function, argument))
    if masks is not None:
        return flag_names(number, [(f"GL_{name}", getattr(enums, name)) for name in masks])
    if function.startswith("egl"):
        is_egl = argument == "attrib_list" or (function, argument) in _OTHERS
        return _prefixed("EGL_", _EGL.get(number)) if is_egl else None
    if argument == "mode" and function.startswith(("glDraw", "glMultiDraw")):
        return _prefixed("GL_", enums.TOPOLOGIES.get(number))
    if argument in _ENUMS or (function, argument) in _OTHERS or _symbolic(function, argument):
        if argument in _BLENDING and number in (0, 1):
            return "GL_ONE" if number else "GL_ZERO"
        return _prefixed("GL_", _GL.get(number))
    return None


def _symbolic(function: str, argument: str) -> bool:
    """Whether an argument may be an enum; answers to queries may be any numbers."""
    return argument in _SYMBOLIC and not function.startswith("glGet")


def _prefixed(prefix: str, name: str | None) -> str | None:
    return None if name is None else prefix + name


def flag_names(number: int, flags: Iterable[tuple[str, int]]) -> str:
    """Flags of a number as `A | B`, with what has no name in hexadecimal."""
    names, rest = [], number
    for name, bits in flags:
        if (bits and rest & bits == bits) or (not bits and not number):
            names.append(name)
            rest &= ~bits
    return " | ".join(names + ([f"0x{rest:x}"] if rest or not names else []))
