"""Entry points of renderbuffers and framebuffers (OpenGL ES 3.0, 4.4)."""

from __future__ import annotations

from collections.abc import Sequence

from ...opengl import enums as gl
from ...opengl.errors import GLError
from ...opengl.formats import RENDERBUFFER_FORMATS
from ...opengl.limits import MAX_COLOR_ATTACHMENTS, MAX_DRAW_BUFFERS
from ..checks import check_enum, check_limit, check_operation, check_value, listed
from ..context import Context
from ..effects import FRAMEBUFFER, HARMLESS, IMAGES
from ..framebuffers import Attachment, Framebuffer, Surface
from ..textures import MAX_LEVELS, Texture
from .multisampling import MOST_SAMPLES, allocate, check_format
from .table import EntryPoints

entry = EntryPoints()
_POINTS = frozenset(
    {
        *range(gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT0 + MAX_COLOR_ATTACHMENTS),
        gl.DEPTH_ATTACHMENT,
        gl.STENCIL_ATTACHMENT,
        gl.DEPTH_STENCIL_ATTACHMENT,
    }
)
_TARGETS = (gl.FRAMEBUFFER, gl.DRAW_FRAMEBUFFER, gl.READ_FRAMEBUFFER)
_FACES = range(gl.TEXTURE_CUBE_MAP_POSITIVE_X, gl.TEXTURE_CUBE_MAP_POSITIVE_X + 6)


@entry("glGenRenderbuffers", "glGenRenderbuffersOES", effect=HARMLESS)
def glGenRenderbuffers(context: Context, count: int, names: Sequence[int]) -> None:
    for name in listed(count, names):
        surface = Surface(context.identities.take("surface"), "renderbuffer", name=name)
        context.group.renderbuffers.setdefault(name, surface)


@entry("glBindRenderbuffer", "glBindRenderbufferOES")
def glBindRenderbuffer(context: Context, target: int, name: int) -> None:
    check_enum(target, (gl.RENDERBUFFER,), "renderbuffer target")
    if name and name not in context.group.renderbuffers:
        glGenRenderbuffers(context, 1, [name])
    context.state.renderbuffer = context.group.renderbuffers[name] if name else None
    if context.state.renderbuffer is not None:
        context.state.renderbuffer.bound = True


@entry("glDeleteRenderbuffers", "glDeleteRenderbuffersOES")
def glDeleteRenderbuffers(context: Context, count: int, names: Sequence[int]) -> None:
    context.forget()
    state = context.state
    for name in listed(count, names):
        gone = context.group.renderbuffers.pop(name, None)
        if gone is None:
            continue
        if state.renderbuffer is gone:
            state.renderbuffer = None
        for number in {state.framebuffer, state.read_framebuffer} - {0}:
            context.framebuffers[number].detach(gone)


@entry("glRenderbufferStorage", "glRenderbufferStorageOES")
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
    check_enum(target, (gl.RENDERBUFFER,), "renderbuffer target")
    check_format(kind, "renderbuffer format")
    color = RENDERBUFFER_FORMATS.get(kind)
    what = f"renderbuffer of {width}x{height}, {samples} samples"
    check_value(min(width, height, samples) >= 0, what)
    check_limit(max(width, height), gl.MAX_RENDERBUFFER_SIZE, what)
    integer = color is not None and color.kind in ("int", "uint")
    check_operation(samples <= (0 if integer else MOST_SAMPLES), f"{samples} samples")
    surface = context.state.renderbuffer
    if surface is None:
        raise GLError(gl.INVALID_OPERATION, "no renderbuffer is bound")
    allocate(surface, kind, width, height, samples)


@entry("glGenFramebuffers", "glGenFramebuffersOES", effect=HARMLESS)
def glGenFramebuffers(context: Context, count: int, names: Sequence[int]) -> None:
    for name in listed(count, names):
        context.framebuffers.setdefault(name, Framebuffer(name))


@entry("glBindFramebuffer", "glBindFramebufferOES", effect=IMAGES)
def glBindFramebuffer(context: Context, target: int, name: int) -> None:
    check_enum(target, _TARGETS, "framebuffer target")
    if name and name not in context.framebuffers:
        context.framebuffers[name] = Framebuffer(name)
    if name:
        context.framebuffers[name].bound = True
    if target != gl.READ_FRAMEBUFFER:
        context.state.framebuffer = name
    if target != gl.DRAW_FRAMEBUFFER:
        context.state.read_framebuffer = name


@entry("glDeleteFramebuffers", "glDeleteFramebuffersOES")
def glDeleteFramebuffers(context: Context, count: int, names: Sequence[int]) -> None:
    context.forget()
    state = context.state
    for name in listed(count, names):
        if not name:
            continue
        context.framebuffers.pop(name, None)
        state.framebuffer = 0 if state.framebuffer == name else state.framebuffer
        state.read_framebuffer = 0 if state.read_framebuffer == name else state.read_framebuffer


