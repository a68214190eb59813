"""The recorder: OpenGL ES functions as Python methods; their calls are written to an apitrace file.

`eglretrace` can replay the file on any driver, so every scene recorded here has an independent reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from ..opengl import egl_enums as egl
from ..opengl import enums as gl
from .call import Call, Double, Pointer, Signature, Value
from .signatures import ARGUMENTS, FILLED, RETURNING, SIGNATURES, Argument, Kind
from .writer import TraceWriter

DISPLAY, CONFIG, CONTEXT, SURFACE, WINDOW = (Pointer(0x1000 + 16 * i) for i in range(5))
_CONFIG = {
    egl.RED_SIZE: 8,
    egl.GREEN_SIZE: 8,
    egl.BLUE_SIZE: 8,
    egl.ALPHA_SIZE: 8,
    egl.DEPTH_SIZE: 24,
    egl.STENCIL_SIZE: 8,
    egl.RENDERABLE_TYPE: egl.OPENGL_ES2_BIT,
}
_RENDERABLE = {0: egl.OPENGL_BIT, 1: egl.OPENGL_ES_BIT, 2: egl.OPENGL_ES2_BIT, 3: egl.OPENGL_ES3_BIT}
"""Bit of EGL_RENDERABLE_TYPE by version of OpenGL ES."""
_NUMBERED = {"glGetUniformLocation": gl.UNIFORM, "glGetUniformBlockIndex": gl.UNIFORM_BLOCK,
             "glGetProgramResourceIndex": 0, "glGetProgramResourceLocation": 0}  # fmt: skip
"""Functions that number what a program has, and the interface where it is no argument of theirs."""


class Recorder:
    """Records a program.

    Every function of `SIGNATURES` is a method: `recorder.glClear(0x4000)`. Functions that make names return them
    (`glCreateShader`, `glGenTextures`, `glGetUniformLocation` …). numpy arrays become the bytes or numbers that the
    function takes. The last argument of glVertexAttribPointer and glDrawElements is an integer for an offset into the
    bound buffer, or bytes for a client-side array.

    Parameters
    ----------
    path
        File to write.
    width, height
        Size of the window in pixels.
    version
        Version of OpenGL ES to ask for: the major number alone, or both as a pair, such as (3, 1); None for desktop
        OpenGL, of which streams use what OpenGL ES has as well.
    config
        EGL attributes of the window's configuration (`tilegpu.functional.opengl.egl_enums`), such as {SAMPLES: 4}; the
        default is RGBA8 with 24 bits of depth and 8 of stencil.
    properties
        Notes to write into the file.
    surface
        EGL attributes of the window, such as those of EGL_ANGLE_window_fixed_size.

    Examples
    --------
    >>> with Recorder("red.trace", 64, 64) as gl:
    ...     gl.glClearColor(1, 0, 0, 1)
    ...     gl.glClear(0x4000)
    ...     gl.swap()
    """

    def __init__(
        self,
        path: Path | str,
        width: int,
        height: int,
        version: int | tuple[int, int] | None = 2,
        config: dict[int, int] | None = None,
        properties: dict[str, str] | None = None,
        surface: dict[int, int] | None = None,
    ) -> None:
        self._writer = TraceWriter(path, {"process.name": "tilegpu recorder"} | (properties or {}))
        self._names: dict[str, int] = {}
        self._resources: dict[tuple[bool, int, int], dict[str, int]] = {}
        self._begin((width, height), version, config or {}, surface or {})

    def _begin(
        self,
        size: tuple[int, int],
        version: int | tuple[int, int] | None,
        config: dict[int, int],
        surface: dict[int, int],
    ) -> None:
        major, minor = version if isinstance(version, tuple) else (version or 0, 0)
        self._record("eglGetDisplay", [Pointer(0)], DISPLAY)
        self._record("eglInitialize", [DISPLAY, [1], [5]], True)
        self._record("eglBindAPI", [egl.OPENGL_ES_API if version is not None else egl.OPENGL_API], True)
        wanted = _CONFIG | {egl.RENDERABLE_TYPE: _RENDERABLE.get(major, egl.OPENGL_ES2_BIT)} | config
        self._record("eglChooseConfig", [DISPLAY, _attributes(wanted), [CONFIG], 1, [1]], True)
        self._record("eglCreateWindowSurface", [DISPLAY, CONFIG, WINDOW, _attributes(surface)], SURFACE)
        asked: list[Value] = [egl.CONTEXT_CLIENT_VERSION, major] if version is not None else []
        asked += [egl.CONTEXT_MINOR_VERSION, minor] if minor else []
        self._record("eglCreateContext", [DISPLAY, CONFIG, None, [*asked, egl.NONE]], CONTEXT)
        self._record("eglMakeCurrent", [DISPLAY, SURFACE, SURFACE, CONTEXT], True)
        # The tracer records the window's size this way; the format has no other place for it.
        self._record("glViewport", [0, 0, *size], fake=True)
        self._record("glScissor", [0, 0, *size], fake=True)

    def _record(self, name: str, arguments: list[Value], result: Value = None, fake: bool = False) -> None:
        call = Call(0, SIGNATURES.get(name) or Signature(name, ()), arguments)
        call.result = result
        call.fake = fake
        self._writer.write(call)

    @contextmanager
    def group(self, label: str) -> Iterator[None]:
        """Give a debug label to everything recorded within the block."""
        self.glPushGroupMarkerEXT(len(label), label)
        yield
        self.glPopGroupMarkerEXT()

    def swap(self) -> None:
        """End a frame."""
        self._record("eglSwapBuffers", [DISPLAY, SURFACE], True)

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.__exit__(kind, error, trace)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in SIGNATURES or not name.startswith("gl"):
            raise AttributeError(f"the recorder has no function {name}")

        def function(*arguments: Any) -> Any:
            return self._call(name, arguments)

        function.__name__ = name
        return function

    def __dir__(self) -> list[str]:
        return sorted([*super().__dir__(), *(n for n in SIGNATURES if n.startswith("gl"))])

    def _call(self, name: str, given: tuple[Any, ...]) -> Any:
        signature = SIGNATURES[name]
        expected = len(signature.arguments) - len(FILLED[name])
        if len(given) != expected:
            raise TypeError(
                f"{name} takes {expected} arguments ({', '.join(signature.arguments[:expected])}), got {len(given)}"
            )
        arguments = [_plain(name, argument, a) for argument, a in zip(ARGUMENTS[name], given, strict=False)]
        result: Value = None
        if name.startswith("glGen") and FILLED[name]:
            made: list[Value] = [self._new(signature.arguments[1]) for _ in range(given[0])]
            arguments.append(made)
            self._record(name, arguments)
            return made
        if name in _NUMBERED:
            result = self._numbered(name, given)
        elif name in RETURNING:
            result = self._result(name)
        arguments += [None] * len(FILLED[name])
        fake = name.endswith("Pointer") and isinstance(arguments[-1], bytes)
        self._record(name, arguments, result, fake)
        return result

    def _numbered(self, name: str, given: tuple[Any, ...]) -> int:
        """Index or location of something in a program: those of an interface count from 0 as they are asked for."""
        program, interface, resource = given if len(given) == 3 else (given[0], _NUMBERED[name], given[1])
        numbers = self._resources.setdefault((name.endswith("Location"), program, interface), {})
        return numbers.setdefault(resource, len(numbers))

    def _result(self, name: str) -> Value:
        if name.startswith("glCreate"):
            return self._new("shaders and programs")
        if name in ("glMapBufferRange", "glMapBufferOES", "glFenceSync"):
            # Far enough apart that mappings do not overlap.
            return Pointer(self._new("addresses") << 32)
        results: dict[str, Value] = {
            "glCheckFramebufferStatus": gl.FRAMEBUFFER_COMPLETE,
            "glUnmapBuffer": 1,
            "glUnmapBufferOES": 1,
            "glGetString": "",
        }
        return results.get(name, 0)

    def write_mapped(self, address: int, data: np.ndarray | bytes) -> None:
        """Record bytes written to mapped memory, as the tracer does before a flush or an unmap."""
        content = data if isinstance(data, bytes) else np.ascontiguousarray(data).tobytes()
        self._record("memcpy", [Pointer(address), content, len(content)], fake=True)

    def _new(self, kind: str) -> int:
        self._names[kind] = self._names.get(kind, 0) + 1
        return self._names[kind]

    def program(self, vertex: str, fragment: str, attributes: tuple[str, ...] = ()) -> int:
        """Compile, attach and link a program; attributes get locations 0, 1 … in the order given."""
        return self._linked({gl.VERTEX_SHADER: vertex, gl.FRAGMENT_SHADER: fragment}, attributes)

    def compute_program(self, source: str) -> int:
        """Compile, attach and link a program that is a compute shader (OpenGL ES 3.1)."""
        return self._linked({gl.COMPUTE_SHADER: source})

    def _linked(self, sources: dict[int, str], attributes: tuple[str, ...] = ()) -> int:
        program: int = self.glCreateProgram()
        for kind, source in sources.items():
            shader = self.glCreateShader(kind)
            self.glShaderSource(shader, 1, [source], None)
            self.glCompileShader(shader)
            self.glAttachShader(program, shader)
        for location, name in enumerate(attributes):
            self.glBindAttribLocation(program, location, name)
        self.glLinkProgram(program)
        return program


def _attributes(pairs: dict[int, int]) -> list[Value]:
    """A list of attributes as EGL takes it."""
    return [*(number for pair in pairs.items() for number in pair), egl.NONE]


def _plain(name: str, argument: Argument, given: Any) -> Value:
    """An argument as the file stores it."""
    if argument.kind is Kind.PLACE and isinstance(given, int):
        return Pointer(given)
    if isinstance(given, np.ndarray):
        if argument.kind in (Kind.MEMORY, Kind.PLACE):
            return np.ascontiguousarray(given).tobytes()
        return [_number(argument.kind, v.item()) for v in given.reshape(-1)]
    if isinstance(given, np.generic):
        return given.item()  # type: ignore[no-any-return]
    if isinstance(given, list | tuple):
        return [_plain(name, argument, element) for element in given]
    if isinstance(given, bytes | str | int | float | None):
        return _number(argument.kind, given)
    raise TypeError(f"{name}: {argument.name} cannot be {type(given).__name__}")


def _number(kind: Kind, given: Value) -> Value:
    """Whole numbers for float parameters become floats, as the tracer writes them."""
    if kind is Kind.DOUBLE and isinstance(given, int | float):
        return Double(given)
    if kind is Kind.FLOAT and isinstance(given, int) and not isinstance(given, bool):
        return float(given)
    return given
