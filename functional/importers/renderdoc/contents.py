"""Objects as they are at the beginning of the frame: RenderDoc's initial contents."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from ...gles.compressed import COMPRESSED
from ...gles.pixels import CHANNELS, COMPONENTS, PACKED
from ...opengl import enums as gl
from ...opengl.formats import FORMATS, SIZED
from .bindings import CUBE_FACES
from .calls import Calls
from .chunks import Node
from .objects import KINDS, was_read
from .special_calls import bind_range

_ARRAYS = (gl.TEXTURE_2D_ARRAY, gl.TEXTURE_3D, 0x9009)
"""Targets of levels with depth; the last one is GL_TEXTURE_CUBE_MAP_ARRAY."""
_FLAT = (gl.TEXTURE_2D, gl.TEXTURE_CUBE_MAP)
_ATTACHMENTS = (*range(gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT0 + 8), gl.DEPTH_ATTACHMENT, gl.STENCIL_ATTACHMENT)
"""In RenderDoc's order."""
_STAGES = (0x1, 0x8, 0x10, 0x4, 0x2, 0x20)
"""Bits of glUseProgramStages in RenderDoc's order: vertex, two of tessellation, geometry, fragment, compute."""
_WRAPS = (gl.TEXTURE_WRAP_R, gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T)
"""In RenderDoc's order."""
_SWIZZLES = tuple(range(gl.TEXTURE_SWIZZLE_R, gl.TEXTURE_SWIZZLE_R + 4))
_PARAMETERS = {
    "baseLevel": (gl.TEXTURE_BASE_LEVEL, 0), "maxLevel": (gl.TEXTURE_MAX_LEVEL, 1000),
    "minLod": (gl.TEXTURE_MIN_LOD, -1000), "maxLod": (gl.TEXTURE_MAX_LOD, 1000),
    "compareFunc": (gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL), "compareMode": (gl.TEXTURE_COMPARE_MODE, gl.NONE),
    "minFilter": (gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_LINEAR), "magFilter": (gl.TEXTURE_MAG_FILTER, gl.LINEAR),
    "maxAniso": (gl.TEXTURE_MAX_ANISOTROPY, 1),
}  # fmt: skip
"""Parameters of textures and samplers, and what a new one has, by RenderDoc's name."""
_SWIZZLED = (gl.RED, gl.GREEN, gl.BLUE, gl.ALPHA)
_FLOATS = (gl.TEXTURE_MIN_LOD, gl.TEXTURE_MAX_LOD, gl.TEXTURE_MAX_ANISOTROPY)


def fill(calls: Calls, chunk: Node) -> None:
    """Record what an object holds at the beginning of the frame."""
    of_kind = next((name for name in _FILLERS if chunk.get(name) is not None), None)
    identity = chunk["id"]
    if identity.whole in calls.objects.survey.standing and of_kind == "FramebufferState":
        return
    if of_kind is not None and calls.objects.has(identity.whole):
        _FILLERS[of_kind](calls, chunk)


def _texture(calls: Calls, chunk: Node) -> None:
    identity, state = chunk["id"], chunk["TextureState"]
    target, contents = state["type"].whole, [child for child in chunk.children if child.kind == "buffer" and child.size]
    calls.objects.targets[identity.whole] = target
    if not was_read(chunk):
        if target in (*_FLAT, *_ARRAYS):
            calls.missing["contents of a texture that RenderDoc could not read"] += 1
        return
    if target not in (*_FLAT, *_ARRAYS):
        if contents:
            calls.missing[f"contents of a texture of type {target:#06x}"] += 1
        return
    bindings = calls.bindings
    bound = bindings.texture_bound(target, calls.objects.name(identity))
    with bound, bindings.buffer_bound(gl.PIXEL_UNPACK_BUFFER, 0):
        faces = list(CUBE_FACES) if target == gl.TEXTURE_CUBE_MAP else [target]
        for number, content in enumerate(contents):
            level, face = divmod(number, len(faces))
            _level(calls, chunk, (faces[face], level), content)
        _parameters(calls, identity, state, target)


def _level(calls: Calls, chunk: Node, place: tuple[int, int], content: Node) -> None:
    """Texels of a level or a face of it, which exists afterwards."""
    target, level = place
    identity, state = chunk["id"].whole, chunk["TextureState"]
    size = [max(1, state[side].whole >> level) for side in ("width", "height")]
    if target in _ARRAYS:
        depth = state["depth"].whole
        size.append(max(1, depth >> level) if target == gl.TEXTURE_3D else depth)
    texels, internal = calls.export.buffer(content), state["internalformat"].whole
    dimensions, zeros, bindings = f"{len(size)}D", [0] * len(size), calls.bindings
    made, immutable = calls.levels.get((identity, target, level)), identity in calls.immutable
    if internal in COMPRESSED and not immutable:
        bindings.call(f"glCompressedTexImage{dimensions}", target, level, internal, *size, 0, content.size, texels)
        return
    if internal in COMPRESSED:
        arguments = (target, level, *zeros, *size, internal, content.size, texels)
        bindings.call(f"glCompressedTexSubImage{dimensions}", *arguments)
        return
    client = client_format(made[0] if made is not None else internal, size, content.size)
    if client is None:
        calls.missing[f"contents of a texture of format {internal:#06x}"] += 1
        return
    if made is None and not immutable:
        made = calls.levels.get((identity, target, 0), (internal, *client))
        calls.levels[identity, target, level] = made
        bindings.call(f"glTexImage{dimensions}", target, level, made[0], *size, 0, *made[1:], None)
    bindings.call(f"glTexSubImage{dimensions}", target, level, *zeros, *size, *client, texels)


