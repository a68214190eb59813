"""Observes the operations of a stream that is executed without rendering."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from ..capture import Call
from ..gles import enums as gl
from ..gles.buffers import Buffer
from ..gles.context import Context, draws_all
from ..gles.display import Display
from ..gles.errors import REPORTED
from ..gles.frame_ends import READS
from ..gles.framebuffers import Attachment, Framebuffer
from ..gles.listener import Listener
from ..gles.programs import Program
from ..gles.surfaces import Picture
from ..gles.textures import Texture
from ..pipeline.command import DrawCommand
from ..pipeline.compute.dispatch import Dispatch, DispatchSink
from .accesses import (
    attachments_of,
    clear_access,
    dispatch_access,
    draw_access,
    mipmap_access,
    steering_reads,
    unseen_draw,
)
from .call_kinds import BIND_WINDOW, BLIT, OPERATION, STATE, kind_of
from .frames import Frames
from .left_out import ColorsNeeded, LeftOut
from .memory import NONE, Memory, Numbers, memory_of
from .operations import Access, Operations, showing

BY_PROGRAM = frozenset({"glBufferData", "glBufferSubData", "glBufferStorage", "glBufferStorageEXT", "memcpy"})
"""Calls by which the program itself writes a buffer."""


@dataclass(slots=True, eq=False)
class _Draws:
    """Draws of a state: what they access; the colours of their framebuffer, to show or as numbers; and what more than
    these depends on. With the memory and its amount at which that holds, and the places of the first two among the
    operations once they were added."""

    access: Access
    shown: Access
    colors: Numbers
    steering: Numbers
    memory: Memory
    amount: int
    places: tuple[int, int | None] | None = None


class Observer(Listener):
    """Notes what operations access, while they are executed or without that.

    Parameters
    ----------
    wanted
        Frames of which is noted what they show.
    listener
        Notified, too; None if operations are not executed, so that calls without dependencies can be left out.
    leaves_out
        Whether the colours of windows, or of other framebuffers, are left out; `ColorsNeeded` is raised after the
        operation that needs them.

    Attributes
    ----------
    number
        Number of the present frame.
    """

    restarts = True

    def __init__(
        self,
        wanted: Frames,
        listener: Listener | None = None,
        leaves_out: Callable[[bool], bool] = draws_all,
    ) -> None:
        self._leaves_out = leaves_out
        self._frames, self._executes, self._listener = wanted, listener is not None, listener or Listener()
        self.sees_contents = self._listener.sees_contents
        self._begin()

    def _begin(self) -> None:
        self.memory, self.operations, self.number = Memory(), Operations(), 0
        self.wanted = 0 in self._frames
        self._display: Display
        self._call: Call
        self._noted, self._left_out = -1, LeftOut(self._leaves_out)
        self._latest = _Draws(Access("draw"), showing(NONE), NONE, NONE, self.memory, -1)
        self._followed: _Draws | None = None
        self._clear: tuple[Framebuffer | None, tuple[object, ...], Access, Numbers] = None, (), Access("clear"), NONE

    def forget(self) -> None:
        """Forget what happened so far: the calls are executed again."""
        self._begin()
        self._listener.forget()

    def executor(self, display: Display) -> Callable[[Call], None]:
        """A function that executes a call by a display and notes what it accesses."""
        execute, executes, left_out = display.execute, self._executes, self._left_out
        self._display = display

        def run(call: Call) -> None:
            # Most calls, as fast as possible.
            kind = kind_of(call.signature.name)
            if kind:
                self._call = call
                if kind == OPERATION:
                    self._operate(call)
                else:
                    execute(call)
                    if kind != STATE:
                        self._copied(call, kind)
                if left_out.read:
                    raise ColorsNeeded
            elif executes:
                execute(call)

        return run

    def _copied(self, call: Call, kind: int) -> None:
        """Note a copy that has been executed."""
        if kind == BLIT:
            self._blit()
        elif kind == BIND_WINDOW:
            self._bind_window(call)

    def _operate(self, call: Call) -> None:
        """Execute a draw or dispatch."""
        display = self._display
        if self.memory.knows_buffers and self._unseen(call.signature.name) and not self._executes:
            return
        display.execute(call)
        # Only a draw that waits may have been joined by others.
        if display.waiting is not None and self._noted != call.number:
            self._joined()

    def _joined(self) -> None:
        """Note a draw that joined the one before, which is in the same state."""
        context = self._context
        if context is not None and context.queue is not None:
            self._add(self._latest.access)

    @property
    def _context(self) -> Context | None:
        return self._display.current.get(self._call.thread)

    def _add(self, access: Access) -> None:
        self._noted = self._call.number
        self.operations.add(self._call.number, access, self.number)
        if access.kind != "draw":
            self._left_out.follow(access)
            self._followed = None

    def frame(self, picture: Picture, call: Call) -> None:
        """End a frame, and note that its picture is needed, if it is wanted."""
        if self.wanted:
            self._need([picture.attachment.color()])
        self.number += 1
        self.wanted = self.number in self._frames

    def _need(self, arrays: Iterable[NDArray[Any] | None]) -> None:
        self.operations.need(showing(self.memory.known_arrays(arrays)), self.number)

    def frame_ended(self, number: int, picture: Picture, call: int) -> None:
        """Nothing: `frame` did this before the content was lost."""
        # Whether colours are left out may change with frames.
        self._followed = None
        self._listener.frame_ended(number, picture, call)

    def program_linked(self, program: Program, call: int) -> None:
        """Nothing."""
        self._listener.program_linked(program, call)

    def _unseen(self, name: str) -> bool:
        """Note a draw or dispatch that is steered by a buffer whose content is not known; whether it is one."""
        context = self._context
        if context is None:
            return False
        steering = _steering(context, name)
        if not self.memory.known_buffers(steering):
            return False
        try:
            program = context.program_of("compute") if "Dispatch" in name else context.program
            if program is None or program.linked is None:
                return True
            if "Dispatch" not in name:
                self._add(unseen_draw(self.memory, context, program, steering))
                self._show(context.framebuffer)
            elif "compute" in program.linked.shaders:
                self._add(dispatch_access(self.memory, context, program, steering))
        except REPORTED:
            # The call has no effect.
            pass
        return True

    def draw(self, context: Context, program: Program, command: DrawCommand, call: int) -> Any:
        """Note a draw."""
        memory = self.memory
        known: _Draws | None = command.derived.accessed
        if known is None or known.amount != memory.count or known.memory is not memory or command.feedback is not None:
            known = self._new_draws(context, program, command)
        self._latest = known
        if known.places is not None and self.wanted and call != self._noted:
            self.operations.add_again(call, *known.places, self.number)
        else:
            self._add_first(known, call)
        self._noted = call
        if known is not self._followed:
            self._left_out.draw(command.state.target.flipped, known.access, known.colors, known.steering)
            self._followed = known
        return self._listener.draw(context, program, command, call)

    def _add_first(self, draws: _Draws, call: int) -> None:
        """Note one of some draws, perhaps as a part of the operation before."""
        operations = self.operations
        operations.add(call, draws.access, self.number)
        if self.wanted:
            # As `_show`, whose numbers are known.
            operations.need(draws.shown, self.number)
            if call != self._noted:
                shown = operations.place_of(draws.shown) if draws.shown.reads else None
                draws.places = operations.place_of(draws.access), shown

    def _new_draws(self, context: Context, program: Program, command: DrawCommand) -> _Draws:
        """What draws of a state access; kept with the state where that holds for all of them."""
        memory = self.memory
        plain = command.feedback is None and not command.memory and not memory.knows_buffers
        access = draw_access(memory, context, program, command)
        colors = memory.known_arrays(a.color() for a in context.framebuffer.colors.values())
        steering = steering_reads(memory, context, command, access, colors) if self._executes else access.reads
        # Its own writes may have been numbered just now.
        known = _Draws(access, showing(colors), colors, steering, memory, memory.count)
        if plain:
            # Its target is the same only as long as the framebuffer and the memory of its attachments are.
            command.derived.accessed = known
        return known

    def dispatch(self, context: Context, program: Program, dispatch: Dispatch, call: int) -> DispatchSink | None:
        """Note a dispatch."""
        self._add(dispatch_access(self.memory, context, program))
        return self._listener.dispatch(context, program, dispatch, call)

    def _show(self, framebuffer: Framebuffer) -> None:
        """Note that the colours of a framebuffer are needed, if its frame is wanted: images of passes have them."""
        if self.wanted:
            self._need(a.color() for a in framebuffer.colors.values())

    def event(self, kind: str, call: int, **fields: Any) -> None:
        """Note an operation of another kind."""
        self._note(kind, fields)
        self._listener.event(kind, call, **fields)

    def _note(self, kind: str, fields: dict[str, Any]) -> None:
        if kind == "clear":
            self._note_clear(fields["framebuffer"], fields["slots"])
        elif kind == "generate_mipmap":
            self._add(mipmap_access(self.memory, fields["texture"]))
        elif kind == "copy":
            written = self._texels(fields["texture"], fields["level"], fields["layer"])
            replaces = written if _covers(fields["box"], fields) else NONE
            self._add(Access("copy", self._colors(fields["source"]), written, replaces))
        elif kind in ("blit", "resolve"):
            written = self.memory.array(fields["goal"].color())
            whole = _blits_all(self._call, fields["goal"], fields["source"], fields["framebuffer"], self._context)
            self._add(Access("blit", self._colors(fields["source"]), written, written if whole else NONE))
        elif kind == "upload":
            self._upload(fields["texture"], fields["level"], fields["layer"], _covers(fields["box"], fields))
        elif kind == "buffer_update":
            self._update(fields["buffer"], fields["offset_bytes"] == 0 and fields["size_bytes"])
        elif kind == "read_pixels":
            self._read(fields["source"])

    def _note_clear(self, framebuffer: Framebuffer, slots: dict[str, bool]) -> None:
        key = framebuffer.revision, framebuffer.storage, *slots.items()
        latest, known, access, colors = self._clear
        if latest is not framebuffer or known != (*key, self.memory.count):
            access = clear_access(self.memory, framebuffer, slots)
            cleared = [
                a for slot, a in attachments_of(framebuffer) if slot in slots and slot not in ("depth", "stencil")
            ]
            colors = self.memory.known_arrays(a.color() for a in cleared)
            # What it writes may have been numbered just now.
            self._clear = framebuffer, (*key, self.memory.count), access, colors
        self._add(access)
        self._left_out.clear(framebuffer.name == 0, access, colors)
        self._show(framebuffer)

    def _colors(self, source: Attachment) -> Numbers:
        return self.memory.known_arrays([source.color()])

    def _texels(self, texture: Texture, level: int, layer: int) -> Numbers:
        return self.memory.array(texture.images[level, layer])

    def _blit(self) -> None:
        """Note the depth and stencil that a blit may access; its colours have events."""
        context = self._context
        try:
            reader, framebuffer = (context.read_framebuffer, context.framebuffer) if context else (None, None)
        except REPORTED:
            return
        if reader is None or framebuffer is None:
            return
        sources = [memory_of(a, slot) for slot, a in attachments_of(reader) if slot in ("depth", "stencil")]
        goals = [memory_of(a, slot) for slot, a in attachments_of(framebuffer) if slot in ("depth", "stencil")]
        if int(self._mask()) & (gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT):
            written: Numbers = frozenset().union(*(self.memory.array(goal) for goal in goals))
            self._add(Access("blit", self.memory.known_arrays(sources), written))
        self._show(framebuffer)

    def _mask(self) -> int:
        mask = self._call.arguments[8] if len(self._call.arguments) > 8 else 0
        return mask if isinstance(mask, int) else 0

    def _upload(self, texture: Texture, level: int, layer: int, whole: bool) -> None:
        """Note an upload, which may come from a buffer and make mipmaps."""
        context = self._context
        source = context.state.buffers.get(gl.PIXEL_UNPACK_BUFFER) if context is not None else None
        reads = self.memory.known_buffers([source])
        layers = [image for (at, _), image in texture.images.items() if at == level]
        if reads:
            written: Numbers = frozenset().union(*(self.memory.array(image) for image in layers))
            self._add(Access("upload", reads, written))
        elif whole and (known := self.memory.known_arrays([texture.images[level, layer]])):
            self._add(Access("upload", replaces=known))
        if texture.automatic_mipmap and level == texture.first_level and self.memory.known_arrays(layers):
            self._add(mipmap_access(self.memory, texture)._replace(kind="upload"))

    def _update(self, buffer: Buffer, bytes_from_start: int) -> None:
        """Note a write to a buffer."""
        name, memory = self._call.signature.name, self.memory
        whole = bytes_from_start == len(buffer.data)
        if name in BY_PROGRAM:
            known = memory.known_buffers([buffer])
            if known and whole:
                self._add(Access("update", replaces=known))
        elif name == "glCopyBufferSubData":
            context, target = self._context, self._call.at(0)
            source = context.state.buffers.get(target) if context is not None and isinstance(target, int) else None
            if context is not None and target == gl.ELEMENT_ARRAY_BUFFER:
                source = context.state.vertex_array.element_buffer
            reads = memory.known_buffers([source])
            if reads or memory.known_buffers([buffer]):
                written = memory.buffer(buffer)
                self._add(Access("update", reads, written, written if whole else NONE))

    def _read(self, source: Attachment) -> None:
        """Note a read of pixels into a buffer."""
        context = self._context
        buffer = context.state.buffers.get(gl.PIXEL_PACK_BUFFER) if context is not None else None
        reads = self._colors(source)
        if buffer is not None and reads and self._call.signature.name in READS:
            self._add(Access("read_pixels", reads, self.memory.buffer(buffer)))

    def _bind_window(self, call: Call) -> None:
        """Note a copy of a window's pixels to a texture."""
        context, window = self._context, self._display.window_system.windows.get(_handle(call))
        if context is None or window is None or window.framebuffer is None:
            return
        image = context.texture(gl.TEXTURE_2D).images.get((0, 0))
        reads = self._colors(window.picture().attachment)
        if image is not None and reads:
            written = self.memory.array(image)
            self._add(Access("upload", reads, written, written))


