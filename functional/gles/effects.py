"""Side effects of calls, declared with their entry points: which parts of the state behind draws they change, so that
only these are resolved again, and whether they use framebuffers."""

from __future__ import annotations

from dataclasses import dataclass

NOTHING, ARRAYS, STAGES, OBJECTS = 0, 1, 2, 4
EVERYTHING = ARRAYS | STAGES | OBJECTS
"""Parts of the state that is resolved for draws: nothing (uniforms and contents of textures have their own versions),
vertex arrays with their buffers, fixed-function stages, objects (programs, textures, framebuffers), or everything."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Side effects of a call; the defaults are correct for any call, but slow.

    Attributes
    ----------
    changes
        NOTHING, or which of ARRAYS, STAGES and OBJECTS.
    sees_framebuffer
        Whether it may look at the default framebuffer.
    needs_framebuffer
        Whether the default framebuffer must have memory.
    beside_draws
        Whether earlier draws may be executed after it, because they share nothing that it reads or writes.
    """

    changes: int = EVERYTHING
    sees_framebuffer: bool = True
    needs_framebuffer: bool = False
    beside_draws: bool = False


ANYTHING = Effect()
HARMLESS = Effect(NOTHING)
"""Queries, creation of names, and values that only clears use."""
UNSEEN = Effect(NOTHING, beside_draws=True)
UNIFORMS = Effect(NOTHING, sees_framebuffer=False)
VERTEX_ARRAYS = Effect(ARRAYS, sees_framebuffer=False)
FIXED_STAGES = Effect(STAGES, sees_framebuffer=False)
"""State of rasterization, tests and blending."""
SAMPLING = Effect(OBJECTS, sees_framebuffer=False)
"""Programs, and the textures they sample and how."""
IMAGES = Effect(OBJECTS)
"""Images of textures."""
PLAIN_DRAW = Effect(NOTHING, needs_framebuffer=True, beside_draws=True)
PIXELS = Effect(NOTHING, needs_framebuffer=True)
"""Writes or reads pixels of the framebuffer."""
BASE_INSTANCE = Effect(ARRAYS, needs_framebuffer=True)
"""Draws with arrays of their own."""
FRAMEBUFFER = Effect(needs_framebuffer=True)
"""Writes or reads pixels of the framebuffer, and may change anything else."""
