"""Calls that are not played argument by argument, and the functions that chunks are played as."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from ...capture.signatures import ARGUMENTS
from ...opengl import enums as gl
from .chunks import Node

if TYPE_CHECKING:
    from .calls import Calls

_TEXELS = r"(Image|SubImage|Parameter|Storage|Buffer)(.*?)(?:EXT)?$"
_CREATED = "Texture|Buffer|Framebuffer|Renderbuffer|VertexArray|Sampler|ProgramPipeline|Querie"
_OTHER_NAMES = (
    (re.compile(r"^(gl(?:Compressed|Copy)?)(?:Multi)?Texture?" + _TEXELS), r"\1Tex\2\3"),
    (re.compile(r"^glGenerateTextureMipmap(?:EXT)?$"), "glGenerateMipmap"),
    (re.compile(r"^gl(Map|Unmap|FlushMapped)?Named(Buffer|Framebuffer|Renderbuffer)(.*?)(?:EXT)?$"), r"gl\1\2\3"),
    (re.compile(rf"^glCreate({_CREATED})s$"), r"glGen\1s"),
)
"""Functions that name their object, which are played as those that act on what is bound."""
_SUFFIXES = re.compile(r"(EXT|OES|KHR|ARB|ANGLE|NV)$")
UNPACKING = {
    gl.UNPACK_ALIGNMENT: 4, gl.UNPACK_ROW_LENGTH: 0, gl.UNPACK_IMAGE_HEIGHT: 0, gl.UNPACK_SKIP_PIXELS: 0,
    gl.UNPACK_SKIP_ROWS: 0, gl.UNPACK_SKIP_IMAGES: 0,
}  # fmt: skip
"""Layout of pixels in a program's memory, unless it sets another."""
TIGHT = {**dict.fromkeys(UNPACKING, 0), gl.UNPACK_ALIGNMENT: 1}
"""Layout of pixels in the buffers of a capture: rows one after another without gaps."""
Special = Callable[["Calls", Node], None]


def _link(calls: Calls, chunk: Node) -> None:
    program = chunk["program"]
    for attribute, location in calls.objects.survey.inputs.get(program.whole, ()):
        calls.bindings.call("glBindAttribLocation", calls.objects.name(program), location, attribute)
    calls.plain("glLinkProgram", chunk)


def _source(calls: Calls, chunk: Node) -> None:
    sources = [str(source) for source in chunk["sources"].values]
    calls.bindings.call("glShaderSource", calls.objects.name(chunk["shader"]), len(sources), sources, None)


def _label(calls: Calls, chunk: Node) -> None:
    node, label = chunk.get("Resource"), chunk["Label"].text
    kind = calls.objects.kinds.get(node.whole) if node is not None else None
    if node is not None and kind is not None:
        calls.bindings.call("glObjectLabel", kind, calls.objects.name(node), len(label.encode()), label)


def _group(calls: Calls, chunk: Node) -> None:
    message = next((child.text for child in chunk.children if child.kind == "string"), "")
    calls.bindings.call("glPushGroupMarkerEXT", 0, message)


def _end_group(calls: Calls, chunk: Node) -> None:
    calls.bindings.call("glPopGroupMarkerEXT")


def _marker(calls: Calls, chunk: Node) -> None:
    message = next((child.text for child in chunk.children if child.kind == "string"), "")
    calls.bindings.call("glInsertEventMarkerEXT", 0, message)


def _delete(calls: Calls, chunk: Node) -> None:
    node = next((child for child in chunk.children if child.kind == "ResourceId"), None)
    name = plain_name(chunk.name)
    if node is not None and calls.objects.has(node.whole) and name in ARGUMENTS:
        calls.bindings.call(name, 1, [calls.objects.name(node)])
        calls.objects.forget(node.whole)


def _buffer_data(calls: Calls, chunk: Node) -> None:
    node, name = chunk["buffer"], calls.objects.name(chunk["buffer"])
    size, data = chunk["bytesize"].whole, calls.export.buffer(chunk["data"])
    with calls.bindings.buffer_anywhere(name) as target:
        if not calls.in_frame and node.whole in calls.objects.survey.filled:
            data = None
        usage = chunk.get("usage")
        # What storage may be used for does not matter to data that is written by calls alone.
        calls.bindings.call("glBufferData", target, size, data, usage.whole if usage is not None else gl.DYNAMIC_DRAW)


