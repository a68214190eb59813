"""The same calls made here and, where given, on Mesa: names and locations are Mesa's, as in a captured stream."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilegpu.functional.capture import Call, Signature, Value
from tilegpu.functional.execute.backend import Backend
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.gles.display import Display
from tilegpu.functional.gles.listener import Listener
from tilegpu.functional.opengl import egl_enums as egl
from tilegpu.functional.pipeline.draw import Renderer

from .mesa import SIZE, Mesa

RETURNING = frozenset({"glCreateShader", "glCreateProgram", "glCreateShaderProgramv", "glGetUniformLocation",
                       "glGetUniformBlockIndex", "glFenceSync", "glMapBufferRange"})  # fmt: skip


class Session:
    """Contexts of one or several threads, called function by function.

    Parameters
    ----------
    version
        Major version of OpenGL ES of the first context.
    mesa
        Whether to make every call on Mesa too.
    minor
        Minor version of Mesa's context.
    backend
        Runs shaders here; numpy's without one.
    """

    def __init__(self, version: int = 3, mesa: bool = False, minor: int = 0, backend: Backend | None = None) -> None:
        self.mesa = Mesa(version, minor) if mesa else None
        self.answers: list[Value] = []
        renderer = Renderer(backend or NumpyBackend())
        self.display = Display(
            renderer.run,
            Listener(),
            lambda window, call: None,
            (SIZE, SIZE),
            lambda call, value: self.answers.append(value),
            dispatch=renderer.dispatch,
        )
        self.number, self.thread = 0, 0
        self.names: dict[str, int] = {}
        self.execute("eglCreateWindowSurface", [1, 1, 1, [egl.NONE]], 77)
        self.make_context(100, version)
        self.make_current(100)

    def execute(self, name: str, arguments: list[Any], result: Any = None) -> None:
        """Make a call here."""
        signature = _WINDOW_SYSTEM.get(name) or Signature(name, tuple(f"a{i}" for i in range(len(arguments))))
        call = Call(self.number, signature, [_plain(a) for a in arguments], self.thread)
        call.result = result
        self.number += 1
        self.answers.clear()
        self.display.execute(call)

    def make_context(self, handle: int, version: int = 3, share: int = 0) -> None:
        """A new context, sharing with another one."""
        self.execute("eglCreateContext", [1, 1, share, [egl.CONTEXT_CLIENT_VERSION, version, egl.NONE]], handle)

    def make_current(self, handle: int, thread: int = 0) -> None:
        """Make a context current in a thread, whose calls follow."""
        self.thread = thread
        self.execute("eglMakeCurrent", [1, 77, 77, handle], 1)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("gl"):
            raise AttributeError(name)
        return lambda *arguments: self.call(name, *arguments)

    def call(self, name: str, *arguments: Any) -> Any:
        """Make a call; gives the names or the location that it returns."""
        result: Any = self.mesa.call(name, *arguments) if self.mesa is not None else self._made(name, arguments)
        if name.startswith("glGen") and name != "glGenerateMipmap":
            self.execute(name, [arguments[0], result])
        else:
            self.execute(name, list(arguments), result if name in RETURNING else None)
        return result

    def _made(self, name: str, arguments: Any) -> Any:
        if name.startswith("glGen") and name != "glGenerateMipmap":
            return [self._new(name) for _ in range(arguments[0])]
        if name in ("glCreateShader", "glCreateProgram", "glCreateShaderProgramv"):
            return self._new("glCreate")
        return self._new(name) if name in RETURNING else None

    def _new(self, kind: str) -> int:
        self.names[kind] = self.names.get(kind, 0) + 1
        return self.names[kind]

    def error(self) -> int:
        """The error that is set here; glGetError clears it."""
        self.execute("glGetError", [])
        answer = self.answers[0]
        assert isinstance(answer, int)
        return answer

    def answer(self, name: str, *arguments: Any) -> Any:
        """What a query answers here; None where it is an error."""
        self.execute(name, list(arguments))
        return self.answers[0] if self.answers else None

    def program(self, vertex: str, fragment: str, **captured: Any) -> int:
        """A linked program."""
        program: int = self.call("glCreateProgram")
        for kind, source in ((0x8B31, vertex), (0x8B30, fragment)):
            shader = self.call("glCreateShader", kind)
            self.call("glShaderSource", shader, 1, [source], None)
            self.call("glCompileShader", shader)
            self.call("glAttachShader", program, shader)
        if captured:
            names = captured["names"]
            self.call("glTransformFeedbackVaryings", program, len(names), names, captured.get("mode", 0x8C8C))
        self.call("glLinkProgram", program)
        return program


_WINDOW_SYSTEM = {
    "eglCreateWindowSurface": Signature("eglCreateWindowSurface", ("dpy", "config", "win", "attrib_list")),
    "eglCreateContext": Signature("eglCreateContext", ("dpy", "config", "share_context", "attrib_list")),
    "eglBindAPI": Signature("eglBindAPI", ("api",)),
    "eglMakeCurrent": Signature("eglMakeCurrent", ("dpy", "draw", "read", "ctx")),
    "eglDestroyContext": Signature("eglDestroyContext", ("dpy", "ctx")),
}


def _plain(value: Any) -> Any:
    return value.tobytes() if isinstance(value, np.ndarray) else value
