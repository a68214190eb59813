"""The entry points of OpenGL ES, one file per group of the specification's chapters."""

from types import MappingProxyType

from ..effects import Effect
from . import (
    buffers,
    clearing,
    compressed_images,
    compute,
    copying,
    current_values,
    debugging,
    desktop,
    draw_texture,
    drawing,
    fixed_function,
    framebuffer_parameters,
    framebuffers,
    get_fixed,
    get_indexed,
    get_levels,
    get_objects,
    get_programs,
    get_state,
    images,
    indexed_blending,
    indirect,
    matrices,
    multisampling,
    pipelines,
    program_resources,
    programs,
    queries,
    reading,
    state,
    textures,
    transform_feedback,
    uniforms,
    vertex_arrays,
    vertex_bindings,
)
from .table import Handler, Joining

_MODULES = (
    state,
    indexed_blending,
    buffers,
    vertex_arrays,
    vertex_bindings,
    framebuffers,
    framebuffer_parameters,
    multisampling,
    textures,
    images,
    compressed_images,
    programs,
    uniforms,
    queries,
    transform_feedback,
    debugging,
    get_state,
    get_indexed,
    get_levels,
    get_objects,
    get_programs,
    pipelines,
    program_resources,
    get_fixed,
    reading,
    clearing,
    copying,
    drawing,
    indirect,
    compute,
    matrices,
    current_values,
    fixed_function,
    desktop,
    draw_texture,
)
ENTRY_POINTS: MappingProxyType[str, Handler] = MappingProxyType(
    {name: handler for module in _MODULES for name, handler in module.entry.handlers.items()}
)
"""Every entry point that is implemented, by name."""
EFFECTS: MappingProxyType[str, Effect] = MappingProxyType(
    {name: effect for module in _MODULES for name, effect in module.entry.effects.items()}
)
"""Effects of each of them beside its own work."""
JOINING: MappingProxyType[str, Joining] = MappingProxyType(drawing.entry.joining)
"""A shorter way of draws that join those that wait."""

__all__ = ["EFFECTS", "ENTRY_POINTS", "JOINING", "Handler", "Joining"]