def client_format(internal: int, size: list[int], size_bytes: int) -> tuple[int, int] | None:
    """Format and type of pixels of a number of bytes; None if no format of OpenGL ES has texels of such a size.

    Parameters
    ----------
    internal
        Internal format.
    size
        Texels in each direction.
    size_bytes
        Bytes of all texels.
    """
    texels = 1
    for side in size:
        texels *= side
    sized = SIZED.get(internal)
    formats = sized.clients[:1] if sized is not None else (internal,)
    unsized = (kind for _, one in FORMATS if internal in one.clients for kind in one.unsized)
    kinds = ((pixels, kind) for pixels in formats for kind in (sized.types if sized is not None else unsized))
    return next((kind for kind in kinds if texels * _pixel_bytes(*kind) == size_bytes), None)


def _pixel_bytes(pixel_format: int, pixel_type: int) -> int:
    if pixel_type in PACKED:
        return int(PACKED[pixel_type][0][2:])
    return CHANNELS.get(pixel_format, 0) * int(COMPONENTS[pixel_type][-1:]) if pixel_type in COMPONENTS else 0


def _parameters(calls: Calls, identity: Node, state: Node, target: int | None) -> None:
    """Parameters of a texture that is bound to a target, or of a sampler, where they are not so already."""
    before = calls.parameters.setdefault(identity.whole, {})
    wanted = {pname: (state[name].real, initial) for name, (pname, initial) in _PARAMETERS.items() if state.get(name)}
    wanted |= {p: (value.real, gl.REPEAT) for p, value in zip(_WRAPS, state["wrap"].children, strict=False)}
    swizzle = state.get("swizzle")
    if swizzle is not None:
        wanted |= {p: (v.real, i) for p, v, i in zip(_SWIZZLES, swizzle.children, _SWIZZLED, strict=False)}
    mode = state.get("depthMode")
    if mode is not None and mode.whole == gl.STENCIL_INDEX:
        wanted[gl.DEPTH_STENCIL_TEXTURE_MODE] = (mode.real, gl.DEPTH_COMPONENT)
    kind, which = ("Tex", target) if target is not None else ("Sampler", calls.objects.name(identity))
    if any(value == gl.CLAMP_TO_BORDER for value, _ in wanted.values()):
        border = [value.real for value in state["border"].children]
        calls.bindings.call(f"gl{kind}Parameterfv", which, gl.TEXTURE_BORDER_COLOR, border)
    for pname, (value, initial) in wanted.items():
        if value == before.get(pname, initial) or value == 0 != initial and pname not in _MAY_BE_ZERO:
            continue
        before[pname] = value
        if pname in _FLOATS:
            calls.bindings.call(f"gl{kind}Parameterf", which, pname, value)
        else:
            calls.bindings.call(f"gl{kind}Parameteri", which, pname, int(value))


_MAY_BE_ZERO = frozenset(
    {gl.TEXTURE_MAX_LEVEL, gl.TEXTURE_MIN_LOD, gl.TEXTURE_MAX_LOD, gl.TEXTURE_COMPARE_MODE, *_SWIZZLES}
)
"""Parameters of which 0 is a value; of others it says that the driver did not know them."""


def _sampler(calls: Calls, chunk: Node) -> None:
    if chunk["SamplerState"]["valid"].whole:
        _parameters(calls, chunk["id"], chunk["SamplerState"], None)


def _buffer(calls: Calls, chunk: Node) -> None:
    content = calls.export.buffer(chunk["BufferContents"])
    if content is not None:
        with calls.bindings.buffer_anywhere(calls.objects.name(chunk["id"])) as target:
            calls.bindings.call("glBufferSubData", target, 0, len(content), content)


def _arrays(calls: Calls, chunk: Node) -> None:
    state, bindings = chunk["VAOState"], calls.bindings
    if not state["valid"].whole:
        return
    with bindings.arrays_bound(calls.objects.name(chunk["id"])):
        slots = state["VertexBuffers"]
        for index, attribute in enumerate(state["VertexAttribs"].children):
            slot = slots.element(attribute["vbslot"].whole)
            if calls.objects.has(slot["Buffer"].whole) and slot["Buffer"].whole:
                _attribute(calls, index, attribute, slot)
            if attribute["enabled"].whole:
                bindings.call("glEnableVertexAttribArray", index)
            if slot["Divisor"].whole:
                bindings.call("glVertexAttribDivisor", index, slot["Divisor"].whole)
        indices = state["ElementArrayBuffer"]
        if indices.whole and calls.objects.has(indices.whole):
            bindings.call("glBindBuffer", gl.ELEMENT_ARRAY_BUFFER, calls.objects.name(indices))