@entry("glDrawBuffers", "glDrawBuffersEXT", "glDrawBuffersNV", effect=FRAMEBUFFER)
def glDrawBuffers(context: Context, count: int, buffers: Sequence[int] | int) -> None:
    given = [buffers] if isinstance(buffers, int) else list(buffers)
    check_value(0 <= count <= MAX_DRAW_BUFFERS, f"{count} draw buffers")
    points = range(gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT0 + 32)
    for buffer in given:
        check_enum(buffer, {gl.NONE, gl.BACK, *points}, "draw buffer")
    if context.state.framebuffer == 0:
        allowed = count == 1 and given[:1] in ([gl.NONE], [gl.BACK])
        check_operation(allowed, "the window has one draw buffer, BACK")
        context.framebuffer.draw_buffers = (0,) if given[0] else (-1,)
        context.framebuffer.revision += 1
        return
    numbers = [b - gl.COLOR_ATTACHMENT0 if b else -1 for b in given]
    in_place = all(number in (-1, place) for place, number in enumerate(numbers))
    check_operation(in_place, "draw buffer i of a framebuffer object is COLOR_ATTACHMENTi or NONE")
    context.framebuffer.draw_buffers = tuple(numbers)
    context.framebuffer.revision += 1


@entry("glReadBuffer", "glReadBufferNV", effect=FRAMEBUFFER)
def glReadBuffer(context: Context, buffer: int) -> None:
    number = buffer - gl.COLOR_ATTACHMENT0
    check_enum(buffer, {gl.NONE, gl.BACK, *range(gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT0 + 32)}, "read buffer")
    if context.state.read_framebuffer == 0:
        check_operation(buffer in (gl.NONE, gl.BACK), "a window is read from BACK")
        number = 0
    else:
        check_operation(buffer != gl.BACK and number < MAX_COLOR_ATTACHMENTS, f"read buffer {buffer:#06x}")
    context.read_framebuffer.read_buffer = -1 if buffer == gl.NONE else number


@entry("glFramebufferRenderbuffer", "glFramebufferRenderbufferOES")
def glFramebufferRenderbuffer(context: Context, target: int, point: int, kind: int, name: int) -> None:
    framebuffer = bound_framebuffer(context, target)
    check_enum(point, _POINTS, "attachment point")
    check_enum(kind, (gl.RENDERBUFFER,), "renderbuffer target")
    check_operation(name == 0 or name in context.group.renderbuffers, f"no renderbuffer {name}")
    attach(framebuffer, point, Attachment(context.group.renderbuffers[name]) if name else None)


@entry("glFramebufferTexture2D", "glFramebufferTexture2DOES")
def glFramebufferTexture2D(context: Context, target: int, point: int, kind: int, name: int, level: int) -> None:
    framebuffer = bound_framebuffer(context, target)
    check_enum(point, _POINTS, "attachment point")
    texture = _texture(context, name)
    if texture is None:
        attach(framebuffer, point, None)
        return
    if kind == gl.TEXTURE_2D_MULTISAMPLE and texture.multisample is not None:
        check_value(level == 0, f"level {level}")
        attach(framebuffer, point, Attachment(texture.multisample, texture))
        return
    check_enum(kind, {gl.TEXTURE_2D, *_FACES}, "texture image")
    own = gl.TEXTURE_CUBE_MAP if kind in _FACES else kind
    check_operation(texture.target == own, f"texture {name} has another target")
    check_value(0 <= level < MAX_LEVELS, f"level {level}")
    face = kind - gl.TEXTURE_CUBE_MAP_POSITIVE_X if kind in _FACES else 0
    attach(framebuffer, point, Attachment(texture=texture, level=level, face=face))


@entry()
def glFramebufferTextureLayer(context: Context, target: int, point: int, name: int, level: int, layer: int) -> None:
    framebuffer = bound_framebuffer(context, target)
    check_enum(point, _POINTS, "attachment point")
    texture = _texture(context, name)
    if texture is not None:
        check_value(0 <= level < MAX_LEVELS and layer >= 0, f"level {level}, layer {layer}")
        check_operation(texture.target in (gl.TEXTURE_3D, gl.TEXTURE_2D_ARRAY), f"texture {name} has no layers")
    attach(framebuffer, point, Attachment(texture=texture, level=level, face=layer) if texture else None)


def _texture(context: Context, name: int) -> Texture | None:
    check_operation(name == 0 or name in context.group.textures, f"no texture {name}")
    return context.group.textures[name] if name else None


def bound_framebuffer(context: Context, target: int) -> Framebuffer:
    """Framebuffer object bound to a target; GLError for the default framebuffer."""
    check_enum(target, _TARGETS, "framebuffer target")
    state = context.state
    name = state.read_framebuffer if target == gl.READ_FRAMEBUFFER else state.framebuffer
    check_operation(name != 0, "the default framebuffer takes no attachments")
    return context.framebuffers[name]


def attach(framebuffer: Framebuffer, point: int, attachment: Attachment | None) -> None:
    """Attach an image, or detach the current one."""
    framebuffer.revision += 1
    if point in (gl.DEPTH_ATTACHMENT, gl.DEPTH_STENCIL_ATTACHMENT, gl.STENCIL_ATTACHMENT):
        if point != gl.STENCIL_ATTACHMENT:
            framebuffer.depth = attachment
        if point != gl.DEPTH_ATTACHMENT:
            framebuffer.stencil = attachment
    elif attachment is None:
        framebuffer.colors.pop(point - gl.COLOR_ATTACHMENT0, None)
    else:
        framebuffer.colors[point - gl.COLOR_ATTACHMENT0] = attachment
