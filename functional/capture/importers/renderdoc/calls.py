"""Chunks that stand for calls, as calls of the stream that is written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from ....gles import enums as gl
from ...recorder import Recorder
from ...signatures import ARGUMENTS, FILLED, Argument, Kind
from .bindings import Bindings, texture_target
from .chunks import ChunkError, Export, Node
from .objects import AbsentError, Objects, Survey, made_kind, makes_many
from .uniforms import Uniforms

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
_WITHOUT_EFFECT = re.compile(
    r"gl(Flush|Finish|FenceSync|WaitSync|ClientWaitSync|DeleteSync|MapBuffer|MapBufferRange|Get\w+|Is[A-Z]\w+"
    r"|DebugMessage(Control|Callback)|Delete(Shader|Program)|ValidateProgram|ReleaseShaderCompiler)(EXT|OES|KHR|ARB)?$"
)
"""Calls that change neither objects nor pixels here: what is written to mapped memory has chunks of its own."""
_SWAPS = re.compile(r"(egl|glX|wgl|CGL)?\w*Swap\w*Buffers\w*$|CGLFlushDrawable$")
_UNPACK = {
    gl.UNPACK_ALIGNMENT: 4, gl.UNPACK_ROW_LENGTH: 0, gl.UNPACK_IMAGE_HEIGHT: 0, gl.UNPACK_SKIP_PIXELS: 0,
    gl.UNPACK_SKIP_ROWS: 0, gl.UNPACK_SKIP_IMAGES: 0,
}  # fmt: skip
TIGHT = {**dict.fromkeys(_UNPACK, 0), gl.UNPACK_ALIGNMENT: 1}
"""How pixels lie in the buffers of a capture: rows one after another without gaps."""
_DESCRIBED = frozenset({"vaobj", "framebuffer"})
"""Kinds of objects whose calls before the frame do not matter if the capture holds what they led to."""
Special = Callable[["Calls", Node], None]


class Calls:
    """Plays chunks into a recorder.

    Parameters
    ----------
    export, recorder
        Capture and stream.
    survey
        The first reading of the capture.

    Attributes
    ----------
    bindings
        Of the stream.
    objects
        By RenderDoc's identifiers.
    uniforms
        Locations in the stream.
    parameters
        Parameters of textures and samplers that were set, by identifier.
    immutable
        Textures with immutable storage.
    levels
        Internal format, client format and type by texture, target and level, for levels that a call has made.
    unpacking
        Of the program: how it laid its pixels out in buffers.
    in_frame
        Whether the chunks of the frame are played, not those that made its objects.
    missing
        What is not carried over, and how often.
    swaps
        Frames that have ended.
    """

    def __init__(self, export: Export, recorder: Recorder, survey: Survey) -> None:
        self.export = export
        self.bindings = Bindings(recorder)
        self.objects = Objects(survey)
        self.uniforms = Uniforms(self.bindings, self.objects)
        self.parameters: dict[int, dict[int, float]] = {}
        self.immutable: set[int] = set()
        self.levels: dict[tuple[int, int, int], tuple[int, int, int]] = {}
        self.unpacking = dict(_UNPACK)
        self.in_frame = False
        self.missing: Counter[str] = Counter()
        self.swaps = 0

    def play(self, chunk: Node) -> None:
        """Record what a chunk stands for; note what cannot be."""
        name = _plain_name(chunk.name)
        if _SWAPS.match(name):
            self.swap()
        elif name in _SPECIAL:
            self._tried(_SPECIAL[name], chunk)
        elif _WITHOUT_EFFECT.match(name):
            return
        elif name in ARGUMENTS:
            self._tried(lambda calls, one: calls.plain(name, one), chunk)
        elif made_kind(name) is not None:
            self._tried(lambda calls, one: calls.make(name, one), chunk)
        elif not name.startswith("Internal::"):
            self.missing[name] += 1

    def _tried(self, special: Special, chunk: Node) -> None:
        try:
            special(self, chunk)
        except AbsentError:
            if self.in_frame:
                self.missing[f"{chunk.name} on objects that the capture lacks"] += 1

    def swap(self) -> None:
        """End a frame."""
        self.bindings.recorder.swap()
        self.swaps += 1

    def plain(self, name: str, chunk: Node, drop: tuple[str, ...] = ("DebugMessages",)) -> Any:
        """Record a function whose arguments are the chunk's members, with the objects that it acts on bound."""
        if made_kind(name) is not None:
            return self.make(name, chunk)
        wanted = [argument for argument in ARGUMENTS[name] if not argument.filled]
        members = [child for child in chunk.children if child.name not in drop]
        matched, context = _matched(wanted, members)
        described = {context[kind].whole for kind in _DESCRIBED & context.keys()} & self.objects.survey.described
        if described and not self.in_frame:
            return None
        with ExitStack() as stack:
            target = self._bind(stack, context, matched)
            if target is not None and "target" not in matched and any(a.name == "target" for a in wanted):
                values: dict[str, Any] = {"target": target}
            else:
                values = {}
            for argument in wanted:
                if argument.name not in values:
                    if argument.name not in matched:
                        raise ChunkError(f"it has no {argument.name}")
                    values[argument.name] = self._argument(argument, matched[argument.name])
            return self.bindings.call(name, *(values[argument.name] for argument in wanted))

    def _bind(self, stack: ExitStack, context: dict[str, Node], matched: dict[str, Node]) -> int | None:
        """Bind the objects that a function acts on; the target that one of them has."""
        target: int | None = None
        bindings, names = self.bindings, {kind: self.objects.name(node) for kind, node in context.items()}
        if "vaobj" in names:
            stack.enter_context(bindings.arrays_bound(names["vaobj"]))
        if "texture" in names:
            known = self.objects.targets.get(context["texture"].whole, gl.TEXTURE_2D)
            target = matched["target"].whole if "target" in matched else known
            self.objects.targets[context["texture"].whole] = texture_target(target)
            stack.enter_context(bindings.texture_bound(target, names["texture"]))
        if "buffer" in names and "vaobj" in names:
            stack.enter_context(bindings.buffer_bound(gl.ARRAY_BUFFER, names["buffer"]))
        elif "buffer" in names:
            target = stack.enter_context(bindings.buffer_anywhere(names["buffer"]))
        if "renderbuffer" in names:
            target = gl.RENDERBUFFER
            stack.enter_context(bindings.renderbuffer_bound(names["renderbuffer"]))
        if "framebuffer" in names:
            wanted = matched["target"].whole if "target" in matched else None
            wanted = gl.DRAW_FRAMEBUFFER if wanted == gl.FRAMEBUFFER else wanted
            target = stack.enter_context(bindings.framebuffer_bound(names["framebuffer"], wanted))
        if "readframebuffer" in names and "drawframebuffer" in names:
            both = bindings.both_framebuffers_bound(names["readframebuffer"], names["drawframebuffer"])
            stack.enter_context(both)
        return target

    def _argument(self, argument: Argument, node: Node) -> Any:
        """Value of an argument."""
        if node.kind == "ResourceId":
            return self.objects.name(node)
        if node.kind == "buffer":
            return self.export.buffer(node)
        if argument.array:
            elements = node.children if node.kind == "array" else [node]
            return [self._argument(argument._replace(array=False), element) for element in elements]
        if argument.kind is Kind.TEXT:
            return node.text
        return node.real if argument.kind in (Kind.FLOAT, Kind.FIXED) else node.whole

    def make(self, name: str, chunk: Node) -> None:
        """Record a function that makes an object."""
        kind, node = made_kind(name), chunk.children[-1] if chunk.children else chunk
        if kind is None or node.kind != "ResourceId":
            raise ChunkError("it names no object that it makes")
        target = chunk.get("target")
        if target is not None:
            self.objects.targets[node.whole] = target.whole
        if node.whole in self.objects.survey.standing:
            return
        if makes_many(name):
            made = self.bindings.call(name, 1)[0] if FILLED[name] else 0
        else:
            made = self.bindings.call(name, *map(self._argument, ARGUMENTS[name], chunk.children[:-1]))
        self.objects.made(node.whole, kind, made)


