"""Contexts and surfaces, and which of them are current in a thread; the same for all window systems."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakMethod

from ...capture import Call, Value
from .. import egl_enums as egl
from ..arguments import handle
from ..context import Context, Identities, ShareGroup
from ..desktop import SERVED_AS
from ..effects import EVERYTHING
from ..egl_images import EglImage
from ..surfaces import Window, window_format
from ..textures import MAX_SIZE

NewContext = Callable[[int, ShareGroup], Context]
"""Makes a context of a major version of OpenGL ES."""


class WindowSystem:
    """State of the window systems of a stream.

    Parameters
    ----------
    identities
        Numbers the images of surfaces.
    size
        Size of all surfaces in pixels, or None to derive it from the stream.
    new_context
        Makes contexts; a method of the object that owns this one.

    Attributes
    ----------
    contexts, windows, images
        Contexts, surfaces and images of EGL by handle.
    native
        Latest surface of each window of the platform.
    current, drawables, readables
        By thread: its context, the surface that it draws to, and the one that it reads, if that is another.
    expecting_size
        Threads whose next viewport gives a surface its size.
    requested, actual
        By configuration: attributes that were asked for when it was chosen, and those that were queried.
    bound_api
        API that a thread has bound.
    highest_version
        Highest major version of OpenGL ES requested for a context; 0 before the first.
    desktop
        Whether a context of desktop OpenGL was made current.
    """

    def __init__(self, identities: Identities, size: tuple[int, int] | None, new_context: NewContext) -> None:
        self.identities, self.size = identities, size
        # Its object owns this one: in a cycle, both would keep their memory until garbage is collected.
        self._new_context = WeakMethod(new_context)
        self.contexts: dict[int, Context] = {}
        self.windows: dict[int, Window] = {}
        self.images: dict[int, EglImage] = {}
        self.native: dict[int, Window] = {}
        self.current: dict[int, Context] = {}
        self.drawables: dict[int, Window] = {}
        self.readables: dict[int, Window] = {}
        self.expecting_size: set[int] = set()
        self.requested: dict[int, dict[int, int]] = {}
        self.actual: dict[int, dict[int, int]] = {}
        self.bound_api: dict[int, int] = {}
        self.highest_version = 0
        self.desktop = False
        self._seen: set[int] = set()

    def create_context(self, name: int, share: Value, version: int | None) -> None:
        """Create a context of a major version of OpenGL ES, or None for desktop OpenGL; nothing without a name."""
        if not name:
            return
        desktop = version is None
        version = SERVED_AS if version is None else version
        self.highest_version = max(self.highest_version, 0 if desktop else version)
        shared = self.contexts.get(handle(share))
        group = shared.group if shared is not None else ShareGroup()
        group.egl_images = self.images
        new_context = self._new_context()
        assert new_context is not None
        context = self.contexts[name] = new_context(max(1, version), group)
        context.desktop = desktop

    def destroy_context(self, name: int) -> None:
        """Forget a context; a current one exists until its thread releases it."""
        self.contexts.pop(name, None)
        self._seen.discard(name)

    def create_window(
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

    def make_current(self, call: Call, name: Value, surface: Value, read: Value = None) -> None:
        """Make a context and its surfaces current in the thread of a call, or none of them."""
        thread, chosen = call.thread, handle(name)
        drawable, readable = handle(surface), handle(read)
        context = self.contexts.get(chosen)
        self.readables.pop(thread, None)
        if context is None:
            self.current.pop(thread, None)
            self.drawables.pop(thread, None)
            return
        self.desktop |= context.desktop
        if drawable and drawable not in self.windows:
            self.create_window(drawable, None, {})
        self.current[thread] = context
        context.group.changed(EVERYTHING)
        if drawable in self.windows:
            self.drawables[thread] = self.windows[drawable]
        else:
            self.drawables.pop(thread, None)
        if readable in self.windows and readable != drawable:
            self.readables[thread] = self.windows[readable]
        if chosen not in self._seen:
            self._seen.add(chosen)
            self.expecting_size.add(thread)
            window = self.drawables.get(thread)
            if window is not None and window.fixed:
                context.state.viewport = context.state.scissor = (0, 0, window.width, window.height)

    def all_contexts(self) -> list[Context]:
        """Contexts that exist, those included that were destroyed and are current, each once."""
        return list({id(c): c for c in (*self.contexts.values(), *self.current.values())}.values())


WindowSystemCall = Callable[[WindowSystem, Call], None]
"""Executes a call."""


def filled_in(value: Value) -> Value:
    """The value that a function filled in: a list of one, or nothing."""
    return (value[0] if value else None) if isinstance(value, list) else value


def _side(value: int) -> int:
    """Width or height of a pbuffer; 0 if it is invalid."""
    return int(value) if 0 < value <= MAX_SIZE else 0
