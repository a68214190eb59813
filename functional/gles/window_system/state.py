"""Contexts and surfaces, and which of them are current in a thread; the same for all window systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar
from weakref import ref

from ...capture import Call, Value
from ...opengl import egl_enums as egl
from ...opengl.limits import MAX_TEXTURE_SIZE
from ..arguments import handle
from ..desktop import ContextKind
from ..window_size import WindowSize

if TYPE_CHECKING:
    from ..egl_images import EglImage

Attributes = Mapping[int, int]
C = TypeVar("C")
W = TypeVar("W", bound=WindowSize)


class Owner(Protocol[C, W]):
    """Makes contexts and windows: with all that is in them, or only what sizes of windows follow from."""

    def new_context(self, kind: ContextKind, shared: C | None) -> C:
        """A context of an API, which may share the objects of another."""

    def new_window(self, size: WindowSize, requested: Attributes, actual: Attributes, own: Attributes) -> W:
        """A window of a configuration, by the attributes asked for and queried, with attributes of its own."""

    def entered(self, context: C, sized: W | None) -> None:
        """A context was made current; for the first time to a window of certain size, it has its viewport."""


class WindowSystem(Generic[C, W]):
    """State of the window systems of a stream.

    Parameters
    ----------
    owner
        The object that owns this one.
    size
        Size of all surfaces in pixels, or None to derive it from the stream.

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

    def __init__(self, owner: Owner[C, W], size: tuple[int, int] | None = None) -> None:
        self.size = size
        # In a cycle, both would keep their memory until garbage is collected.
        self._own = ref(owner)
        self.contexts: dict[int, C] = {}
        self.windows: dict[int, W] = {}
        self.images: dict[int, EglImage] = {}
        self.native: dict[int, W] = {}
        self.current: dict[int, C] = {}
        self.drawables: dict[int, W] = {}
        self.readables: dict[int, W] = {}
        self.expecting_size: set[int] = set()
        self.requested: dict[int, dict[int, int]] = {}
        self.actual: dict[int, dict[int, int]] = {}
        self.bound_api: dict[int, int] = {}
        self.highest_version = 0
        self.desktop = False
        self._seen: set[int] = set()
        self._desktop: set[int] = set()

    @property
    def _owner(self) -> Owner[C, W]:
        owner = self._own()
        assert owner is not None
        return owner

    def create_context(self, name: int, share: Value, kind: ContextKind) -> None:
        """Create a context of an API; nothing without a name."""
        if not name:
            return
        self._desktop.discard(name)
        if kind.desktop:
            self._desktop.add(name)
        else:
            self.highest_version = max(self.highest_version, kind.version)
        self.contexts[name] = self._owner.new_context(kind, self.contexts.get(handle(share)))

    def destroy_context(self, name: int) -> None:
        """Forget a context; a current one exists until its thread releases it."""
        self.contexts.pop(name, None)
        self._seen.discard(name)

    def create_window(self, name: int, config: Value, attributes: dict[int, int], pbuffer: bool = True) -> W | None:
        """Create a surface, None without a name; attributes have the size of a pbuffer, or of a window of a fixed one
        (EGL_ANGLE_window_fixed_size).
        """
        if not name:
            return None
        sizes = attributes if pbuffer or attributes.get(egl.FIXED_SIZE_ANGLE) else {}
        chosen = handle(config)
        size = WindowSize(_side(sizes.get(egl.WIDTH, 0)), _side(sizes.get(egl.HEIGHT, 0)), egl.WIDTH in sizes)
        if self.size is not None:
            size = WindowSize(*self.size, fixed=True)
        window = self._owner.new_window(size, self.requested.get(chosen, {}), self.actual.get(chosen, {}), attributes)
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
        self.desktop |= chosen in self._desktop
        if drawable and drawable not in self.windows:
            self.create_window(drawable, None, {})
        self.current[thread] = context
        if drawable in self.windows:
            self.drawables[thread] = self.windows[drawable]
        else:
            self.drawables.pop(thread, None)
        if readable in self.windows and readable != drawable:
            self.readables[thread] = self.windows[readable]
        sized = None
        if chosen not in self._seen:
            self._seen.add(chosen)
            self.expecting_size.add(thread)
            window = self.drawables.get(thread)
            sized = window if window is not None and window.fixed else None
        self._owner.entered(context, sized)

    def all_contexts(self) -> list[C]:
        """Contexts that exist, those included that were destroyed and are current, each once."""
        return list({id(c): c for c in (*self.contexts.values(), *self.current.values())}.values())


AnySystem = WindowSystem[Any, Any]
WindowSystemCall = Callable[[AnySystem, Call], None]
"""Executes a call."""


def filled_in(value: Value) -> Value:
    """The value that a function filled in: a list of one, or nothing."""
    return (value[0] if value else None) if isinstance(value, list) else value


def _side(value: int) -> int:
    """Width or height of a pbuffer; 0 if it is invalid."""
    return int(value) if 0 < value <= MAX_TEXTURE_SIZE else 0
