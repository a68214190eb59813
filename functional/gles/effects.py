"""What calls can change of the state that draws are made of, so that it is resolved again only after they did."""

from __future__ import annotations

import re
from functools import lru_cache

NOTHING, ARRAYS, EVERYTHING = range(3)
"""Effects: none on what is resolved (uniforms and contents of textures carry versions of their own), on vertex arrays
and their buffers alone, on anything."""

_NOTHING = re.compile(
    r"gl(Program)?Uniform(Matrix)?[1-4]|glGet|glIs[A-Z]|glGen[A-Z]|glFlush$|glFinish$|glClear(Color|Depth|Stencil|Buffer|$)"
    r"|glDraw(Arrays|Elements|RangeElements)(Instanced)?(ANGLE|EXT)?$|glReadPixels$"
)
_ARRAYS = re.compile(
    r"glVertexAttrib|glEnableVertexAttribArray$|glDisableVertexAttribArray$|glBindVertexArray|glBindBuffer(ARB)?$"
    r"|gl(Buffer(Sub)?Data|MapBuffer|UnmapBuffer|FlushMappedBuffer)"
)
_BESIDE_DRAWS = re.compile(r"glDraw(Arrays|Elements|RangeElements)$|glGetError$")


@lru_cache(maxsize=4096)
def lets_draws_wait(name: str) -> bool:
    """Whether draws before a call may be executed after it: nothing that it reads or writes is theirs."""
    return _BESIDE_DRAWS.match(name) is not None


@lru_cache(maxsize=4096)
def effect(name: str) -> int:
    """Effect of a call; whatever is not known to be harmless may change everything."""
    return NOTHING if _NOTHING.match(name) else ARRAYS if _ARRAYS.match(name) else EVERYTHING
