"""Entry points of renderbuffers and framebuffers."""

from __future__ import annotations

from collections.abc import Sequence

from ...activity.kernels.samples import SAMPLES
from .. import enums as gl
from ..context import Context
from ..errors import GLError, Unsupported
from ..formats import DEPTH_FORMATS, RENDERBUFFER_FORMATS, STENCIL_FORMATS
from ..framebuffers import MAX_COLOR_ATTACHMENTS, Attachment, Framebuffer, Surface
from ..textures import MAX_SIZE
from .table import EntryPoints

entry = EntryPoints()


@entry()
def glGenRenderbuffers(context: Context, count: int, names: Sequence[int]) -> None:
    for name in names or ():
        context.group.renderbuffers.setdefault(name, Surface(context.identities.take("surface"), "renderbuffer"))


@entry()
def glBindRenderbuffer(context: Context, target: int, name: int) -> None:
    if name and name not in context.group.renderbuffers:
        glGenRenderbuffers(context, 1, [name])
    context.state.renderbuffer = name


@entry()
def glDeleteRenderbuffers(context: Context, count: int, names: Sequence[int]) -> None:
    for name in names or ():
        context.group.renderbuffers.pop(name, None)


@entry()
def glRenderbufferStorage(context: Context, target: int, kind: int, width: int, height: int) -> None:
    glRenderbufferStorageMultisample(context, target, 0, kind, width, height)


@entry(
    "glRenderbufferStorageMultisample",
    "glRenderbufferStorageMultisampleEXT",
    "glRenderbufferStorageMultisampleANGLE",
    "glRenderbufferStorageMultisampleIMG",
    "glRenderbufferStorageMultisampleAPPLE",
)
def glRenderbufferStorageMultisample(
    context: Context, target: int, samples: int, kind: int, width: int, height: int
) -> None:
    if not (0 < width <= MAX_SIZE and 0 < height <= MAX_SIZE and 0 <= samples <= 16):
        raise GLError(gl.INVALID_VALUE, f"renderbuffer of {width}x{height}, {samples} samples")
    if kind not in RENDERBUFFER_FORMATS and kind not in DEPTH_FORMATS and kind not in STENCIL_FORMATS:
        raise Unsupported(f"renderbuffer format {kind:#06x}")
    surface = context.group.renderbuffers[context.state.renderbuffer]
    # Any number of samples asked for is a lower bound; there are one or four.
    count = SAMPLES if samples > 1 else 1
    color, depth = RENDERBUFFER_FORMATS.get(kind), DEPTH_FORMATS.get(kind)
    surface.allocate(width, height, color, depth, kind in STENCIL_FORMATS, count)


@entry()
def glGenFramebuffers(context: Context, count: int, names: Sequence[int]) -> None:
    for name in names or ():
        context.framebuffers.setdefault(name, Framebuffer(name))


@entry()
def glBindFramebuffer(context: Context, target: int, name: int) -> None:
    if target not in (gl.FRAMEBUFFER, gl.DRAW_FRAMEBUFFER, gl.READ_FRAMEBUFFER):
        raise GLError(gl.INVALID_ENUM, f"framebuffer target {target:#06x}")
    if name and name not in context.framebuffers:
        context.framebuffers[name] = Framebuffer(name)
    if target != gl.READ_FRAMEBUFFER:
        context.state.framebuffer = name
    if target != gl.DRAW_FRAMEBUFFER:
        context.state.read_framebuffer = name


@entry()
def glDeleteFramebuffers(context: Context, count: int, names: Sequence[int]) -> None:
    state = context.state
    for name in names or ():
        if not name:
            continue
        context.framebuffers.pop(name, None)
        state.framebuffer = 0 if state.framebuffer == name else state.framebuffer
        state.read_framebuffer = 0 if state.read_framebuffer == name else state.read_framebuffer


@entry("glDrawBuffers", "glDrawBuffersEXT", "glDrawBuffersNV")
def glDrawBuffers(context: Context, count: int, buffers: Sequence[int] | int) -> None:
    listed = [buffers] if isinstance(buffers, int) else list(buffers)
    numbers = [0 if b == gl.BACK else b - gl.COLOR_ATTACHMENT0 if b else -1 for b in listed]
    if any(not -1 <= number < MAX_COLOR_ATTACHMENTS for number in numbers):
        raise GLError(gl.INVALID_ENUM, "draw buffers")
    context.framebuffer.draw_buffers = tuple(numbers)


@entry("glReadBuffer", "glReadBufferNV")
def glReadBuffer(context: Context, buffer: int) -> None:
    context.read_framebuffer.read_buffer = 0 if buffer in (gl.BACK, gl.NONE) else buffer - gl.COLOR_ATTACHMENT0


@entry()
def glFramebufferRenderbuffer(context: Context, target: int, point: int, kind: int, name: int) -> None:
    surface = context.group.renderbuffers[name] if name else None
    _attach(context, target, point, Attachment(surface) if surface is not None else None)


@entry()
def glFramebufferTexture2D(context: Context, target: int, point: int, kind: int, name: int, level: int) -> None:
    face = kind - gl.TEXTURE_CUBE_MAP_POSITIVE_X if kind >= gl.TEXTURE_CUBE_MAP_POSITIVE_X else 0
    texture = context.group.textures[name] if name else None
    _attach(context, target, point, Attachment(texture=texture, level=level, face=face) if texture else None)


@entry()
def glFramebufferTextureLayer(context: Context, target: int, point: int, name: int, level: int, layer: int) -> None:
    texture = context.group.textures[name] if name else None
    _attach(context, target, point, Attachment(texture=texture, level=level, face=layer) if texture else None)


def _attach(context: Context, target: int, point: int, attachment: Attachment | None) -> None:
    state = context.state
    name = state.read_framebuffer if target == gl.READ_FRAMEBUFFER else state.framebuffer
    if name == 0:
        raise GLError(gl.INVALID_OPERATION, "the default framebuffer takes no attachments")
    framebuffer = context.framebuffers[name]
    number = point - gl.COLOR_ATTACHMENT0
    if 0 <= number < MAX_COLOR_ATTACHMENTS:
        if attachment is None:
            framebuffer.colors.pop(number, None)
        else:
            framebuffer.colors[number] = attachment
    elif point in (gl.DEPTH_ATTACHMENT, gl.DEPTH_STENCIL_ATTACHMENT, gl.STENCIL_ATTACHMENT):
        if point != gl.STENCIL_ATTACHMENT:
            framebuffer.depth = attachment
        if point != gl.DEPTH_ATTACHMENT:
            framebuffer.stencil = attachment
    else:
        raise GLError(gl.INVALID_ENUM, f"attachment {point:#06x}")
