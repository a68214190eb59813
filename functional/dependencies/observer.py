"""Observes the operations of a stream that is executed without rendering."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from ..capture import Call
from ..gles.buffers import Buffer
from ..gles.context import Context, draws_all
from ..gles.display import Display
from ..gles.errors import REPORTED
from ..gles.framebuffers import Framebuffer
from ..gles.listener import Listener
from ..gles.programs import Program
from ..gles.surfaces import Picture
from ..opengl import enums as gl
from ..pipeline.command import DrawCommand
from ..pipeline.compute.dispatch import Dispatch, DispatchSink
from .accesses import (
    attachments_of,
    clear_access,
    dispatch_access,
    draw_access,
    steering_reads,
    unseen_draw,
)
from .call_kinds import BIND_WINDOW, BLIT, OPERATION, STATE, kind_of
from .events import CallInContext, blit_access, bound_window_access, event_accesses
from .frames import Frames
from .left_out import ColorsNeeded, LeftOut
from .memory import NONE, Memory, Numbers
from .operations import Access, Operations, showing


@dataclass(slots=True, eq=False)
class _Draws:
    """Draws of a state: their access, and the one that shows their colours; these colours, and the memory that more
    than colours depends on. It holds for an amount of memory; both accesses have places once they were added."""

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
        if context is None or context.queue is None:
            return
        latest = self._latest
        if latest.places is None:
            self._add(latest.access)
        else:
            self._noted = self._call.number
            self.operations.add_again(self._noted, latest.places[0], None, self.number)

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
        accessed: _Draws | None = command.derived.accessed
        if (
            accessed is None
            or accessed.amount != memory.count
            or accessed.memory is not memory
            or command.feedback is not None
        ):
            accessed = self._new_draws(context, program, command)
        self._latest = accessed
        if accessed.places is not None and self.wanted and call != self._noted:
            self.operations.add_again(call, *accessed.places, self.number)
        else:
            self._add_first(accessed, call)
        self._noted = call
        if accessed is not self._followed:
            self._left_out.draw(command.state.target.flipped, accessed.access, accessed.colors, accessed.steering)
            self._followed = accessed
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
        """Find what draws of a state access, and keep it with the state where that holds for all of them."""
        memory = self.memory
        plain = command.feedback is None and not command.memory and not memory.knows_buffers
        access = draw_access(memory, context, program, command)
        colors = memory.known_arrays(a.color() for a in context.framebuffer.colors.values())
        steering = steering_reads(memory, context, command, access, colors) if self._executes else access.reads
        # Its own writes may have been numbered just now.
        accessed = _Draws(access, showing(colors), colors, steering, memory, memory.count)
        if plain:
            # Its target is the same only as long as the framebuffer and the memory of its attachments are.
            command.derived.accessed = accessed
        return accessed

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
            return
        for access in event_accesses(self.memory, CallInContext(self._call, self._context), kind, fields):
            self._add(access)

    def _note_clear(self, framebuffer: Framebuffer, slots: dict[str, bool]) -> None:
        key = framebuffer.revision, framebuffer.storage, *slots.items()
        latest, state, access, colors = self._clear
        if latest is not framebuffer or state != (*key, self.memory.count):
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

    def _blit(self) -> None:
        """Note the depth and stencil that a blit may access; its colours have events."""
        context = self._context
        try:
            reader, framebuffer = (context.read_framebuffer, context.framebuffer) if context else (None, None)
        except REPORTED:
            return
        if reader is None or framebuffer is None:
            return
        access = blit_access(self.memory, self._call, reader, framebuffer)
        if access is not None:
            self._add(access)
        self._show(framebuffer)

    def _bind_window(self, call: Call) -> None:
        """Note a copy of a window's pixels to a texture."""
        context, window = self._context, self._display.window_system.windows.get(_handle(call))
        if context is None or window is None or window.framebuffer is None:
            return
        access = bound_window_access(self.memory, context, window)
        if access is not None:
            self._add(access)


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
