"""Executes every call of a stream, by the context that is current in its thread or by the window system."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from ..capture import ArgumentError, Call, Value
from ..pipeline.command import DrawCommand
from ..pipeline.draw import Outcome
from ..work import DEFAULT_MAX_WORK
from .complete_frames import COMPLETING, CompleteFrames
from .context import Context, Identities, LeavesOut, Report, RunDispatch, ShareGroup, draws_all, no_dispatch
from .desktop import ContextKind
from .effects import ARRAYS, EVERYTHING
from .entry_points.buffers import write_mapped
from .errors import REPORTED, end_call
from .frame_ends import FramesAt
from .listener import Listener
from .routes import COMPLETES, SWAP, WINDOW_SYSTEM, Route, Routes
from .surfaces import Picture, Window, window_format
from .window_size import BLITS, WindowSize, blit_corner, viewport_box
from .window_system import CALLS, WindowSystem
from .window_system.state import Attributes

_MEMCPY = "memcpy"
_WINDOW_SYSTEM = frozenset({*CALLS, _MEMCPY})


class Display:
    """Executes a stream's calls.

    Parameters
    ----------
    draw
        Runs a resolved draw.
    listener
        Notified of everything.
    on_frame
        Called with the picture of each frame when it is complete, before its content is lost.
    size
        Size of all windows in pixels, or None to derive it from the stream.
    on_answer
        Called with the answer to each query of state; the program itself got its answers from the captured driver.
    joins_draws
        Whether consecutive draws of the same state are executed together, if their sinks allow it.
    frames_at
        Calls that complete a frame: buffer swaps, flushes of single-buffered surfaces (of any surface, if there is no
        such one), or reads of whole framebuffers; the latter two only if something was drawn since the last frame.
    dispatch
        Runs a resolved dispatch and tells the listener's sink.
    """

    def __init__(
        self,
        draw: Callable[[DrawCommand, Any], Outcome | None],
        listener: Listener,
        on_frame: Callable[[Picture, Call], None],
        size: tuple[int, int] | None = None,
        on_answer: Callable[[Call, Value], None] | None = None,
        joins_draws: bool = False,
        frames_at: FramesAt = "swap",
        dispatch: RunDispatch = no_dispatch,
    ) -> None:
        self.skipped: Container[int] = frozenset()
        """Numbers of calls that write no pixels, texels or bytes, because nothing needs them."""
        self.leaves_out_colors: LeavesOut = draws_all
        """Whether the colours of windows, or of other framebuffers, need not be drawn."""
        self.passes_over = False
        """Whether draws among them, which are known to be valid, need not be resolved."""
        self.unobserved = False
        """Whether nothing observes draws."""
        self.sees_contents = True
        """Whether draws of different contents of a texture are draws of different states."""
        self.run_draw, self.run_dispatch = draw, dispatch
        self.listener = listener
        self.on_frame = on_frame
        self.on_answer = on_answer
        self.joins_draws = joins_draws
        self.waiting: Context | None = None
        self.report = Report()
        self.present: Call | None = None
        """The call that is being executed."""
        self.max_work = DEFAULT_MAX_WORK
        """Most work that one call may ask for; see `work`."""
        self.identities = Identities()
        self.routes = Routes(_WINDOW_SYSTEM, COMPLETING[frames_at])
        self.window_system: WindowSystem[Context, Window] = WindowSystem(self, size)
        self.current = self.window_system.current
        """Current context of each thread."""
        self._frames = CompleteFrames(self.window_system, frames_at)

    def execute(self, call: Call) -> None:
        """Execute one call.

        Raises
        ------
        InternalError
            The code that executes it has a fault.
        """
        self.present = call
        try:
            route, waiting = self.routes[call.signature.name], self.waiting
            effect = route.effect
            if waiting is not None:
                if route.joins is not None and waiting is self.current.get(call.thread) and route.joins(waiting, call):
                    return
                if not effect.beside_draws:
                    self.flush()
            if route.kind > COMPLETES:
                self._execute_other(call, route.kind)
                return
            context = self.current.get(call.thread)
            if context is None:
                message = "no context is current; the call has no effect"
                self.report.note(self.report.errors, call.signature.name, call, message)
                return
            if waiting is not None and waiting is not context:
                self.flush()
            if effect.sees_framebuffer:
                self._bind_framebuffer(call, route, context)
            context.call, context.current_call = call.number, call
            changes = effect.changes
            if changes == ARRAYS:
                # Most changes, faster.
                context.group.arrays_revision += 1
            elif changes:
                context.group.changed(changes)
            try:
                route.handler(context, call)
            except REPORTED as error:
                context.note(call, error)
            # Again, because some calls draw with a temporary state.
            if changes == EVERYTHING:
                context.group.changed(EVERYTHING)
            self.waiting = context if context.queue is not None else None
            if route.kind == COMPLETES:
                self._end_frame(self._frames.at(call, context), call)
        except Exception as error:
            end_call(call, error)
        finally:
            self.present = None

    def _execute_other(self, call: Call, kind: int) -> None:
        if kind == SWAP:
            self._end_frame(self._frames.at_swap(call), call)
        elif kind == WINDOW_SYSTEM:
            self._tell_window_system(call)

    def _end_frame(self, picture: Picture | None, call: Call) -> None:
        if picture is not None:
            self.on_frame(picture, call)

    def _tell_window_system(self, call: Call) -> None:
        """Execute a call of the window system; errors go to the report."""
        name = call.signature.name
        try:
            if name == _MEMCPY:
                self._write_mapped(call)
            else:
                CALLS[name](self.window_system, call)
        except REPORTED as error:
            self.report.note(self.report.errors, name, call, str(error))

    def _write_mapped(self, call: Call) -> None:
        """Write to a mapped buffer, as the program did."""
        address, data = call.at(0), call.at(1)
        if isinstance(address, int) and isinstance(data, bytes):
            contexts = {id(c.group): c for c in self.window_system.all_contexts()}.values()
            if not any(write_mapped(context, address, data) for context in contexts):
                raise ArgumentError("nothing is mapped there")

    def new_context(self, kind: ContextKind, shared: Context | None) -> Context:
        """A context; see `window_system.state.Owner`."""
        group = shared.group if shared is not None else ShareGroup()
        group.egl_images = self.window_system.images
        context = Context(kind, group, self.identities, self.listener, self.run_draw, self.report)
        context.on_answer, context.run_dispatch = self.on_answer, self.run_dispatch
        context.joins_draws, context.skipped = self.joins_draws, self.skipped
        context.passes_over, context.unobserved = self.passes_over, self.unobserved
        context.leaves_out_colors = self.leaves_out_colors
        context.sees_contents = self.sees_contents
        context.max_work = self.max_work
        return context

    def new_window(self, size: WindowSize, requested: Attributes, actual: Attributes, own: Attributes) -> Window:
        """A window; see `window_system.state.Owner`."""
        format_ = window_format(requested, actual, own)
        return Window(size.width, size.height, size.fixed, identities=self.identities, format=format_)

    def entered(self, context: Context, sized: Window | None) -> None:
        """A context was made current; see `window_system.state.Owner`."""
        context.group.changed(EVERYTHING)
        if sized is not None:
            context.state.viewport = context.state.scissor = (0, 0, sized.width, sized.height)

    def _bind_framebuffer(self, call: Call, route: Route, context: Context) -> None:
        """Bind the default framebuffers of its thread to a context."""
        system = self.window_system
        window, reader = system.drawables.get(call.thread), system.readables.get(call.thread)
        framebuffer = None
        if window is not None:
            if route.reaches:
                self._reach(call, context, window)
            framebuffer = window.framebuffer
            if framebuffer is None:
                framebuffer = window.attachments() if route.effect.needs_framebuffer else window.described()
        context.default_framebuffer = context.default_read_framebuffer = framebuffer
        if reader is not None and reader is not window:
            context.default_read_framebuffer = reader.attachments()

    def flush(self) -> None:
        """Execute the draws that wait to be joined."""
        context, self.waiting = self.waiting, None
        if context is not None and context.queue is not None:
            before, self.present = self.present, context.queue.call
            context.flush()
            self.present = before

    def _reach(self, call: Call, context: Context, window: Window) -> None:
        """Derive the size of a window from a viewport or, where nothing else tells it, from a blit."""
        if call.name in BLITS:
            corner = blit_corner(call)
            if corner is not None and context.state.framebuffer == 0:
                window.reach_by_blit(*corner)
            return
        box = viewport_box(call)
        if box is None:
            return
        x, y, width, height = box
        expecting = self.window_system.expecting_size
        if call.thread in expecting:
            expecting.discard(call.thread)
            window.initial_viewport(width, height)
            if context.state.scissor == (0, 0, 0, 0):
                context.state.scissor = (0, 0, window.width, window.height)
        elif context.state.framebuffer == 0:
            window.reach(x + width, y + height)
