"""Entry points of renderbuffers and framebuffers."""

from __future__ import annotations

from collections.abc import Sequence

from .. import enums as gl
from ..context import Context
from ..errors import GLError, Unsupported
from ..formats import DEPTH_FORMATS, RENDERBUFFER_FORMATS, STENCIL_FORMATS
from ..framebuffers import Attachment, Framebuffer, Surface
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
    if not (0 < width <= MAX_SIZE and 0 < height <= MAX_SIZE):
        raise GLError(gl.INVALID_VALUE, f"renderbuffer of {width}x{height}")
    if kind not in RENDERBUFFER_FORMATS and kind not in DEPTH_FORMATS and kind not in STENCIL_FORMATS:
        raise Unsupported(f"renderbuffer format {kind:#06x}")
    surface = context.group.renderbuffers[context.state.renderbuffer]
    surface.allocate(width, height, RENDERBUFFER_FORMATS.get(kind), DEPTH_FORMATS.get(kind), kind in STENCIL_FORMATS)


@entry()
def glGenFramebuffers(context: Context, count: int, names: Sequence[int]) -> None:
    for name in names or ():
        context.framebuffers.setdefault(name, Framebuffer(name))


@entry()
def glBindFramebuffer(context: Context, target: int, name: int) -> None:
    if target not in (gl.FRAMEBUFFER, gl.DRAW_FRAMEBUFFER):
        raise Unsupported(f"framebuffer target {target:#06x}")
    if name and name not in context.framebuffers:
        context.framebuffers[name] = Framebuffer(name)
    context.state.framebuffer = name


@entry()
def glDeleteFramebuffers(context: Context, count: int, names: Sequence[int]) -> None:
    for name in names or ():
        context.framebuffers.pop(name, None)
        context.state.framebuffer = 0 if context.state.framebuffer == name else context.state.framebuffer


@entry()
def glFramebufferRenderbuffer(context: Context, target: int, point: int, kind: int, name: int) -> None:
    surface = context.group.renderbuffers[name] if name else None
    _attach(context, point, Attachment(surface) if surface is not None else None)


@entry()
def glFramebufferTexture2D(context: Context, target: int, point: int, kind: int, name: int, level: int) -> None:
    if not name:
        _attach(context, point, None)
        return
    face = kind - gl.TEXTURE_CUBE_MAP_POSITIVE_X if kind != gl.TEXTURE_2D else 0
    if point != gl.COLOR_ATTACHMENT0:
        raise Unsupported("a texture as depth or stencil attachment")
    _attach(context, point, Attachment(texture=context.group.textures[name], level=level, face=face))


def _attach(context: Context, point: int, attachment: Attachment | None) -> None:
    if context.state.framebuffer == 0:
        raise GLError(gl.INVALID_OPERATION, "the default framebuffer takes no attachments")
    framebuffer = context.framebuffers[context.state.framebuffer]
    if point == gl.COLOR_ATTACHMENT0:
        framebuffer.color = attachment
    elif point in (gl.DEPTH_ATTACHMENT, gl.DEPTH_STENCIL_ATTACHMENT, gl.STENCIL_ATTACHMENT):
        if point != gl.STENCIL_ATTACHMENT:
            framebuffer.depth = attachment
        if point != gl.DEPTH_ATTACHMENT:
            framebuffer.stencil = attachment
    else:
        raise Unsupported(f"attachment {point:#06x}")
