"""Kernels that the first draw needs, compiled before it, so that a progress bar can say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .compile import COMPILED
from .pipeline.fused.batch_kernels import cover_geometry, raster
from .pipeline.fused.counting_kernels import raster_counted
from .pipeline.fused.vertex_kernels import shade_vertices
from .pipeline.fused.whole_kernels import draw_whole
from .pipeline.index_stream import renumber, widen
from .recording.draw_kernels import raster_recorded

_ALL = (draw_whole, cover_geometry, shade_vertices, widen, renumber)
KERNELS: dict[str, tuple[Any, ...]] = {
    "render": (*_ALL, raster),
    "characterize": (*_ALL, raster_counted),
    "record": (*_ALL, raster_recorded),
}
"""By what is done with the draws."""


def compile_first(what: str, starting: Callable[[], None]) -> None:
    """Compile these kernels where they are not on disk, and load them.

    Parameters
    ----------
    what
        Of `KERNELS`.
    starting
        Called before anything is compiled.
    """
    if not COMPILED:
        return
    if not all(kernel.is_stored() for kernel in KERNELS[what]):
        starting()
    for kernel in KERNELS[what]:
        kernel.prepare()