def _plain_name(name: str) -> str:
    """The function that a chunk is played as: without the suffixes of extensions that OpenGL ES took in."""
    for pattern, replacement in _OTHER_NAMES:
        if pattern.match(name) and name not in ARGUMENTS:
            name = pattern.sub(replacement, name)
            break
    bare = _SUFFIXES.sub("", name)
    if bare in _SPECIAL:
        return bare
    if name in ARGUMENTS or name in _SPECIAL:
        return name
    for other in (bare, *(f"{bare}{suffix}" for suffix in ("EXT", "OES", "KHR"))):
        if other in ARGUMENTS or other in _SPECIAL:
            return other
    return name


def _matched(wanted: list[Argument], members: list[Node]) -> tuple[dict[str, Node], dict[str, Node]]:
    """Members of a chunk by argument, and objects that are no arguments by the lower-case name of their member.

    Most members have the names of arguments; of the rest those that are no objects take the arguments in order.
    """
    by_name = {member.name.lower(): member for member in reversed(members)}
    matched = {a.name: by_name[a.name.lower()] for a in wanted if a.name.lower() in by_name}
    taken = {id(member) for member in matched.values()}
    rest = [member for member in members if id(member) not in taken]
    # The target is not noted where it follows from the object.
    numbers = sum(member.kind != "ResourceId" for member in rest)
    open_arguments = [a.name for a in wanted if a.name not in matched]
    if len(open_arguments) > numbers and "target" in open_arguments:
        open_arguments.remove("target")
    context: dict[str, Node] = {}
    while rest and rest[0].kind == "ResourceId" and len(rest) > len(open_arguments):
        member = rest.pop(0)
        context[member.name.lower()] = member
    matched.update(zip(open_arguments, rest, strict=False))
    return matched, context


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
    name = _plain_name(chunk.name)
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
    """What a program wrote to mapped memory."""
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
    name, node = _plain_name(chunk.name), chunk["texture"]
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
    calls.plain(_plain_name(chunk.name), chunk)


def _parameter(calls: Calls, chunk: Node) -> None:
    value = chunk.get("param")
    object_node = chunk.get("texture") or chunk.get("sampler")
    if object_node is not None and not calls.in_frame and object_node.whole in calls.objects.survey.described:
        return
    if value is not None and object_node is not None:
        calls.parameters.setdefault(object_node.whole, {})[chunk["pname"].whole] = value.real
    calls.plain(_plain_name(chunk.name), chunk)


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


_SPECIAL: dict[str, Special] = {
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
