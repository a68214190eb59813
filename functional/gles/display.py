"""The window system: EGL and GLX calls, current contexts per thread, buffer swaps.

Every call of a stream passes through here to the context of its thread. EGL and GLX share one class because both work
on the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from ..capture import Call, Value
from ..pipeline.command import DrawCommand
from ..pipeline.draw import Outcome
from . import egl_enums as egl
from .arguments import handle, made, whole
from .context import Context, Identities, Report, RunDispatch, ShareGroup, no_dispatch
from .desktop import DesktopCaptureError, embedded_version
from .effects import EVERYTHING
from .egl_images import EglImage, image_of
from .entry_points.buffers import write_mapped
from .enums import TEXTURE_2D
from .errors import REPORTED, GLError, end_call
from .frame_ends import FLUSHES, READS, FramesAt, pairs, single_buffered
from .listener import Listener
from .routes import BLITS, COMPLETES, SWAP, WINDOW_SYSTEM, Route, Routes
from .surfaces import Picture, Window, window_format
from .textures import MAX_SIZE


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
        Whether consecutive draws of the same state are executed as one if the listener does not record them.
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
        self.passes_over = False
        """Whether draws among them, which are known to be valid, need not be resolved."""
        self.run_draw, self.run_dispatch = draw, dispatch
        self.listener = listener
        self.on_frame = on_frame
        self.size = size
        self.on_answer = on_answer
        self.joins_draws = joins_draws
        self.waiting: Context | None = None
        self.frames_at = frames_at
        self.shown: tuple[int, int] = (-1, -1)
        """Surface of the last frame that no swap ended, and its version."""
        self.routes = Routes(_HANDLED, {"swap": frozenset(), "flush": FLUSHES, "read": READS}[frames_at])
        self.report = Report()
        self.identities = Identities()
        self.contexts: dict[int, Context] = {}
        self.windows: dict[int, Window] = {}
        self.egl_images: dict[int, EglImage] = {}
        self.native: dict[int, Window] = {}
        """Latest surface of each window of the platform."""
        self.current: dict[int, Context] = {}
        self.drawables: dict[int, Window] = {}
        self.readables: dict[int, Window] = {}
        self.expecting_size: set[int] = set()
        self.seen: set[int] = set()
        self.requested: dict[int, dict[int, int]] = {}
        self.actual: dict[int, dict[int, int]] = {}
        self.bound_api: dict[int, int] = {}
        self.desktop: dict[Any, str] = {}
        """Contexts of desktop OpenGL, with the window system that created each."""
        self.highest_version = 0
        """Highest major version of OpenGL ES requested for a context; 0 before the first."""

    def execute(self, call: Call) -> None:
        """Execute one call.

        Raises
        ------
        DesktopCaptureError
            A context of desktop OpenGL is made current.
        InternalError
            The code that executes it has a fault.
        """
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
            if effect.changes:
                context.group.changed(effect.changes)
            try:
                route.handler(context, call)
            except REPORTED as error:
                context.note(call, error)
            # Again, because some calls draw with a temporary state.
            if effect.changes == EVERYTHING:
                context.group.changed(EVERYTHING)
            self.waiting = context if context.queue is not None else None
            if route.kind == COMPLETES:
                self._complete(call, context)
        except Exception as error:
            end_call(call, error)

    def _execute_other(self, call: Call, kind: int) -> None:
        if kind == SWAP:
            self._swap(call)
        elif kind == WINDOW_SYSTEM:
            self._tell_window_system(call)

    def _tell_window_system(self, call: Call) -> None:
        """Execute a call of the window system; errors go to the report."""
        name = call.signature.name
        try:
            getattr(self, f"_{name}")(call)
        except REPORTED as error:
            self.report.note(self.report.errors, name, call, str(error))

    def _bind_framebuffer(self, call: Call, route: Route, context: Context) -> None:
        """Bind the default framebuffers of its thread to a context."""
        window, reader = self.drawables.get(call.thread), self.readables.get(call.thread)
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
        if context is not None:
            context.flush()

    def _reach(self, call: Call, context: Context, window: Window) -> None:
        """Derive the size of a window from a viewport or, where nothing else tells it, from a blit."""
        if call.name in BLITS:
            corners = [v if isinstance(v, int) else 0 for v in call.arguments[4:8]]
            if len(corners) == 4 and context.state.framebuffer == 0:
                window.reach_by_blit(max(corners[0::2]), max(corners[1::2]))
            return
        box = [v if isinstance(v, int) else 0 for v in call.arguments]
        if len(box) != 4:
            return
        x, y, width, height = box
        if call.thread in self.expecting_size:
            self.expecting_size.discard(call.thread)
            window.initial_viewport(width, height)
            if context.state.scissor == (0, 0, 0, 0):
                context.state.scissor = (0, 0, window.width, window.height)
        elif context.state.framebuffer == 0:
            window.reach(x + width, y + height)

    def _memcpy(self, call: Call) -> None:
        address, data = call.at(0), call.at(1)
        if isinstance(address, int) and isinstance(data, bytes):
            contexts = {id(c.group): c for c in (*self.contexts.values(), *self.current.values())}.values()
            if not any(write_mapped(context, address, data) for context in contexts):
                self.report.note(self.report.errors, "memcpy", call, "nothing is mapped there")

    def _eglChooseConfig(self, call: Call) -> None:
        attributes, configs = call["attrib_list"], call["configs"]
        if isinstance(configs, list):
            for config in configs:
                self.requested[handle(config)] = pairs(attributes)

    def _eglGetConfigAttrib(self, call: Call) -> None:
        value = _first(call["value"])
        if isinstance(value, int):
            self.actual.setdefault(handle(call["config"]), {})[whole(call["attribute"])] = value

    def _eglBindAPI(self, call: Call) -> None:
        if call.result is None or call.result:
            self.bound_api[call.thread] = whole(call["api"])

    def _eglCreateContext(self, call: Call) -> None:
        version = pairs(call["attrib_list"]).get(egl.CONTEXT_CLIENT_VERSION, 1)
        desktop = self.bound_api.get(call.thread) == egl.OPENGL_API
        self._create_context(made(call), call["share_context"], None if desktop else version, "EGL")

    def _eglCreateWindowSurface(self, call: Call) -> None:
        attributes = pairs(call["attrib_list"])
        window = self._create_window(made(call), call["config"], attributes, pbuffer=False)
        if window is None:
            return
        window.single_buffered = single_buffered(attributes)
        native = call.at(2)
        if isinstance(native, int):
            earlier = self.native.get(native)
            if earlier is not None and not window.fixed:
                window.width, window.height = earlier.width, earlier.height
            self.native[native] = window

    _eglCreatePlatformWindowSurface = _eglCreatePlatformWindowSurfaceEXT = _eglCreateWindowSurface

    def _eglCreatePbufferSurface(self, call: Call) -> None:
        self._create_window(made(call), call["config"], pairs(call["attrib_list"]))

    def _eglCreatePixmapSurface(self, call: Call) -> None:
        window = self._create_window(made(call), call["config"], pairs(call["attrib_list"]), pbuffer=False)
        if window is not None:
            window.single_buffered = True

    _eglCreatePlatformPixmapSurface = _eglCreatePlatformPixmapSurfaceEXT = _eglCreatePixmapSurface

    def _eglCreateImage(self, call: Call) -> None:
        context = self.contexts.get(handle(call.at(1))) or self.current.get(call.thread)
        if context is None:
            return
        group, target, name = context.group, whole(call.at(2)), handle(call.at(3))
        level = pairs(call.at(4)).get(egl.GL_TEXTURE_LEVEL, 0)
        image = image_of(group.textures, group.renderbuffers, target, name, level)
        if image is not None:
            self.egl_images[made(call)] = image

    _eglCreateImageKHR = _eglCreateImage

    def _eglDestroyImage(self, call: Call) -> None:
        self.egl_images.pop(handle(call.at(1)), None)

    _eglDestroyImageKHR = _eglDestroyImage

    def _eglBindTexImage(self, call: Call) -> None:
        window, context = self.windows.get(handle(call.at(1))), self.current.get(call.thread)
        if window is None or context is None:
            return
        picture = window.picture()
        pixels = picture.attachment.color()
        if pixels is not None and pixels.ndim == 3:
            context.texture(TEXTURE_2D).set_image(0, 0, pixels[None].copy(), picture.color)
            context.group.changed(EVERYTHING)

    def _eglReleaseTexImage(self, call: Call) -> None:
        context = self.current.get(call.thread)
        if context is not None:
            context.texture(TEXTURE_2D).clear()
            context.group.changed(EVERYTHING)

    def _eglQuerySurface(self, call: Call) -> None:
        window, value = self.windows.get(handle(call["surface"])), _first(call["value"])
        if window is not None and isinstance(value, int) and call["attribute"] in (egl.WIDTH, egl.HEIGHT):
            width = value if call["attribute"] == egl.WIDTH else 0
            window.reach(width, 0 if width else value)

    def _eglMakeCurrent(self, call: Call) -> None:
        if call.result is None or call.result:
            self._make_current(call, call["ctx"], call["draw"], call["read"])

    def _eglReleaseThread(self, call: Call) -> None:
        self._make_current(call, None, None)

    def _eglDestroyContext(self, call: Call) -> None:
        # A current context exists until its thread releases it.
        self.contexts.pop(handle(call["ctx"]), None)
        self.seen.discard(handle(call["ctx"]))

    def _eglDestroySurface(self, call: Call) -> None:
        self.windows.pop(handle(call["surface"]), None)

    def _glXCreateContext(self, call: Call) -> None:
        self._create_context(made(call), call.at(2), None, "GLX")

    def _glXCreateNewContext(self, call: Call) -> None:
        self._create_context(made(call), call.at(3), None, "GLX")

    def _glXCreateContextAttribsARB(self, call: Call) -> None:
        self._create_context(made(call), call.at(2), embedded_version(pairs(call.at(4))), "GLX")

    def _glXMakeCurrent(self, call: Call) -> None:
        self._make_current(call, call.at(2), call.at(1))

    def _glXMakeContextCurrent(self, call: Call) -> None:
        self._make_current(call, call.at(3), call.at(1))

    def _wglCreateContext(self, call: Call) -> None:
        self._create_context(made(call), None, None, "WGL")

    def _wglCreateContextAttribsARB(self, call: Call) -> None:
        self._create_context(made(call), call.at(1), embedded_version(pairs(call.at(2))), "WGL")

    def _wglMakeCurrent(self, call: Call) -> None:
        self._make_current(call, call.at(1), call.at(0))

    def _CGLCreateContext(self, call: Call) -> None:
        self._create_context(handle(_first(call.at(2))), None, None, "CGL")

    def _CGLSetCurrentContext(self, call: Call) -> None:
        self._make_current(call, call.at(0), None)

    def _create_context(self, name: int, share: Value, version: int | None, system: str) -> None:
        """Create a context of a major version of OpenGL ES, or None for desktop OpenGL."""
        if not name:
            return
        self.desktop.pop(name, None)
        if version is None:
            self.desktop[name] = system
            return
        self.highest_version = max(self.highest_version, version)
        shared = self.contexts.get(handle(share))
        group = shared.group if shared is not None else ShareGroup()
        group.egl_images = self.egl_images
        context = Context(max(1, version), group, self.identities, self.listener, self.run_draw, self.report)
        context.on_answer, context.run_dispatch = self.on_answer, self.run_dispatch
        context.joins_draws, context.skipped = self.joins_draws, self.skipped
        context.passes_over = self.passes_over
        self.contexts[name] = context

    def _create_window(
        self, name: int, config: Value, attributes: dict[int, int], pbuffer: bool = True
    ) -> Window | None:
        """Create a surface, None without a name; only a pbuffer's attributes have its size."""
        if not name:
            return None
        sizes = attributes if pbuffer else {}
        chosen = handle(config)
        window = Window(
            self.identities,
            _side(sizes.get(egl.WIDTH, 0)),
            _side(sizes.get(egl.HEIGHT, 0)),
            egl.WIDTH in sizes,
            window_format(self.requested.get(chosen, {}), self.actual.get(chosen, {}), attributes),
        )
        if self.size is not None:
            window.width, window.height = self.size
            window.fixed = True
        self.windows[name] = window
        return window

    def _make_current(self, call: Call, name: Value, surface: Value, read: Value = None) -> None:
        thread, chosen = call.thread, handle(name)
        drawable, readable = handle(surface), handle(read)
        if chosen in self.desktop:
            raise DesktopCaptureError(self.desktop[chosen], call.number)
        context = self.contexts.get(chosen)
        self.readables.pop(thread, None)
        if context is None:
            self.current.pop(thread, None)
            self.drawables.pop(thread, None)
            return
        if drawable and drawable not in self.windows:
            self._create_window(drawable, None, {})
        self.current[thread] = context
        context.group.changed(EVERYTHING)
        if drawable in self.windows:
            self.drawables[thread] = self.windows[drawable]
        else:
            self.drawables.pop(thread, None)
        if readable in self.windows and readable != drawable:
            self.readables[thread] = self.windows[readable]
        if chosen not in self.seen:
            self.seen.add(chosen)
            self.expecting_size.add(thread)
            window = self.drawables.get(thread)
            if window is not None and window.fixed:
                context.state.viewport = context.state.scissor = (0, 0, window.width, window.height)

    def _swap(self, call: Call) -> None:
        window = self.drawables.get(call.thread)
        surface = call.at(1) if len(call.arguments) > 1 else None
        if isinstance(surface, int) and surface in self.windows:
            window = self.windows[surface]
        if window is not None and self.frames_at == "swap":
            self.on_frame(window.picture(), call)

    def _complete(self, call: Call, context: Context) -> None:
        """End a frame at a flush or a read, if its picture is complete and new."""
        picture = self._flushed(call.thread) if self.frames_at == "flush" else _read_whole(call, context)
        if picture is not None and picture.state != self.shown:
            self.shown = picture.state
            self.on_frame(picture, call)

    def _flushed(self, thread: int) -> Picture | None:
        window = self.drawables.get(thread)
        if window is None or window.framebuffer is None:
            return None
        shows = window.single_buffered or not any(w.single_buffered for w in self.windows.values())
        return window.picture(swapped=False) if shows else None


_HANDLED = frozenset(name[1:] for name in vars(Display) if name.startswith(("_egl", "_glX", "_wgl", "_CGL", "_memcpy")))


def _read_whole(call: Call, context: Context) -> Picture | None:
    """The picture of a framebuffer of which a call read all pixels."""
    try:
        framebuffer = context.read_framebuffer
        size = framebuffer.size
    except GLError:
        return None
    attachment = framebuffer.colors.get(framebuffer.read_buffer)
    if attachment is None or call.arguments[:4] != [0, 0, *size]:
        return None
    return Picture(attachment, swapped=False)


def _side(value: int) -> int:
    """Width or height of a pbuffer; 0 if it is invalid."""
    return int(value) if 0 < value <= MAX_SIZE else 0


def _first(value: Value) -> Value:
    """The value that a function filled in: a list of one, or nothing."""
    return (value[0] if value else None) if isinstance(value, list) else value
