"""Calls whose effect is overwritten before anything reads it.

A call that only stores values is dropped if a later one stores to all the same places before an operation that is kept
could read them. What is stored where follows from the call's key: uniforms of a program, an array of a vertex array
object, bytes of a buffer, texels of an image.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ..capture import Call
from ..gles.buffers import Buffer
from ..gles.context import Context
from ..gles.display import Display
from ..gles.listener import Listener
from ..gles.textures import Texture
from ..opengl import enums as gl

_UNIFORM = re.compile("gl(Program)?Uniform(Matrix)?[1-4].*")
_ARRAY = re.compile("glVertexAttribI?Pointer")
_CONSTANT = re.compile("glVertexAttrib(I?[1-4](f|fv|i|iv|ui|uiv))")
_FIXED_ARRAYS = frozenset({"glVertexPointer", "glColorPointer", "glNormalPointer"})
_WHOLE = "whole"


@dataclass
class Overwritten(Listener):
    """Finds such calls.

    Attributes
    ----------
    dropped
        Numbers of those found.
    """

    dropped: list[int] = field(default_factory=list)
    _values: dict[Hashable, int] = field(default_factory=dict)
    _buffers: dict[int, dict[Hashable, int]] = field(default_factory=dict)
    """Calls that wrote buffers, by the buffer and what they wrote of it; `_WHOLE` defines its size."""
    _textures: dict[int, dict[Hashable, int]] = field(default_factory=dict)
    _call: Call | None = None

    def begin(self, call: Call) -> None:
        """Note the call that is executed next."""
        self._call = call

    def read_all(self) -> None:
        """Note that anything may be read now."""
        self._values.clear()
        self._buffers.clear()
        self._textures.clear()

    def note(self, context: Context, call: Call) -> None:
        """Note a call that was executed without an error."""
        name, arguments = call.signature.name, call.arguments
        key: Hashable = None
        if _UNIFORM.fullmatch(name):
            key = _uniform(context, name, arguments)
        elif _ARRAY.fullmatch(name):
            key = "array", id(context.state.vertex_array), arguments[0] if isinstance(arguments[0], int) else -1
        elif name in _FIXED_ARRAYS:
            key = "array", id(context.state.vertex_array), name
        elif _CONSTANT.fullmatch(name):
            key = "constant", id(context), arguments[0] if isinstance(arguments[0], int) else -1
        elif name.startswith(("glMapBuffer", "glUnmapBuffer")):
            self._mapped(context, arguments)
        if key is not None:
            _replace(self._values, key, call.number, self.dropped)

    def _mapped(self, context: Context, arguments: list[Any]) -> None:
        """A mapping needs the size of the buffer."""
        target = arguments[0] if arguments else None
        elements = context.state.vertex_array.element_buffer
        bound = context.state.buffers.get(target) if isinstance(target, int) else None
        buffer = elements if target == gl.ELEMENT_ARRAY_BUFFER else bound
        if buffer is not None:
            self._buffers.get(buffer.identity, {}).pop(_WHOLE, None)

    def event(self, kind: str, call: int, **fields: Any) -> None:
        """Note that a buffer or texture was written."""
        made = self._call
        if made is None:
            return
        if kind == "buffer_update" and made.signature.name in ("glBufferData", "glBufferSubData", "memcpy"):
            self._wrote(made, fields["buffer"], fields["offset_bytes"], fields["size_bytes"])
        elif kind == "upload":
            self._uploaded(made, fields["texture"], fields["level"], fields["layer"])

    def _wrote(self, call: Call, buffer: Buffer, offset: int, size: int) -> None:
        writers = self._buffers.setdefault(buffer.identity, {})
        if call.signature.name == "glBufferData":
            self.dropped += writers.values()
            writers.clear()
            writers[_WHOLE] = call.number
        else:
            _replace(writers, (offset, size), call.number, self.dropped)

    def _uploaded(self, call: Call, texture: Texture, level: int, layer: int) -> None:
        if texture.siblings or texture.automatic_mipmap:
            self._textures.pop(texture.identity, None)
            return
        name, writers = call.signature.name, self._textures.setdefault(texture.identity, {})
        if name in ("glTexImage2D", "glCompressedTexImage2D"):
            gone = [key for key in writers if isinstance(key, tuple) and key[:2] == (level, layer)]
            self.dropped += [writers.pop(key) for key in gone]
            writers[level, layer, _WHOLE] = call.number
        elif "SubImage" in name:
            place = (level, layer, name, *(a for a in call.arguments[:-1] if isinstance(a, int)))
            _replace(writers, place, call.number, self.dropped)

    def read_texture(self, texture: Texture) -> None:
        """Note that the texels of a texture are read now."""
        self._textures.pop(texture.identity, None)

    def deleted(self, display: Display, buffers: Iterable[Buffer], textures: Iterable[Texture]) -> None:
        """Note that objects were deleted: what was written to them does not matter if nothing refers to them."""
        contexts = display.window_system.all_contexts()
        for buffer in buffers:
            writes = self._buffers.pop(buffer.identity, {})
            if writes and not any(_uses_buffer(context, buffer) for context in contexts):
                self.dropped += writes.values()
        for texture in textures:
            uploads = self._textures.pop(texture.identity, {})
            if uploads and not any(_uses_texture(context, texture) for context in contexts):
                self.dropped += uploads.values()


def _replace(writers: dict[Hashable, int], key: Hashable, call: int, dropped: list[int]) -> None:
    """Note the latest call of a key; the one before is dropped."""
    before = writers.pop(key, None)
    if before is not None:
        dropped.append(before)
    writers[key] = call


def _uniform(context: Context, name: str, arguments: list[Any]) -> Hashable:
    """Key of a call of glUniform: the link of the program, function, location and number of elements."""
    if name.startswith("glProgram"):
        program = context.group.programs.get(arguments[0]) if isinstance(arguments[0], int) else None
        arguments = arguments[1:]
    else:
        program = context.program_of("uniforms")
    if program is None or not isinstance(arguments[0], int):
        return None
    count = arguments[1] if "v" in name and isinstance(arguments[1], int) else 1
    return program.identity, name, arguments[0], count


def _uses_buffer(context: Context, buffer: Buffer) -> bool:
    """Whether a context still refers to a buffer."""
    state = context.state
    ranges = [*state.indexed_buffers.values(), *(feedback.bindings for feedback in context.feedbacks.values())]
    arrays = [*context.vertex_arrays.values(), state.vertex_array]
    bound = [
        *state.buffers.values(),
        *(binding.buffer for bindings in ranges for binding in bindings.values()),
        *(one.element_buffer for one in arrays),
        *(array.buffer for one in arrays for array in one.attributes),
        *(binding.buffer for one in arrays for binding in one.bindings.values()),
    ]
    return any(one is buffer for one in bound)


def _uses_texture(context: Context, texture: Texture) -> bool:
    """Whether a context or an EGLImage still refers to a texture."""
    attached = [a.texture for one in context.framebuffers.values() for a in one.attachments]
    shared = [image.source for image in context.group.egl_images.values()]
    units = [unit.texture for unit in context.state.image_units.values()]
    textures = [*context.state.units.values(), *attached, *shared, *units]
    return any(one is texture for one in textures)
