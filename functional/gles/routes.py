"""Who executes a call, and what is known of it by its name alone: found out once per name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..capture import FRAME_ENDS
from .effects import effect, lets_draws_wait
from .entry_points import ENTRY_POINTS, Handler

GL, SWAP, WINDOW_SYSTEM, IGNORED = range(4)
_MOST = 4096
_BLIND = re.compile(
    r"gl(Program)?Uniform|glUseProgram$|glVertexAttrib|gl(Enable|Disable)VertexAttribArray$|glBind(Buffer|Texture|VertexArray)$"
    r"|glActiveTexture$|glBuffer(Sub)?Data$|glTexParameter"
)
"""What never looks at a framebuffer: most of the calls between draws."""
_NEEDS_FRAMEBUFFER = frozenset(
    n
    for n in ENTRY_POINTS
    if n.startswith(("glDraw", "glClear", "glBlit", "glRead", "glCopyTex", "glInvalidate", "glDiscard"))
    and not n.startswith(("glClearColor", "glClearDepth", "glClearStencil"))
)


@dataclass(frozen=True, slots=True)
class Route:
    """What becomes of the calls of a name.

    Attributes
    ----------
    kind
        Who executes them: a context, a buffer swap, the window system, or nobody.
    beside_draws
        Whether draws before such a call may be executed after it.
    handler
        The entry point; None where it is not implemented.
    changes
        Their effect on what draws are resolved from; see `effects`.
    sees_framebuffer
        Whether they may look at the default framebuffer.
    needs_framebuffer
        Whether the default framebuffer must have memory.
    sets_viewport
        Whether they are glViewport, from which the size of a window may follow.
    """

    kind: int
    beside_draws: bool
    handler: Handler | None
    changes: int
    sees_framebuffer: bool
    needs_framebuffer: bool
    sets_viewport: bool


class Routes(dict[str, Route]):
    """Routes by name, made as they are asked for.

    Parameters
    ----------
    window_system
        Names of the window system's functions that are known.
    """

    def __init__(self, window_system: frozenset[str]) -> None:
        super().__init__()
        self._window_system = window_system

    def __missing__(self, name: str) -> Route:
        if len(self) >= _MOST:
            self.clear()
        route = self[name] = Route(
            self._kind(name),
            lets_draws_wait(name),
            ENTRY_POINTS.get(name),
            effect(name),
            _BLIND.match(name) is None,
            name in _NEEDS_FRAMEBUFFER,
            name == "glViewport",
        )
        return route

    def _kind(self, name: str) -> int:
        if name.startswith("gl") and not name.startswith("glX") and name not in FRAME_ENDS:
            return GL
        return WINDOW_SYSTEM if name in self._window_system else SWAP if name in FRAME_ENDS else IGNORED
