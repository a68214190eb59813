"""Windows of a stream, their sizes and the frames that swaps end, without the state and the objects of OpenGL ES.

The same as `gles.display.Display` tells, from the calls on which they depend, for streams that nobody renders: contexts
have the framebuffer that is bound, and windows have sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .capture import FRAME_ENDS, Call
from .gles.arguments import whole
from .gles.desktop import ContextKind
from .gles.errors import REPORTED, end_call
from .gles.window_size import BLITS, WindowSize, blit_corner, viewport_box
from .gles.window_system import CALLS, WindowSystem
from .gles.window_system.state import Attributes
from .opengl import enums as gl

_OF_IMAGES = frozenset(
    f"egl{name}"
    for name in ("CreateImage", "CreateImageKHR", "DestroyImage", "DestroyImageKHR", "BindTexImage", "ReleaseTexImage")
)
"""Calls about what is in textures."""
SYSTEMS = ("egl", "glX", "wgl", "CGL")
FOLLOWED = frozenset({"glViewport", "glBindFramebuffer", *BLITS})


@dataclass
class FollowedContext:
    """A context: name of the framebuffer that is drawn to."""

    framebuffer: int = 0


class FollowedWindows:
    """Follows the windows of a stream whose frames end at swaps.

    Parameters
    ----------
    ended
        Called with width and height of each frame when it is complete, and the call.

    Attributes
    ----------
    window_system
        Contexts and windows.
    present
        The call that is being followed.
    """

    def __init__(self, ended: Callable[[int, int, Call], None]) -> None:
        self.window_system: WindowSystem[FollowedContext, WindowSize] = WindowSystem(self)
        self.present: Call | None = None
        self._ended = ended

    def new_context(self, kind: ContextKind, shared: FollowedContext | None) -> FollowedContext:
        """A context; see `window_system.state.Owner`."""
        return FollowedContext()

    def new_window(self, size: WindowSize, requested: Attributes, actual: Attributes, own: Attributes) -> WindowSize:
        """A window; see `window_system.state.Owner`."""
        return size

    def entered(self, context: FollowedContext, sized: WindowSize | None) -> None:
        """A context was made current; see `window_system.state.Owner`."""

    def execute(self, call: Call) -> None:
        """Follow a call of the window system, or one of `FOLLOWED`; others tell nothing."""
        self.present = call
        name = call.signature.name
        try:
            if name in FRAME_ENDS:
                self._swap(call)
            elif name in CALLS:
                if name not in _OF_IMAGES:
                    CALLS[name](self.window_system, call)
            elif name in FOLLOWED:
                self._follow(call, name)
        except REPORTED:
            # The call has no effect.
            return
        except Exception as error:
            end_call(call, error)
        finally:
            self.present = None

    def _swap(self, call: Call) -> None:
        system = self.window_system
        window = system.drawables.get(call.thread)
        surface = call.at(1) if len(call.arguments) > 1 else None
        if isinstance(surface, int) and surface in system.windows:
            window = system.windows[surface]
        if window is not None:
            window.has_memory = True
            self._ended(max(window.width, 1), max(window.height, 1), call)

    def _follow(self, call: Call, name: str) -> None:
        system = self.window_system
        context, window = system.current.get(call.thread), system.drawables.get(call.thread)
        reader = system.readables.get(call.thread)
        if context is None:
            return
        if window is not None and name != "glBindFramebuffer":
            self._reach(call, name, context, window)
        if reader is not None and reader is not window:
            reader.has_memory = True
        if name == "glBindFramebuffer" and call.at(0) in (gl.FRAMEBUFFER, gl.DRAW_FRAMEBUFFER):
            context.framebuffer = whole(call.at(1))

    def _reach(self, call: Call, name: str, context: FollowedContext, window: WindowSize) -> None:
        """Derive the size of a window from a viewport or, where nothing else tells it, from a blit."""
        if name in BLITS:
            corner = blit_corner(call)
            if corner is not None and context.framebuffer == 0:
                window.reach_by_blit(*corner)
            window.has_memory = True
            return
        box = viewport_box(call)
        if box is None:
            return
        expecting = self.window_system.expecting_size
        if call.thread in expecting:
            expecting.discard(call.thread)
            window.initial_viewport(*box[2:])
        elif context.framebuffer == 0:
            window.reach(box[0] + box[2], box[1] + box[3])
