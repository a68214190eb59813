"""Resolves buffer bindings and image units to the memory of shaders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..execute.memory import NO_BUFFER, NO_IMAGE, BufferMemory, ImageMemory, ShaderMemory
from ..glsl.ir.program import Buffer as BufferDeclaration
from ..glsl.ir.program import Image as ImageDeclaration
from ..glsl.ir.program import Shader, Stage
from ..opengl import enums as gl
from ..opengl.errors import GLError, Unsupported
from ..opengl.formats import SIZED, Format
from .buffers import Binding, Buffer
from .context import Context
from .image_views import texel_bytes, texels_of_bytes, viewable
from .state import ImageUnit
from .textures import Texture

_TARGETS = {"storage": gl.SHADER_STORAGE_BUFFER, "counter": gl.ATOMIC_COUNTER_BUFFER}


@dataclass
class BoundImage:
    """An image in use: layers of a level of a texture, in the format of the image unit.

    Attributes
    ----------
    copied
        Whether the texels are copies, of several layers or in a format other than the texture's.
    written
        Whether a shader writes it.
    """

    texture: Texture
    level: int
    layers: range
    form: Format
    memory: ImageMemory
    copied: bool
    written: bool = False

    def put_back(self) -> None:
        """Bring the texels of a copy back to the texture."""
        held = self.texture.formats[self.level, 0]
        for layer, pixels in zip(self.layers, self.memory.pixels, strict=True):
            texels = pixels if held == self.form else texels_of_bytes(texel_bytes(pixels, self.form), held)
            self.texture.images[self.level, layer][:] = texels


@dataclass
class Resolved:
    """Memory of the stages of a program, and the objects that they change.

    Attributes
    ----------
    stages
        Memory of each stage that accesses any.
    images
        Images in use by texture, level, layer and format, so that all that see the same texels share them.
    """

    stages: dict[Stage, ShaderMemory] = field(default_factory=dict)
    buffers: list[Buffer] = field(default_factory=list)
    textures: list[Texture] = field(default_factory=list)
    images: dict[tuple[int, int, int | None, str], BoundImage] = field(default_factory=dict)

    def finish(self) -> None:
        """Put images that are copies back, and note what changed."""
        for image in self.images.values():
            if image.copied and image.written:
                image.put_back()
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
        For an image whose texture's format cannot be seen in the image unit's, as packed ones.
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
    if declared.writes:
        resolved.buffers.append(binding.buffer)
    return BufferMemory(binding.elements(np.uint32), binding.room)


def _image(context: Context, declared: ImageDeclaration, resolved: Resolved) -> ImageMemory:
    bound = bound_image(context, declared)
    if bound is None:
        return NO_IMAGE
    texture, unit = bound
    form, held = SIZED[unit.format], texture.formats[unit.level, 0]
    if held.block != (1, 1) or held.texel_bytes != form.texel_bytes:
        return NO_IMAGE
    if held != form and not viewable(held):
        raise Unsupported(f"an image of format {held.name} that is used as {form.name}")
    if declared.writes and texture not in resolved.textures:
        resolved.textures.append(texture)
    key = id(texture), unit.level, unit.layer if unit.single else None, form.name
    if key not in resolved.images:
        resolved.images[key] = _bound(texture, unit, form)
    image = resolved.images[key]
    image.written |= declared.writes
    return image.memory


def _bound(texture: Texture, unit: ImageUnit, form: Format) -> BoundImage:
    """The layers that an image unit sees; of one layer in its own format, the texture's own texels."""
    layers = range(unit.layer, unit.layer + 1) if unit.single else range(texture.layers(unit.level))
    pixels, held = [texture.images[unit.level, layer] for layer in layers], texture.formats[unit.level, 0]
    if held != form:
        texels = np.stack([texels_of_bytes(texel_bytes(one, held), form) for one in pixels])
    else:
        texels = pixels[0][None] if len(pixels) == 1 else np.stack(pixels)
    channels = sum(1 for bits in form.bits if bits)
    memory = ImageMemory(texels, form.kind, form.bits[0], channels)
    return BoundImage(texture, unit.level, layers, form, memory, held != form or len(pixels) > 1)
