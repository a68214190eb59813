"""Memory that operations other than draws, clears and dispatches access: copies, uploads, reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..capture import Call
from ..gles.buffers import Buffer
from ..gles.context import Context
from ..gles.frame_ends import READS
from ..gles.framebuffers import Attachment, Framebuffer
from ..gles.surfaces import Window
from ..gles.textures import Texture
from ..opengl import enums as gl
from .accesses import attachments_of, mipmap_access
from .memory import NONE, Memory, Numbers, memory_of
from .operations import Access

BY_PROGRAM = frozenset({"glBufferData", "glBufferSubData", "glBufferStorage", "glBufferStorageEXT", "memcpy"})
"""Calls by which the program itself writes a buffer."""


class CallInContext(NamedTuple):
    """A call, and the context that is current for it, if there is one."""

    call: Call
    context: Context | None


def event_accesses(memory: Memory, called: CallInContext, kind: str, fields: dict[str, Any]) -> Iterator[Access]:
    """Memory that an event of a call accesses, as a `Listener` gets it."""
    if kind == "generate_mipmap":
        yield mipmap_access(memory, fields["texture"])
    elif kind == "copy":
        written = memory.array(fields["texture"].images[fields["level"], fields["layer"]])
        replaces = written if _covers(fields["box"], fields) else NONE
        yield Access("copy", _colors(memory, fields["source"]), written, replaces)
    elif kind in ("blit", "resolve"):
        written = memory.array(fields["goal"].color())
        whole = _blits_all(called, fields["goal"], fields["source"], fields["framebuffer"])
        yield Access("blit", _colors(memory, fields["source"]), written, written if whole else NONE)
    elif kind == "upload":
        place, whole = (fields["level"], fields["layer"]), _covers(fields["box"], fields)
        yield from _upload(memory, called.context, fields["texture"], place, whole)
    elif kind == "buffer_update":
        yield from _update(memory, called, fields["buffer"], fields["offset_bytes"] == 0 and fields["size_bytes"])
    elif kind == "read_pixels":
        yield from _read(memory, called, fields["source"])


def blit_access(memory: Memory, call: Call, reader: Framebuffer, framebuffer: Framebuffer) -> Access | None:
    """Depth and stencil that a blit may access, if any; its colours have events."""
    mask = call.arguments[8] if len(call.arguments) > 8 else 0
    if not isinstance(mask, int) or not mask & (gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT):
        return None
    sources = [memory_of(a, slot) for slot, a in attachments_of(reader) if slot in ("depth", "stencil")]
    goals = [memory_of(a, slot) for slot, a in attachments_of(framebuffer) if slot in ("depth", "stencil")]
    written: Numbers = frozenset().union(*(memory.array(goal) for goal in goals))
    return Access("blit", memory.known_arrays(sources), written)


def bound_window_access(memory: Memory, context: Context, window: Window) -> Access | None:
    """Memory that a copy of a window's pixels to the bound texture accesses, if any."""
    image = context.texture(gl.TEXTURE_2D).images.get((0, 0))
    reads = _colors(memory, window.picture().attachment)
    if image is None or not reads:
        return None
    written = memory.array(image)
    return Access("upload", reads, written, written)


def _colors(memory: Memory, source: Attachment) -> Numbers:
    return memory.known_arrays([source.color()])


def _upload(
    memory: Memory, context: Context | None, texture: Texture, place: tuple[int, int], whole: bool
) -> Iterator[Access]:
    """Of an upload to a level and layer, which may come from a buffer and make mipmaps."""
    source = context.state.buffers.get(gl.PIXEL_UNPACK_BUFFER) if context is not None else None
    reads = memory.known_buffers([source])
    layers = [image for (at, _), image in texture.images.items() if at == place[0]]
    if reads:
        written: Numbers = frozenset().union(*(memory.array(image) for image in layers))
        yield Access("upload", reads, written)
    elif whole and (arrays := memory.known_arrays([texture.images[place]])):
        yield Access("upload", replaces=arrays)
    if texture.automatic_mipmap and place[0] == texture.first_level and memory.known_arrays(layers):
        yield mipmap_access(memory, texture)._replace(kind="upload")


def _update(memory: Memory, called: CallInContext, buffer: Buffer, bytes_from_start: int) -> Iterator[Access]:
    """Of a write to a buffer."""
    (call, context), whole = called, bytes_from_start == len(buffer.data)
    if call.signature.name in BY_PROGRAM:
        numbers = memory.known_buffers([buffer])
        if numbers and whole:
            yield Access("update", replaces=numbers)
    elif call.signature.name == "glCopyBufferSubData":
        target = call.at(0)
        source = context.state.buffers.get(target) if context is not None and isinstance(target, int) else None
        if context is not None and target == gl.ELEMENT_ARRAY_BUFFER:
            source = context.state.vertex_array.element_buffer
        reads = memory.known_buffers([source])
        if reads or memory.known_buffers([buffer]):
            written = memory.buffer(buffer)
            yield Access("update", reads, written, written if whole else NONE)


def _read(memory: Memory, called: CallInContext, source: Attachment) -> Iterator[Access]:
    """Of a read of pixels into a buffer."""
    call, context = called
    buffer = context.state.buffers.get(gl.PIXEL_PACK_BUFFER) if context is not None else None
    reads = _colors(memory, source)
    if buffer is not None and reads and call.signature.name in READS:
        yield Access("read_pixels", reads, memory.buffer(buffer))


def _covers(box: tuple[int, int, int, int], fields: dict[str, Any]) -> bool:
    """Whether a box is a whole image of a texture."""
    height, width = fields["texture"].images[fields["level"], fields["layer"]].shape[:2]
    return box == (0, 0, width, height)


def _blits_all(called: CallInContext, goal: Attachment, source: Attachment, framebuffer: Framebuffer) -> bool:
    """Whether a blit writes every pixel of an attachment: pixels outside of the source are not written."""
    call, context = called
    numbers = [a for a in call.arguments[:8] if isinstance(a, int)]
    if context is None or len(numbers) != 8 or gl.SCISSOR_TEST in context.state.enabled or goal.samples > 1:
        return False
    (width, height), (wide, high) = goal.size, source.size
    columns, rows = sorted(numbers[4:8:2]), sorted(numbers[5:8:2])
    covers = columns[0] <= 0 and rows[0] <= 0 and columns[1] >= width and rows[1] >= height
    inside = min(numbers[:4]) >= 0 and max(numbers[0:4:2]) <= wide and max(numbers[1:4:2]) <= high
    return covers and inside and goal.size == framebuffer.size
