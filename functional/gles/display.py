"""The window system: EGL and GLX calls, current contexts per thread, buffer swaps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..capture import Call, Value
from ..pipeline.command import DrawCommand
from ..pipeline.draw import Outcome
from .context import Context, Identities, Report, ShareGroup
from .desktop import EGL_OPENGL_API, DesktopCaptureError, embedded_version
from .entry_points.buffers import write_mapped
from .journal import Journal
from .routes import GL, SWAP, WINDOW_SYSTEM, Route, Routes
from .surfaces import Window, window_format
from .textures import MAX_SIZE

EGL_HEIGHT, EGL_WIDTH, EGL_CONTEXT_CLIENT_VERSION = 0x3056, 0x3057, 0x3098


class Display:
    """Executes a stream's calls.

    Parameters
    ----------
    draw
        Runs a resolved draw.
    journal
        Told of everything.
    on_frame
        Called with the window at each buffer swap, before its content is lost.
    size
        Size of all windows in pixels, or None to derive it from the stream.
    on_answer
        Told of what each query of state answers here; the program has had its answers from the captured driver.
    joins_draws
        Whether draws of one state that follow each other, and that the journal does not record, are executed as one.
    """

    def __init__(
        self,
        draw: Callable[[DrawCommand, Any], Outcome | None],
        journal: Journal,
        on_frame: Callable[[Window, Call], None],
        size: tuple[int, int] | None = None,
        on_answer: Callable[[Call, Value], None] | None = None,
        joins_draws: bool = False,
    ) -> None:
        self.run_draw = draw
        self.journal = journal
        self.on_frame = on_frame
        self.size = size
        self.on_answer = on_answer
        self.joins_draws = joins_draws
        self.waiting: Context | None = None
        self.routes = Routes(_HANDLED)
        self.report = Report()
        self.identities = Identities()
        self.contexts: dict[int, Context] = {}
        self.windows: dict[int, Window] = {}
        self.current: dict[int, Context] = {}
        self.drawables: dict[int, Window] = {}
        self.readables: dict[int, Window] = {}
        self.expecting_size: set[int] = set()
        self.seen: set[int] = set()
        self.requested: dict[int, dict[int, int]] = {}
        self.actual: dict[int, dict[int, int]] = {}
        self.bound_api: dict[int, int] = {}
        self.desktop: dict[Any, str] = {}
        """Contexts of desktop OpenGL, and the window system that made each."""
        self.highest_version = 0
        """Highest major version of OpenGL ES that a context was asked for; 0 before there is any."""

    def execute(self, call: Call) -> None:
        """Execute one call.

        Raises
        ------
        DesktopCaptureError
            A context of desktop OpenGL is made current.
        """
        route = self.routes[call.signature.name]
        waiting = self.waiting
        if waiting is not None and not route.beside_draws:
            self.flush()
        if route.kind == SWAP:
            self._swap(call)
        elif route.kind == WINDOW_SYSTEM:
            name = call.signature.name
            try:
                getattr(self, f"_{name}")(call)
            except DesktopCaptureError:
                raise
            except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
                self.report.note(self.report.errors, name, call, f"arguments that make no sense ({error})")
        elif route.kind == GL:
            context = self.current.get(call.thread)
            if context is None:
                message = "no context is current; the call has no effect"
                self.report.note(self.report.errors, call.signature.name, call, message)
                return
            if waiting is not None and waiting is not context:
                self.flush()
            if route.sees_framebuffer:
                self._bind_framebuffer(call, route, context)
            context.dispatch(call, route.handler, route.changes)
            self.waiting = context if context.queue is not None else None

    def _bind_framebuffer(self, call: Call, route: Route, context: Context) -> None:
        """Give a context the default framebuffers of its thread."""
        window, reader = self.drawables.get(call.thread), self.readables.get(call.thread)
        framebuffer = None
        if window is not None:
            if route.sets_viewport:
                self._viewport(call, context, window)
            framebuffer = window.framebuffer
            if framebuffer is None:
                framebuffer = window.attachments() if route.needs_framebuffer else window.described()
        context.default_framebuffer = context.default_read_framebuffer = framebuffer
        if reader is not None and reader is not window:
            context.default_read_framebuffer = reader.attachments()

    def flush(self) -> None:
        """Execute the draws that wait for others."""
        context, self.waiting = self.waiting, None
        if context is not None:
            context.flush()

    def _viewport(self, call: Call, context: Context, window: Window) -> None:
        x, y, width, height = (v if isinstance(v, int) else 0 for v in call.arguments[:4])
        if call.thread in self.expecting_size:
            self.expecting_size.discard(call.thread)
            window.initial_viewport(width, height)
            if context.state.scissor == (0, 0, 0, 0):
                context.state.scissor = (0, 0, window.width, window.height)
        elif context.state.framebuffer == 0:
            window.reach(x + width, y + height)

    def _memcpy(self, call: Call) -> None:
        address, data = call.arguments[0], call.arguments[1]
        if isinstance(address, int) and isinstance(data, bytes):
            contexts = {id(c.group): c for c in (*self.contexts.values(), *self.current.values())}.values()
            if not any(write_mapped(context, address, data) for context in contexts):
                self.report.note(self.report.errors, "memcpy", call, "nothing is mapped there")

    def _eglChooseConfig(self, call: Call) -> None:
        attributes, configs = call["attrib_list"], call["configs"]
        if isinstance(configs, list):
            for config in configs:
                self.requested[config] = _pairs(attributes)  # type: ignore[index]

    def _eglGetConfigAttrib(self, call: Call) -> None:
        value = call["value"]
        self.actual.setdefault(call["config"], {})[call["attribute"]] = value[0] if isinstance(value, list) else value  # type: ignore

    def _eglBindAPI(self, call: Call) -> None:
        if call.result is None or call.result:
            self.bound_api[call.thread] = call["api"]  # type: ignore[assignment]

    def _eglCreateContext(self, call: Call) -> None:
        version = _pairs(call["attrib_list"]).get(EGL_CONTEXT_CLIENT_VERSION, 1)
        desktop = self.bound_api.get(call.thread) == EGL_OPENGL_API
        self._create_context(call.result, call["share_context"], None if desktop else version, "EGL")

    def _eglCreateWindowSurface(self, call: Call) -> None:
        self._create_window(call.result, call["config"], {})

    _eglCreatePlatformWindowSurface = _eglCreatePlatformWindowSurfaceEXT = _eglCreateWindowSurface

    def _eglCreatePbufferSurface(self, call: Call) -> None:
        self._create_window(call.result, call["config"], _pairs(call["attrib_list"]))

    def _eglQuerySurface(self, call: Call) -> None:
        window = self.windows.get(call["surface"])  # type: ignore[arg-type]
        value = call["value"]
        value = value[0] if isinstance(value, list) else value
        if window is not None and isinstance(value, int) and call["attribute"] in (EGL_WIDTH, EGL_HEIGHT):
            width = value if call["attribute"] == EGL_WIDTH else 0
            window.reach(width, 0 if width else value)

    def _eglMakeCurrent(self, call: Call) -> None:
        if call.result is None or call.result:
            self._make_current(call, call["ctx"], call["draw"], call["read"])

    def _eglReleaseThread(self, call: Call) -> None:
        self._make_current(call, None, None)

    def _eglDestroyContext(self, call: Call) -> None:
        # A context that is current lives on until its thread lets go of it.
        self.contexts.pop(call["ctx"], None)  # type: ignore[arg-type]
        self.seen.discard(call["ctx"])  # type: ignore[arg-type]

    def _eglDestroySurface(self, call: Call) -> None:
        self.windows.pop(call["surface"], None)  # type: ignore[arg-type]

    def _glXCreateContext(self, call: Call) -> None:
        self._create_context(call.result, call.arguments[2], None, "GLX")

    def _glXCreateNewContext(self, call: Call) -> None:
        self._create_context(call.result, call.arguments[3], None, "GLX")

    def _glXCreateContextAttribsARB(self, call: Call) -> None:
        self._create_context(call.result, call.arguments[2], embedded_version(_pairs(call.arguments[4])), "GLX")

    def _glXMakeCurrent(self, call: Call) -> None:
        self._make_current(call, call.arguments[2], call.arguments[1])

    def _glXMakeContextCurrent(self, call: Call) -> None:
        self._make_current(call, call.arguments[3], call.arguments[1])

    def _wglCreateContext(self, call: Call) -> None:
        self._create_context(call.result, None, None, "WGL")

    def _wglCreateContextAttribsARB(self, call: Call) -> None:
        self._create_context(call.result, call.arguments[1], embedded_version(_pairs(call.arguments[2])), "WGL")

    def _wglMakeCurrent(self, call: Call) -> None:
        self._make_current(call, call.arguments[1], call.arguments[0])

    def _CGLCreateContext(self, call: Call) -> None:
        handle = call.arguments[2]
        self._create_context(handle[0] if isinstance(handle, list) else handle, None, None, "CGL")

    def _CGLSetCurrentContext(self, call: Call) -> None:
        self._make_current(call, call.arguments[0], None)

    def _create_context(self, handle: Any, share: Any, version: int | None, system: str) -> None:
        """A context of a major version of OpenGL ES, None for one of desktop OpenGL."""
        if not handle:
            return
        self.desktop.pop(handle, None)
        if version is None:
            self.desktop[handle] = system
            return
        self.highest_version = max(self.highest_version, version)
        group = self.contexts[share].group if share in self.contexts else ShareGroup()
        context = Context(version, group, self.identities, self.journal, self.run_draw, self.report)
        context.on_answer = self.on_answer
        context.joins_draws = self.joins_draws
        self.contexts[handle] = context

    def _create_window(self, handle: Any, config: Any, attributes: dict[int, int]) -> None:
        if not handle:
            return
        window = Window(
            self.identities,
            _side(attributes.get(EGL_WIDTH, 0)),
            _side(attributes.get(EGL_HEIGHT, 0)),
            EGL_WIDTH in attributes,
            window_format(self.requested.get(config, {}), self.actual.get(config, {})),
        )
        if self.size is not None:
            window.width, window.height = self.size
            window.fixed = True
        self.windows[handle] = window

    def _make_current(self, call: Call, handle: Any, drawable: Any, readable: Any = None) -> None:
        thread = call.thread
        if handle in self.desktop:
            raise DesktopCaptureError(self.desktop[handle], call.number)
        context = self.contexts.get(handle)
        self.readables.pop(thread, None)
        if context is None:
            self.current.pop(thread, None)
            self.drawables.pop(thread, None)
            return
        if drawable and drawable not in self.windows:
            self._create_window(drawable, None, {})
        self.current[thread] = context
        context.group.revision += 1
        if drawable in self.windows:
            self.drawables[thread] = self.windows[drawable]
        else:
            self.drawables.pop(thread, None)
        if readable in self.windows and readable != drawable:
            self.readables[thread] = self.windows[readable]
        if handle not in self.seen:
            self.seen.add(handle)
            self.expecting_size.add(thread)
            window = self.drawables.get(thread)
            if window is not None and window.fixed:
                context.state.viewport = context.state.scissor = (0, 0, window.width, window.height)

    def _swap(self, call: Call) -> None:
        window = self.drawables.get(call.thread)
        surface = call.arguments[1] if len(call.arguments) > 1 else None
        if isinstance(surface, int) and surface in self.windows:
            window = self.windows[surface]
        if window is not None:
            self.on_frame(window, call)


_HANDLED = frozenset(name[1:] for name in vars(Display) if name.startswith(("_egl", "_glX", "_wgl", "_CGL", "_memcpy")))


def _side(value: int) -> int:
    """Width or height of a pbuffer; 0 where it makes no sense."""
    return int(value) if 0 < value <= MAX_SIZE else 0


def _pairs(attributes: object) -> dict[int, int]:
    """Attribute list key, value, …, EGL_NONE as a dictionary."""
    if not isinstance(attributes, list):
        return {}
    return {
        k: v
        for k, v in zip(attributes[::2], attributes[1::2], strict=False)
        if isinstance(k, int) and isinstance(v, int)
    }
