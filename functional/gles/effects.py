"""What calls do beside their own work, declared with their entry points: what of the state that draws are made of they
change, so that it is resolved again only after they did, and what they have to do with framebuffers."""

from __future__ import annotations

from dataclasses import dataclass

NOTHING, ARRAYS, STAGES, OBJECTS = 0, 1, 2, 4
EVERYTHING = ARRAYS | STAGES | OBJECTS
"""What of the state that is resolved for draws: nothing (uniforms and contents of textures carry versions of their
own), vertex arrays and their buffers, fixed-function stages, programs and textures and framebuffers; or all of it."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a call does beside its own work; the defaults are right, if slow, for any.

    Attributes
    ----------
    changes
        NOTHING, or which of ARRAYS, STAGES and OBJECTS.
    sees_framebuffer
        Whether it may look at the default framebuffer.
    needs_framebuffer
        Whether the default framebuffer must have memory.
    beside_draws
        Whether draws before it may be executed after it: nothing that it reads or writes is theirs.
    """

    changes: int = EVERYTHING
    sees_framebuffer: bool = True
    needs_framebuffer: bool = False
    beside_draws: bool = False


ANYTHING = Effect()
HARMLESS = Effect(NOTHING)
"""Queries, new names, values that only clears use."""
UNSEEN = Effect(NOTHING, beside_draws=True)
UNIFORMS = Effect(NOTHING, sees_framebuffer=False)
VERTEX_ARRAYS = Effect(ARRAYS, sees_framebuffer=False)
FIXED_STAGES = Effect(STAGES, sees_framebuffer=False)
"""State of rasterization, tests and blending."""
SAMPLING = Effect(OBJECTS, sees_framebuffer=False)
"""Programs, and which textures they sample how."""
IMAGES = Effect(OBJECTS)
"""Images of textures."""
PLAIN_DRAW = Effect(NOTHING, needs_framebuffer=True, beside_draws=True)
PIXELS = Effect(NOTHING, needs_framebuffer=True)
"""Writes or reads its pixels."""
FRAMEBUFFER = Effect(needs_framebuffer=True)
"""The same, and may change anything else."""