def _mapped(calls: Calls, chunk: Node) -> None:
    """Bytes that a program wrote to mapped memory."""
    node = chunk["buffer"]
    data = next((child for child in chunk.children if child.kind == "buffer"), None)
    content = calls.export.buffer(data) if data is not None else None
    if content is None or (not calls.in_frame and node.whole in calls.objects.survey.filled):
        return
    starts = [chunk.get(name) for name in ("offset", "diffStart", "MapOffset")]
    offset = sum(start.whole for start in starts if start is not None)
    with calls.bindings.buffer_anywhere(calls.objects.name(node)) as target:
        calls.bindings.call("glBufferSubData", target, offset, len(content), content)


def _copy_buffer(calls: Calls, chunk: Node) -> None:
    source, sink = (calls.objects.name(chunk[side]) for side in ("readBuffer", "writeBuffer"))
    numbers = [chunk[part].whole for part in ("readOffset", "writeOffset", "size")]
    targets, bound = (gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER), calls.bindings.buffer_bound
    with bound(targets[0], source), bound(targets[1], sink):
        calls.bindings.call("glCopyBufferSubData", *targets, *numbers)


def _vertex_attribute(calls: Calls, chunk: Node) -> None:
    """A constant attribute of any number of components."""
    index, values = chunk["index"].whole, chunk["values"].children
    if values and values[0].kind == "float":
        filled = [*(value.real for value in values), 0.0, 0.0, 0.0, 1.0][: len(values)]
        filled += [0.0, 0.0, 0.0, 1.0][len(filled) :]
        calls.bindings.call("glVertexAttrib4f", index, *filled[:4])
    elif values:
        name = "glVertexAttribI4ui" if values[0].kind == "uint" else "glVertexAttribI4i"
        whole = [value.whole for value in values]
        calls.bindings.call(name, index, *[*whole, *[0, 0, 0, 1][len(whole) :]][:4])


def _image(calls: Calls, chunk: Node) -> None:
    """Texels of a level, from the capture or from a buffer of the program's."""
    name, node = plain_name(chunk.name), chunk["texture"]
    format_members = [chunk.get(part) for part in ("internalformat", "format", "type")]
    within = "Sub" in name
    filled = not calls.in_frame and node.whole in calls.objects.survey.filled
    if filled and (within or name.startswith("glCompressed")):
        # The contents as of the frame's beginning follow.
        return
    offset = chunk.get("UnpackOffset")
    pixels = next((child for child in chunk.children if child.kind == "buffer"), None)
    if not within:
        numbers = [member.whole if member is not None else 0 for member in format_members]
        calls.levels[node.whole, chunk["target"].whole, chunk["level"].whole] = (numbers[0], numbers[1], numbers[2])
    if filled and pixels is not None:
        pixels.size = 0
    if offset is not None and pixels is None:
        with _packed(calls):
            calls.plain(name, chunk, ("DebugMessages", "UnpackBufBound"))
    else:
        with calls.bindings.buffer_bound(gl.PIXEL_UNPACK_BUFFER, 0):
            calls.plain(name, chunk, ("DebugMessages", "UnpackBufBound"))


def _packed(calls: Calls) -> ExitStack:
    """Have pixels read as the program laid them out in its buffer; afterwards as those of the capture lie."""
    stack = ExitStack()
    for parameter, value in calls.unpacking.items():
        if value != TIGHT[parameter]:
            calls.bindings.call("glPixelStorei", parameter, value)
            stack.callback(calls.bindings.call, "glPixelStorei", parameter, TIGHT[parameter])
    return stack


def _storage(calls: Calls, chunk: Node) -> None:
    calls.immutable.add(chunk["texture"].whole)
    calls.plain(plain_name(chunk.name), chunk)


def _parameter(calls: Calls, chunk: Node) -> None:
    value = chunk.get("param")
    object_node = chunk.get("texture") or chunk.get("sampler")
    if object_node is not None and not calls.in_frame and object_node.whole in calls.objects.survey.described:
        return
    if value is not None and object_node is not None:
        calls.parameters.setdefault(object_node.whole, {})[chunk["pname"].whole] = value.real
    calls.plain(plain_name(chunk.name), chunk)


def _pixel_store(calls: Calls, chunk: Node) -> None:
    parameter, value = chunk["pname"].whole, chunk["param"].whole
    if parameter in calls.unpacking:
        calls.unpacking[parameter] = value
    else:
        calls.bindings.call("glPixelStorei", parameter, value)


def _read_pixels(calls: Calls, chunk: Node) -> None:
    """Into a buffer; pixels that the program read into its own memory are lost without effect."""
    if calls.bindings.buffer(gl.PIXEL_PACK_BUFFER):
        calls.plain("glReadPixels", chunk)


