"""Chunks that stand for calls, as calls of the stream that is written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from ...capture.recorder import Recorder
from ...capture.signatures import ARGUMENTS, FILLED, Argument, Kind
from ...opengl import enums as gl
from .bindings import Bindings, texture_target
from .chunks import ChunkError, Export, Node
from .objects import AbsentError, Objects, Survey, made_kind, makes_many
from .special_calls import SPECIAL, UNPACKING, plain_name
from .uniforms import Uniforms

_WITHOUT_EFFECT = re.compile(
    r"gl(Flush|Finish|FenceSync|WaitSync|ClientWaitSync|DeleteSync|MapBuffer|MapBufferRange|Get\w+|Is[A-Z]\w+"
    r"|DebugMessage(Control|Callback)|Delete(Shader|Program)|ValidateProgram|ReleaseShaderCompiler)(EXT|OES|KHR|ARB)?$"
)
"""Calls that change neither objects nor pixels here: what is written to mapped memory has chunks of its own."""
_SWAPS = re.compile(r"(egl|glX|wgl|CGL)?\w*Swap\w*Buffers\w*$|CGLFlushDrawable$")
_DESCRIBED = frozenset({"vaobj", "framebuffer"})
"""Kinds of objects whose calls before the frame do not matter if the capture holds what they led to."""


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
        self.unpacking = dict(UNPACKING)
        self.in_frame = False
        self.missing: Counter[str] = Counter()
        self.swaps = 0

    def play(self, chunk: Node) -> None:
        """Record what a chunk stands for; note what cannot be."""
        name = plain_name(chunk.name)
        if _SWAPS.match(name):
            self.swap()
        elif name in SPECIAL:
            self._tried(SPECIAL[name], chunk)
        elif _WITHOUT_EFFECT.match(name):
            return
        elif name in ARGUMENTS:
            self._tried(lambda calls, one: calls.plain(name, one), chunk)
        elif made_kind(name) is not None:
            self._tried(lambda calls, one: calls.make(name, one), chunk)
        elif not name.startswith("Internal::"):
            self.missing[name] += 1

    def _tried(self, special: Callable[[Calls, Node], None], chunk: Node) -> None:
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
            recorded_target = self.objects.targets.get(context["texture"].whole, gl.TEXTURE_2D)
            target = matched["target"].whole if "target" in matched else recorded_target
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
