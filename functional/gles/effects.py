"""Side effects of calls, declared with their entry points: which parts of the state behind draws they change, so that
only these are resolved again, and whether they use framebuffers."""

from __future__ import annotations

from dataclasses import dataclass

NOTHING, ARRAYS, STAGES, OBJECTS, PARAMETERS = 0, 1, 2, 4, 8
EVERYTHING = ARRAYS | STAGES | OBJECTS | PARAMETERS
"""Parts of the state that is resolved for draws: nothing (uniforms and contents of textures have their own versions),
vertex arrays with their buffers, stages that programs do not replace, objects (programs, textures, framebuffers),
parameters of the stages that programs replace (OpenGL ES 1.1, all but matrices and capabilities), or everything."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Side effects of a call; the defaults are correct for any call, but slow.

    Attributes
    ----------
    changes
        NOTHING, or which of ARRAYS, STAGES, OBJECTS and PARAMETERS.
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
"""Uniforms, and the matrices of OpenGL ES 1.1."""
COMPARED = Effect(NOTHING, sees_framebuffer=False)
"""The program in use and the shade model, which draws compare themselves; buffers that are bound, since arrays keep the
one that was bound when they were set."""
SELECTIONS = Effect(NOTHING, sees_framebuffer=False, beside_draws=True)
"""The texture unit that later calls are about."""
VERTEX_ARRAYS = Effect(ARRAYS, sees_framebuffer=False)
FIXED_STAGES = Effect(STAGES, sees_framebuffer=False)
"""State of rasterization, tests and blending; capabilities, those of OpenGL ES 1.1 included."""
FIXED_FUNCTION = Effect(PARAMETERS, sees_framebuffer=False)
"""Lights, materials, fog, alpha test, clip planes."""
ENVIRONMENTS = Effect(PARAMETERS | OBJECTS, sees_framebuffer=False)
"""Combination of textures in OpenGL ES 1.1, and the bias of their level of detail."""
POINTS = Effect(PARAMETERS | ARRAYS, sees_framebuffer=False)
SAMPLING = Effect(OBJECTS, sees_framebuffer=False)
"""Stages of programs, and the textures that they sample and how."""
IMAGES = Effect(OBJECTS)
"""Images of textures, and the framebuffer in use."""
VIEWPORT = Effect(STAGES)
"""The viewport, from which the size of a window may be derived, which makes another framebuffer."""
PLAIN_DRAW = Effect(NOTHING, needs_framebuffer=True, beside_draws=True)
PIXELS = Effect(NOTHING, needs_framebuffer=True)
"""Writes or reads pixels of the framebuffer."""
BASE_INSTANCE = Effect(ARRAYS, needs_framebuffer=True)
"""Draws with arrays of their own."""
FRAMEBUFFER = Effect(needs_framebuffer=True)
"""Writes or reads pixels of the framebuffer, and may change anything else."""