def _handle(call: Call) -> int:
    surface = call.arguments[1] if len(call.arguments) > 1 else 0
    return int(surface) if isinstance(surface, int) else 0


def _steering(context: Context, name: str) -> list[Buffer | None]:
    """Buffers with numbers of a draw or dispatch, or its indices."""
    buffers, steering = context.state.buffers, list[Buffer | None]()
    if "Elements" in name:
        steering.append(context.state.vertex_array.element_buffer)
    if "Indirect" in name:
        target = gl.DISPATCH_INDIRECT_BUFFER if "Dispatch" in name else gl.DRAW_INDIRECT_BUFFER
        steering.append(buffers.get(target))
    return steering


def _covers(box: tuple[int, int, int, int], fields: dict[str, Any]) -> bool:
    """Whether a box is a whole image of a texture."""
    height, width = fields["texture"].images[fields["level"], fields["layer"]].shape[:2]
    return box == (0, 0, width, height)


def _blits_all(
    call: Call, goal: Attachment, source: Attachment, framebuffer: Framebuffer, context: Context | None
) -> bool:
    """Whether a blit writes every pixel of an attachment: pixels outside of the source are not written."""
    numbers = [a for a in call.arguments[:8] if isinstance(a, int)]
    if context is None or len(numbers) != 8 or gl.SCISSOR_TEST in context.state.enabled or goal.samples > 1:
        return False
    (width, height), (wide, high) = goal.size, source.size
    columns, rows = sorted(numbers[4:8:2]), sorted(numbers[5:8:2])
    covers = columns[0] <= 0 and rows[0] <= 0 and columns[1] >= width and rows[1] >= height
    inside = min(numbers[:4]) >= 0 and max(numbers[0:4:2]) <= wide and max(numbers[1:4:2]) <= high
    return covers and inside and goal.size == framebuffer.size