def _block_binding(calls: Calls, chunk: Node) -> None:
    program, name = calls.objects.name(chunk["program"]), chunk["blockName"].text
    index = calls.bindings.call("glGetUniformBlockIndex", program, name)
    calls.bindings.call("glUniformBlockBinding", program, index, chunk["uniformBlockBinding"].whole)


def _feedback_buffer(calls: Calls, chunk: Node) -> None:
    """A buffer of a transform feedback object, which RenderDoc notes without what was bound."""
    start, size = (chunk[part].whole if chunk.get(part) else 0 for part in ("offset", "size"))
    feedback, place = calls.objects.name(chunk["xfb"]), (gl.TRANSFORM_FEEDBACK_BUFFER, chunk["index"].whole)
    calls.bindings.call("glBindTransformFeedback", gl.TRANSFORM_FEEDBACK, feedback)
    bind_range(calls, place, calls.objects.name(chunk["buffer"]), (start, size))
    calls.bindings.call("glBindTransformFeedback", gl.TRANSFORM_FEEDBACK, 0)


def bind_range(calls: Calls, place: tuple[int, int], name: int, extent: tuple[int, int]) -> None:
    """Bind a buffer to an indexed target from a byte on; all of it if the size is 0."""
    if extent[1]:
        calls.bindings.call("glBindBufferRange", *place, name, *extent)
    else:
        calls.bindings.call("glBindBufferBase", *place, name)


def _indices(calls: Calls, chunk: Node) -> None:
    """Buffer of indices of a vertex array object."""
    if calls.in_frame or chunk["vaobj"].whole not in calls.objects.survey.described:
        name = calls.objects.name(chunk["buffer"])
        with calls.bindings.arrays_bound(calls.objects.name(chunk["vaobj"])):
            calls.bindings.call("glBindBuffer", gl.ELEMENT_ARRAY_BUFFER, name)


def _uniform(calls: Calls, chunk: Node) -> None:
    calls.uniforms.set(chunk)


def _named(pattern: str) -> list[str]:
    return [name for name in ARGUMENTS if re.match(pattern, name)]


SPECIAL: dict[str, Special] = {
    "glLinkProgram": _link,
    "glShaderSource": _source,
    "glObjectLabel": _label,
    "glLabelObjectEXT": _label,
    "glPushDebugGroup": _group,
    "glPushGroupMarkerEXT": _group,
    "glPopDebugGroup": _end_group,
    "glPopGroupMarkerEXT": _end_group,
    "glInsertEventMarkerEXT": _marker,
    "glDebugMessageInsert": _marker,
    "glBufferData": _buffer_data,
    "glBufferStorageEXT": _buffer_data,
    "glUnmapBuffer": _mapped,
    "glFlushMappedBufferRange": _mapped,
    "Internal::Coherent Mapped Memory Write": _mapped,
    "glCopyBufferSubData": _copy_buffer,
    "glVertexArrayElementBuffer": _indices,
    "glTransformFeedbackBufferBase": _feedback_buffer,
    "glTransformFeedbackBufferRange": _feedback_buffer,
    "glPixelStorei": _pixel_store,
    "glReadPixels": _read_pixels,
    "glUniformBlockBinding": _block_binding,
    **dict.fromkeys((f"gl{c}Tex{s}Image{d}D" for c in ("", "Compressed") for s in ("", "Sub") for d in (2, 3)), _image),
    **dict.fromkeys(("glTexStorage2D", "glTexStorage3D", "glTexStorage2DMultisample"), _storage),
    **dict.fromkeys((f"gl{o}Parameter{t}" for o in ("Tex", "Sampler") for t in ("i", "f", "iv", "fv")), _parameter),
    **dict.fromkeys(_named(r"gl(Program)?Uniform(\d|Matrix)"), _uniform),
    **dict.fromkeys(_named(r"glVertexAttribI?\d"), _vertex_attribute),
    **dict.fromkeys(_named(r"glDelete(?!Sync|Program|Shader)"), _delete),
}
"""Functions that are not played argument by argument."""


def plain_name(name: str) -> str:
    """The function that a chunk is played as: without the suffixes of extensions that OpenGL ES took in."""
    for pattern, replacement in _OTHER_NAMES:
        if pattern.match(name) and name not in ARGUMENTS:
            name = pattern.sub(replacement, name)
            break
    bare = _SUFFIXES.sub("", name)
    if bare in SPECIAL:
        return bare
    if name in ARGUMENTS or name in SPECIAL:
        return name
    for other in (bare, *(f"{bare}{suffix}" for suffix in ("EXT", "OES", "KHR"))):
        if other in ARGUMENTS or other in SPECIAL:
            return other
    return name