def _attribute(calls: Calls, index: int, attribute: Node, slot: Node) -> None:
    """Layout and buffer of a vertex attribute."""
    size, kind = attribute["size"].whole, attribute["type"].whole
    offset = slot["Offset"].whole + attribute["offset"].whole
    tail = (slot["Stride"].whole, offset)
    with calls.bindings.buffer_bound(gl.ARRAY_BUFFER, calls.objects.name(slot["Buffer"])):
        if attribute["integer"].whole:
            calls.bindings.call("glVertexAttribIPointer", index, size, kind, *tail)
        else:
            normalized = attribute["normalized"].whole
            calls.bindings.call("glVertexAttribPointer", index, size, kind, normalized, *tail)


def _framebuffer(calls: Calls, chunk: Node) -> None:
    state, bindings = chunk["FramebufferState"], calls.bindings
    if not state["valid"].whole:
        return
    with ExitStack() as stack:
        stack.enter_context(bindings.framebuffer_bound(calls.objects.name(chunk["id"]), gl.DRAW_FRAMEBUFFER))
        for attachment, one in zip(_ATTACHMENTS, state["Attachments"].children, strict=False):
            if one["obj"].whole and calls.objects.has(one["obj"].whole):
                _attachment(calls, attachment, one)
        buffers = [buffer.whole for buffer in state["DrawBuffers"].children]
        while len(buffers) > 1 and buffers[-1] == gl.NONE:
            buffers.pop()
        bindings.call("glDrawBuffers", len(buffers), buffers)
    with bindings.framebuffer_bound(calls.objects.name(chunk["id"]), gl.READ_FRAMEBUFFER):
        bindings.call("glReadBuffer", state["ReadBuffer"].whole)


def _attachment(calls: Calls, attachment: int, one: Node) -> None:
    """Attach an image to the framebuffer that is bound for drawing."""
    identity, name, level = one["obj"].whole, calls.objects.name(one["obj"]), one["level"].whole
    bindings, target = calls.bindings, calls.objects.targets.get(one["obj"].whole, gl.TEXTURE_2D)
    if calls.objects.kinds.get(identity) == KINDS["Renderbuffer"]:
        bindings.call("glFramebufferRenderbuffer", gl.DRAW_FRAMEBUFFER, attachment, gl.RENDERBUFFER, name)
    elif one["layered"].whole:
        calls.missing["framebuffers with layered attachments"] += 1
    elif target in _ARRAYS:
        layer = one["layer"].whole
        bindings.call("glFramebufferTextureLayer", gl.DRAW_FRAMEBUFFER, attachment, name, level, layer)
    else:
        face = target
        if target == gl.TEXTURE_CUBE_MAP:
            layer = one["layer"].whole
            face = layer if layer in CUBE_FACES else CUBE_FACES[0] + min(max(layer, 0), 5)
        bindings.call("glFramebufferTexture2D", gl.DRAW_FRAMEBUFFER, attachment, face, name, level)


def _program(calls: Calls, chunk: Node) -> None:
    calls.uniforms.begin(chunk["id"], chunk["ProgramUniforms"])


def _feedback(calls: Calls, chunk: Node) -> None:
    state, bindings = chunk["TransformFeedbackState"], calls.bindings
    if not state["valid"].whole:
        return
    bindings.call("glBindTransformFeedback", gl.TRANSFORM_FEEDBACK, calls.objects.name(chunk["id"]))
    for index, buffer in enumerate(state["Buffer"].children):
        if buffer.whole and calls.objects.has(buffer.whole):
            start, size = (state[part].element(index).whole for part in ("Offset", "Size"))
            bind_range(calls, (gl.TRANSFORM_FEEDBACK_BUFFER, index), calls.objects.name(buffer), (start, size))
    bindings.call("glBindTransformFeedback", gl.TRANSFORM_FEEDBACK, 0)


def _pipeline(calls: Calls, chunk: Node) -> None:
    state = chunk["ProgramPipelineState"]
    if not state["valid"].whole:
        return
    programs = state.get("programs") or state["Programs"]
    for stage, program in zip(_STAGES, programs.children, strict=False):
        if program.whole and calls.objects.has(program.whole):
            arguments = (calls.objects.name(chunk["id"]), stage, calls.objects.name(program))
            calls.bindings.call("glUseProgramStages", *arguments)


_FILLERS: dict[str, Callable[[Calls, Node], None]] = {
    "TextureState": _texture,
    "SamplerState": _sampler,
    "BufferContents": _buffer,
    "VAOState": _arrays,
    "FramebufferState": _framebuffer,
    "ProgramUniforms": _program,
    "TransformFeedbackState": _feedback,
    "ProgramPipelineState": _pipeline,
}
"""By a member that the chunk has."""
