"""Calls made on Mesa's own GLES library, in this process: what it answers and which errors it sets."""

from __future__ import annotations

import ctypes
import os
from ctypes import c_char_p, c_float, c_int, c_ubyte, c_uint, c_void_p
from typing import Any

import numpy as np

from tests.conftest import missing
from tilegpu.functional.capture import Pointer
from tilegpu.functional.opengl import egl_enums as egl

SIZE = 16


def _list(attributes: dict[int, int]) -> ctypes.Array[c_int]:
    """Attributes as EGL takes them."""
    numbers = [number for pair in attributes.items() for number in pair]
    return (c_int * (len(numbers) + 1))(*numbers, egl.NONE)


class Mesa:
    """A context of a version of OpenGL ES with a pbuffer, on Mesa's softpipe or the driver that GALLIUM_DRIVER names.

    Parameters
    ----------
    version, minor
        The version.
    size
        Width and height of the pbuffer in pixels.
    """

    def __init__(self, version: int, minor: int = 0, size: tuple[int, int] = (SIZE, SIZE)) -> None:
        os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")
        os.environ.setdefault("GALLIUM_DRIVER", "softpipe")
        os.environ["EGL_PLATFORM"] = "surfaceless"
        try:
            self.egl = ctypes.CDLL("libEGL.so.1")
            self.gles = ctypes.CDLL("libGLESv1_CM.so.1" if version == 1 else "libGLESv2.so.2")
        except OSError as error:
            missing(f"{error}; apt-get install libegl1 libgles1 libgles2 libgl1-mesa-dri")
        for name in ("eglGetDisplay", "eglCreateContext", "eglCreatePbufferSurface"):
            getattr(self.egl, name).restype = c_void_p
        self.display = c_void_p(self.egl.eglGetDisplay(c_void_p(0)))
        if not self.egl.eglInitialize(self.display, None, None):
            missing("EGL has no surfaceless display; apt-get install libegl-mesa0")
        self.egl.eglBindAPI(egl.OPENGL_ES_API)
        config, count = c_void_p(), c_int()
        renderable = {1: egl.OPENGL_ES_BIT, 2: egl.OPENGL_ES2_BIT, 3: egl.OPENGL_ES3_BIT}[version]
        wanted = {
            egl.SURFACE_TYPE: egl.PBUFFER_BIT,
            egl.RENDERABLE_TYPE: renderable,
            egl.RED_SIZE: 8,
            egl.ALPHA_SIZE: 8,
            egl.DEPTH_SIZE: 24,
            egl.STENCIL_SIZE: 8,
        }
        self.egl.eglChooseConfig(self.display, _list(wanted), ctypes.byref(config), 1, ctypes.byref(count))
        sides = _list({egl.WIDTH: size[0], egl.HEIGHT: size[1]})
        surface = c_void_p(self.egl.eglCreatePbufferSurface(self.display, config, sides))
        attributes = {egl.CONTEXT_CLIENT_VERSION: version} | ({egl.CONTEXT_MINOR_VERSION: minor} if minor else {})
        self.context = c_void_p(self.egl.eglCreateContext(self.display, config, None, _list(attributes)))
        assert self.context, f"Mesa has no OpenGL ES {version}.{minor}"
        assert self.egl.eglMakeCurrent(self.display, surface, surface, self.context)

    def close(self) -> None:
        """Let go of the context."""
        self.egl.eglMakeCurrent(self.display, None, None, None)
        self.egl.eglDestroyContext(self.display, self.context)

    def _function(self, name: str) -> Any:
        """A function of the library; extensions' have no symbol, only an address."""
        try:
            return getattr(self.gles, name)
        except AttributeError:
            self.egl.eglGetProcAddress.restype = c_void_p
            address = self.egl.eglGetProcAddress(name.encode())
            assert address, f"{name} is unknown to Mesa"
            return ctypes.CFUNCTYPE(c_uint)(address)

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a function; names that glGen makes, and what glGet fills in, are the result."""
        function = self._function(name)
        function.restype = c_void_p if name in ("glFenceSync", "glMapBufferRange") else c_uint
        if name.startswith("glGet") and name.endswith("Location"):
            function.restype = c_int
        if name.startswith("glGen") and name != "glGenerateMipmap":
            made = (c_uint * max(1, arguments[0]))()
            function(c_int(arguments[0]), made)
            return list(made)[: max(0, arguments[0])]
        return function(*[_argument(name, a) for a in arguments])

    def get(self, name: str, *arguments: Any, count: int = 1) -> list[float]:
        """Numbers that a query fills in."""
        kind: Any = c_float if name.endswith(("fv", "Floatv")) else ctypes.c_int64 if "64" in name else c_int
        if name == "glGetBooleanv":
            kind = c_ubyte
        out = (kind * max(count, 16))()
        getattr(self.gles, name)(*[_argument(name, a) for a in arguments], out)
        return list(out)[:count]

    def text(self, name: int) -> str:
        """What glGetString answers."""
        function = self.gles.glGetString
        function.restype = c_char_p
        return str(function(c_uint(name)).decode())

    def error(self) -> int:
        """The error that is set."""
        return int(self.call("glGetError"))


def _argument(name: str, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, Pointer):
        return c_void_p(int(value))
    if isinstance(value, float):
        return c_float(value)
    if isinstance(value, int):
        # Wide enough for sizes and offsets; a narrower parameter takes the lower half of the register.
        return ctypes.c_int64(value)
    if isinstance(value, np.ndarray):
        return value.ctypes.data_as(c_void_p)
    if isinstance(value, bytes):
        return ctypes.create_string_buffer(value, max(1, len(value)))
    if isinstance(value, str):
        return c_char_p(value.encode())
    if value and isinstance(value[0], str):
        return (c_char_p * len(value))(*[v.encode() for v in value])
    return ((c_float if value and isinstance(value[0], float) else c_int) * max(1, len(value)))(*value)
