"""Bindings of the stream that is written, so that a call can act on an object whatever the program had bound.

RenderDoc notes of a call the object that it acts on, not the bindings that made it so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ...capture.recorder import Recorder
from ...opengl import enums as gl
from .chunks import ChunkError

CUBE_FACES = range(gl.TEXTURE_CUBE_MAP_POSITIVE_X, gl.TEXTURE_CUBE_MAP_POSITIVE_X + 6)


def texture_target(target: int) -> int:
    """Target that a texture is bound to, of a target that may name a face of it."""
    return gl.TEXTURE_CUBE_MAP if target in CUBE_FACES else target


class Bindings:
    """Records calls and follows what they bind.

    Parameters
    ----------
    recorder
        Records the calls.

    Attributes
    ----------
    unit
        Texture unit that is active, from 0.
    textures
        Name of a texture by unit and target.
    buffers
        Name of a buffer by target, but for indices, which belong to the vertex array object `arrays`.
    program, arrays, renderbuffer
        Names of what is bound.
    framebuffers
        Names by target: GL_DRAW_FRAMEBUFFER, GL_READ_FRAMEBUFFER.
    restores
        Whether a binding that a call needs is undone after it, as in a frame, whose calls rely on their own bindings.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.unit = self.program = self.arrays = self.renderbuffer = 0
        self.textures: dict[tuple[int, int], int] = {}
        self.buffers: dict[int, int] = {}
        self.framebuffers = {gl.DRAW_FRAMEBUFFER: 0, gl.READ_FRAMEBUFFER: 0}
        self.restores = False
        self._indices: dict[int, int] = {}

    def call(self, name: str, *arguments: Any) -> Any:
        """Record a call and follow what it binds; its result."""
        try:
            result = getattr(self.recorder, name)(*arguments)
        except TypeError as error:
            raise ChunkError(str(error)) from None
        follow = _FOLLOWED.get(name)
        if follow is not None:
            follow(self, *arguments)
        return result

    def buffer(self, target: int) -> int:
        """Name of the buffer that is bound to a target."""
        if target == gl.ELEMENT_ARRAY_BUFFER:
            return self._indices.get(self.arrays, 0)
        return self.buffers.get(target, 0)

    @contextmanager
    def texture_bound(self, target: int, name: int) -> Iterator[None]:
        """Have a texture bound to a target of the active unit."""
        target = texture_target(target)
        with self._bound("glBindTexture", target, self.textures.get((self.unit, target), 0), name):
            yield

    @contextmanager
    def buffer_bound(self, target: int, name: int) -> Iterator[None]:
        """Have a buffer bound to a target."""
        with self._bound("glBindBuffer", target, self.buffer(target), name):
            yield

    @contextmanager
    def buffer_anywhere(self, name: int) -> Iterator[int]:
        """Have a buffer bound to any target, which is returned: one that has it already, or GL_ARRAY_BUFFER."""
        targets = (target for target, bound in self.buffers.items() if bound == name)
        target = next(targets, gl.ELEMENT_ARRAY_BUFFER if self._indices.get(self.arrays) == name else gl.ARRAY_BUFFER)
        with self.buffer_bound(target, name):
            yield target

    @contextmanager
    def arrays_bound(self, name: int) -> Iterator[None]:
        """Have a vertex array object bound."""
        before = self.arrays
        if before != name:
            self.call("glBindVertexArray", name)
        yield
        if self.restores and before != name:
            self.call("glBindVertexArray", before)

    @contextmanager
    def renderbuffer_bound(self, name: int) -> Iterator[None]:
        """Have a renderbuffer bound."""
        with self._bound("glBindRenderbuffer", gl.RENDERBUFFER, self.renderbuffer, name):
            yield

    @contextmanager
    def framebuffer_bound(self, name: int, target: int | None = None) -> Iterator[int]:
        """Have a framebuffer bound to a target, or to any, which is returned."""
        if target is None:
            bound = (where for where, what in self.framebuffers.items() if what == name)
            target = next(bound, gl.DRAW_FRAMEBUFFER)
        with self._bound("glBindFramebuffer", target, self.framebuffers[target], name):
            yield target

    @contextmanager
    def both_framebuffers_bound(self, read: int, draw: int) -> Iterator[None]:
        """Have framebuffers to read from and to draw to."""
        with ExitStack() as stack:
            stack.enter_context(self.framebuffer_bound(read, gl.READ_FRAMEBUFFER))
            stack.enter_context(self.framebuffer_bound(draw, gl.DRAW_FRAMEBUFFER))
            yield

    @contextmanager
    def _bound(self, function: str, target: int, before: int, name: int) -> Iterator[None]:
        if before != name:
            self.call(function, target, name)
        yield
        if self.restores and before != name:
            self.call(function, target, before)

    def activate(self, texture: int) -> None:
        """Follow glActiveTexture."""
        self.unit = texture - gl.TEXTURE0

    def bind_texture(self, target: int, name: int) -> None:
        """Follow glBindTexture."""
        self.textures[self.unit, target] = name

    def bind_buffer(self, target: int, name: int) -> None:
        """Follow glBindBuffer."""
        if target == gl.ELEMENT_ARRAY_BUFFER:
            self._indices[self.arrays] = name
        else:
            self.buffers[target] = name

    def bind_indexed(self, target: int, index: int, name: int, *_: int) -> None:
        """Follow glBindBufferBase and glBindBufferRange."""
        self.buffers[target] = name

    def bind_arrays(self, name: int) -> None:
        """Follow glBindVertexArray."""
        self.arrays = name

    def bind_framebuffer(self, target: int, name: int) -> None:
        """Follow glBindFramebuffer."""
        for where in self.framebuffers if target == gl.FRAMEBUFFER else (target,):
            self.framebuffers[where] = name

    def bind_renderbuffer(self, target: int, name: int) -> None:
        """Follow glBindRenderbuffer."""
        self.renderbuffer = name

    def use(self, name: int) -> None:
        """Follow glUseProgram."""
        self.program = name


_FOLLOWED: dict[str, Callable[..., None]] = {
    "glActiveTexture": Bindings.activate,
    "glBindTexture": Bindings.bind_texture,
    "glBindBuffer": Bindings.bind_buffer,
    "glBindBufferBase": Bindings.bind_indexed,
    "glBindBufferRange": Bindings.bind_indexed,
    "glBindVertexArray": Bindings.bind_arrays,
    "glBindVertexArrayOES": Bindings.bind_arrays,
    "glBindFramebuffer": Bindings.bind_framebuffer,
    "glBindRenderbuffer": Bindings.bind_renderbuffer,
    "glUseProgram": Bindings.use,
}
