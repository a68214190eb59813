"""Makes the calls of a recorded trace on Mesa: `python -m tests.compute.mesa_player TRACE` writes the bytes of every
range mapped for reading and of every glReadPixels."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, cast

import numpy as np

from tests.gles.mesa import Mesa
from tilegpu.functional.capture import Call, Trace
from tilegpu.functional.opengl import egl_enums as egl
from tilegpu.functional.opengl import enums as gl

from .mesa_checks import check
from .mesa_module import write

COMPONENTS = {0x1908: 4, 0x8D99: 4, 0x1903: 1, 0x8D94: 1}
"""By format: RGBA, RGBA_INTEGER, RED, RED_INTEGER."""
BYTES = {0x1401: 1, 0x1405: 4, 0x1404: 4, 0x1406: 4}
"""By type of a component."""


class Player:
    """Plays calls of one context. But for shaders and programs, Mesa has to make the names of the trace."""

    def __init__(self) -> None:
        self.answers: list[bytes] = []
        self.version: tuple[int, int] | None = None
        self.mesa: Mesa | None = None
        self.mapped: dict[int, int] = {}
        self.made: dict[int, int] = {}
        self.locations: dict[tuple[int, int], int] = {}
        self.blocks: dict[tuple[int, int], int] = {}
        self.program = 0

    def play(self, call: Call) -> None:
        """Make a call."""
        arguments: list[Any] = list(call.arguments)
        if call.name == "eglCreateContext":
            listed: Any = call["attrib_list"]
            asked = dict(zip(listed[::2], listed[1::2], strict=False))
            self.version = asked[egl.CONTEXT_CLIENT_VERSION], asked.get(egl.CONTEXT_MINOR_VERSION, 0)
        elif call.name == "glViewport" and call.fake and self.version is not None:
            self.mesa = Mesa(*self.version, size=(arguments[2], arguments[3]))
        if call.name == "memcpy":
            address, content, length = arguments
            ctypes.memmove(self.mapped[address], content, length)
        elif self.mesa is not None and call.name.startswith("gl"):
            self._played(call, arguments, self.mesa)
        elif call.name == "eglSwapBuffers" and self.mesa is not None:
            assert self.mesa.error() == 0, f"an error before call {call.number}"

    def _played(self, call: Call, arguments: list[Any], mesa: Mesa) -> None:
        name = call.name
        if name == "glReadPixels":
            self._read(mesa, arguments)
        elif not name.startswith("glGet") or name.endswith(("Location", "Index")):
            self._note(call, mesa.call(name, *self._translated(call, arguments)))
            if name in ("glCompileShader", "glLinkProgram"):
                check(mesa, name, self.made[arguments[0]])

    def _translated(self, call: Call, arguments: list[Any]) -> list[Any]:
        """Arguments with Mesa's names of shaders and programs, and its locations and indices."""
        name, names = call.name, call.signature.arguments
        out = [
            self.made.get(a, a) if of in ("program", "shader") else a for of, a in zip(names, arguments, strict=True)
        ]
        if name == "glUniformBlockBinding":
            out[1] = self.blocks[arguments[0], arguments[1]]
        elif name.startswith("glUniform"):
            out[0] = self.locations.get((self.program, arguments[0]), arguments[0])
        elif name.startswith("glProgramUniform"):
            out[1] = self.locations.get((arguments[0], arguments[1]), arguments[1])
        elif name == "glUseProgram":
            self.program = arguments[0]
        return out

    def _note(self, call: Call, result: Any) -> None:
        """Keep what Mesa gave for what the trace has."""
        name, given, arguments = call.name, cast(Any, call.result), cast(list[Any], call.arguments)
        if name.startswith("glGen") and name != "glGenerateMipmap":
            assert result == arguments[1], f"call {call.number}: Mesa made other names"
        elif name.startswith("glCreate"):
            self.made[given] = result
        elif name in ("glGetUniformLocation", "glGetProgramResourceLocation"):
            assert result >= 0, f"call {call.number}: no uniform {arguments[-1]!r}"
            self.locations[arguments[0], given] = result
        elif name == "glGetUniformBlockIndex":
            self.blocks[arguments[0], given] = result
        elif name == "glMapBufferRange":
            assert result, f"call {call.number}: nothing is mapped"
            self.mapped[given] = result
            if arguments[3] & gl.MAP_READ_BIT:
                self.answers.append(ctypes.string_at(result, arguments[2]))

    def _read(self, mesa: Mesa, arguments: list[Any]) -> None:
        _, _, width, height, layout, kind, _ = arguments
        size = width * height * COMPONENTS[layout] * BYTES[kind]
        out = np.zeros(size, np.uint8)
        mesa.call("glReadPixels", *arguments[:6], out)
        self.answers.append(out.tobytes())


def answers(trace: str) -> list[bytes]:
    """Play a file."""
    player = Player()
    for call in Trace(trace):
        player.play(call)
    return player.answers


def main() -> None:
    """Play the file that the argument names."""
    write(lambda: answers(sys.argv[1]))


if __name__ == "__main__":
    main()
