"""Resolves buffer bindings and image units to the memory of shaders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..execute.memory import NO_BUFFER, NO_IMAGE, BufferMemory, ImageMemory, ShaderMemory
from ..glsl.ir.program import Buffer as BufferDeclaration
from ..glsl.ir.program import Image as ImageDeclaration
from ..glsl.ir.program import Shader, Stage
from . import enums as gl
from .buffers import Binding, Buffer
from .context import Context
from .errors import GLError, Unsupported
from .formats import SIZED
from .state import ImageUnit
from .textures import Texture

_TARGETS = {"storage": gl.SHADER_STORAGE_BUFFER, "counter": gl.ATOMIC_COUNTER_BUFFER}


@dataclass
class Resolved:
    """Memory of the stages of a program, and the objects that they change.

    Attributes
    ----------
    stages
        Memory of each stage that accesses any.
    images
        Images in use with their texture and level, by texture, level and layer, so that all see the same texels.
    """

    stages: dict[Stage, ShaderMemory] = field(default_factory=dict)
    buffers: list[Buffer] = field(default_factory=list)
    textures: list[Texture] = field(default_factory=list)
    images: dict[tuple[int, int, int | None], tuple[Texture, int, ImageMemory]] = field(default_factory=dict)

    def finish(self) -> None:
        """Put images that are copies back, and note what changed."""
        for texture, level, image in self.images.values():
            if texture in self.textures and len(image.pixels) > 1:
                for layer, pixels in enumerate(image.pixels):
                    texture.images[level, layer][:] = pixels
        for texture in self.textures:
            texture.allocations += 1
            texture.touched()
        for buffer in self.buffers:
            buffer.version += 1


def resolve_memory(context: Context, shaders: Mapping[Stage, Shader]) -> Resolved:
    """Memory that shaders access with the present bindings.

    Raises
    ------
    GLError
        If a buffer is mapped.
    Unsupported
        For an image that is used in a format other than its texture's.
    """
    resolved = Resolved()
    for stage, shader in shaders.items():
        if shader.accesses_memory or stage == "compute":
            buffers = tuple(_buffer(context, declaration, resolved) for declaration in shader.buffers)
            images = tuple(_image(context, declaration, resolved) for declaration in shader.images)
            resolved.stages[stage] = ShaderMemory(buffers, images)
    return resolved


def bound_range(context: Context, declared: BufferDeclaration) -> Binding | None:
    """Buffer range of a shader's buffer; None if nothing is bound."""
    return context.state.indexed_buffers[_TARGETS[declared.kind]].get(declared.binding)


def bound_image(context: Context, declared: ImageDeclaration) -> tuple[Texture, ImageUnit] | None:
    """The texture that an image of a shader is bound to, and its unit, if there is such a level and layer."""
    unit = context.state.image_units.get(declared.unit)
    if unit is None or unit.texture is None:
        return None
    return (unit.texture, unit) if (unit.level, unit.layer if unit.single else 0) in unit.texture.images else None


def _buffer(context: Context, declared: BufferDeclaration, resolved: Resolved) -> BufferMemory:
    binding = bound_range(context, declared)
    if binding is None:
        return NO_BUFFER
    if binding.buffer.locked:
        raise GLError(gl.INVALID_OPERATION, f"the buffer at binding {declared.binding} is mapped")
    words = np.frombuffer(binding.buffer.data, np.uint32, binding.room // 4, binding.offset)
    if declared.writes:
        resolved.buffers.append(binding.buffer)
    return BufferMemory(words, binding.room)


def _image(context: Context, declared: ImageDeclaration, resolved: Resolved) -> ImageMemory:
    bound = bound_image(context, declared)
    if bound is None:
        return NO_IMAGE
    texture, unit = bound
    sized = SIZED[unit.format]
    if texture.formats[unit.level, 0] != sized:
        held = texture.formats[unit.level, 0].name
        raise Unsupported(f"an image of format {held} that is used as {sized.name}")
    if declared.writes and texture not in resolved.textures:
        resolved.textures.append(texture)
    key = id(texture), unit.level, unit.layer if unit.single else None
    if key not in resolved.images:
        layers = [unit.layer] if unit.single else range(texture.layers(unit.level))
        pixels = [texture.images[unit.level, layer] for layer in layers]
        channels = sum(1 for bits in sized.bits if bits)
        texels = pixels[0][None] if len(pixels) == 1 else np.stack(pixels)
        resolved.images[key] = texture, unit.level, ImageMemory(texels, sized.kind, sized.bits[0], channels)
    return resolved.images[key][2]
