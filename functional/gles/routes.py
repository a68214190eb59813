"""Handlers of calls, and all else that follows from a call's name; looked up once per name."""

from __future__ import annotations

from dataclasses import dataclass

from ..capture import FRAME_ENDS, Call
from ..opengl.errors import Unsupported
from .context import Context
from .effects import ANYTHING, Effect
from .entry_points import EFFECTS, ENTRY_POINTS, JOINING, Handler, Joining
from .window_size import BLITS

GL, COMPLETES, SWAP, WINDOW_SYSTEM, IGNORED = range(5)
_MOST = 4096


@dataclass(frozen=True, slots=True)
class Route:
    """Handlers of the calls of a name, and their effects.

    Attributes
    ----------
    kind
        What executes them: a context, a context whose picture may be complete then, a buffer swap, the window system,
        or nothing.
    handler
        The entry point.
    joins
        Lets a draw join those that wait, and says whether it did.
    effect
        Their side effects.
    reaches
        Whether they draw or allow drawing up to some pixel, from which the size of a window may be derived.
    """

    kind: int
    handler: Handler
    joins: Joining | None
    effect: Effect
    reaches: bool


def _missing(context: Context, call: Call) -> None:
    raise Unsupported("not implemented; the call has no effect")


class Routes(dict[str, Route]):
    """Routes by name, created on demand.

    Parameters
    ----------
    window_system
        Names of the known functions of the window system.
    completing
        Names of functions of OpenGL after which a picture may be complete.
    """

    def __init__(self, window_system: frozenset[str], completing: frozenset[str]) -> None:
        super().__init__()
        self._window_system = window_system
        self._completing = completing

    def __missing__(self, name: str) -> Route:
        if len(self) >= _MOST:
            self.clear()
        effect = EFFECTS.get(name, ANYTHING)
        reaches = name == "glViewport" or name in BLITS
        handler = ENTRY_POINTS.get(name, _missing)
        route = self[name] = Route(self._kind(name), handler, JOINING.get(name), effect, reaches)
        return route

    def _kind(self, name: str) -> int:
        if name.startswith("gl") and not name.startswith("glX") and name not in FRAME_ENDS:
            return COMPLETES if name in self._completing else GL
        return WINDOW_SYSTEM if name in self._window_system else SWAP if name in FRAME_ENDS else IGNORED
