"""Kernels that the first draw needs, and the types of their arguments: two processes compile them at once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from .jit import Kernels, compile_in_second, compiled_in_two
from .jit.blocks import types_of_parameters
from .pipeline.fused.batch_kernels import cover_geometry, raster
from .pipeline.fused.counting_kernels import raster_counted
from .pipeline.fused.geometry_block import describe
from .pipeline.fused.geometry_call import shade_and_set_up
from .pipeline.fused.vertex_kernels import shade_vertices
from .pipeline.fused.whole_kernels import draw_whole
from .pipeline.index_stream import renumber, widen
from .recording.draw_kernels import raster_recorded

HERE = {
    "render": (draw_whole, shade_and_set_up, shade_vertices.dispatcher, describe),
    "characterize": (draw_whole, shade_vertices.dispatcher, describe),
    "record": (draw_whole, shade_vertices.dispatcher, widen, renumber),
}
BESIDE = {
    "render": (cover_geometry.dispatcher, raster.dispatcher, widen, renumber),
    "characterize": (cover_geometry.dispatcher, raster_counted.dispatcher, widen, renumber),
    "record": (cover_geometry.dispatcher, raster_recorded.dispatcher),
}
"""Kernels that this process and the other one compile first, by what is done with the draws."""


def kernels_of(names: tuple[Any, ...]) -> Kernels:
    """Some of these kernels with the types of their arguments."""
    return {kernel: types_of_parameters(kernel) for kernel in names}


def compiled_beside(what: str, starting: Callable[[], None]) -> AbstractContextManager[None]:
    """Compile kernels before this block, those of a second process during it as well; where they are not on disk and
    there are two processors.

    Parameters
    ----------
    what
        Of `HERE`.
    starting
        Called before anything is compiled.
    """
    others = f"from {__name__} import compile_beside; compile_beside({what!r})"
    return compiled_in_two(kernels_of(HERE[what]), others, starting)


def compile_beside(what: str) -> None:
    """Compile what is for the second process, in this one."""
    compile_in_second(kernels_of(BESIDE[what]))
