"""The test of a quad's depths and stencil values in a SIMT core's program: early or late, against what is in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.jit import unit
from . import frame_buffer
from .blending import count_late

if TYPE_CHECKING:
    from ..engine.frame import Depth, RenderPass
    from ..memory.gpu import Gpu
    from .simt_core import SimtCore


@unit
def test(gpu: Gpu, depth: Depth, core: SimtCore, row: RenderPass, q: int) -> int:
    """Test quad q of a pass; 1 where a value was written."""
    quad = depth.quad[q]
    late = depth.state[depth.primitive[quad.primitive].state].late
    kept = int(quad.coverage & ~quad.discarded) if late != 0 else int(quad.coverage)
    passed, wrote = frame_buffer.test(gpu, depth, core.buffer, row, q, kept)
    quad.passed = passed
    if late != 0:
        count_late(core, quad, kept, passed)
    else:
        core.killed_quads += passed == 0
        core.mismatched_quads += passed != quad.depth_pass
    return int(wrote)
