"""Entry points that give textures their images (OpenGL ES 3.0, 3.8.3 to 3.8.6)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...opengl import enums as gl
from ...opengl.errors import GLError
from ...opengl.formats import SIZED, Format, texture_format
from ..arguments import Handle, handle
from ..checks import check_enum, check_limit, check_operation, check_value
from ..compressed import COMPRESSED
from ..context import Context
from ..effects import IMAGES
from ..egl_images import share_with_renderbuffer, share_with_texture
from ..pixels import CHANNELS, COMPONENTS, PACKED, unpack_pixels, unpack_stencils
from ..textures import MAX_IMAGE_BYTES, MAX_LEVELS, Texture
from .table import EntryPoints

entry = EntryPoints()
Box = tuple[int, int, int, int]


@entry(effect=IMAGES)
def glTexImage2D(
    context: Context,
    target: int,
    level: int,
    internal: int,
    width: int,
    height: int,
    border: int,
    pixel_format: int,
    kind: int,
    pixels: Any,
) -> None:
    texture, face = image_target(context, target)
    _define(context, texture, level, face, internal, (width, height, 1), border, pixel_format, kind, pixels)


@entry("glTexImage3D", "glTexImage3DOES", effect=IMAGES)
def glTexImage3D(
    context: Context,
    target: int,
    level: int,
    internal: int,
    width: int,
    height: int,
    depth: int,
    border: int,
    pixel_format: int,
    kind: int,
    pixels: Any,
) -> None:
    texture = volume(context, target)
    _define(context, texture, level, 0, internal, (width, height, depth), border, pixel_format, kind, pixels)


def _define(
    context: Context,
    texture: Texture,
    level: int,
    layer: int,
    internal: int,
    size: tuple[int, int, int],
    border: int,
    pixel_format: int,
    kind: int,
    pixels: Any,
) -> None:
    check_pixels(pixel_format, kind)
    check_value(0 <= level < MAX_LEVELS, f"level {level}")
    check_size(size)
    check_square(texture, size)
    check_value(border == 0, f"border {border}")
    sized = texture_format(internal, pixel_format, kind)
    volume_depth = texture.target == gl.TEXTURE_3D and sized.kind == "depth"
    check_operation(not volume_depth, f"{sized.name} in a 3D texture")
    check_operation(not texture.immutable, f"texture {texture.name} has immutable storage")
    if _snapshot_of_sibling(context, texture, size, sized):
        return
    data = client_pixels(context, pixels)
    if data is None:
        texels = blank(size, sized)
    else:
        check_memory(size, sized.dtype)
        texels = unpack_pixels(data, size, pixel_format, kind, context.state.unpack, sized)
    define = texture.set_image if data is not None else texture.set_undefined
    define(level, layer, texels, sized, internal in (gl.DEPTH_COMPONENT, gl.DEPTH_STENCIL))
    if internal not in SIZED:
        texture.unsized[level, layer] = internal
    if data is not None and pixel_format == gl.DEPTH_STENCIL:
        _stencils(context, texture, level, layer, (0, 0), size, kind, data)
    uploaded(context, texture, level, layer, (0, 0, size[0], size[1]), texels.shape[0], sized)


def _snapshot_of_sibling(context: Context, texture: Texture, size: tuple[int, int, int], sized: Format) -> bool:
    """Whether a call is the tracer's: after glEGLImageTargetTexture2DOES it writes the content of the image, which is
    known here if one of our objects shares it."""
    call, image = context.current_call, texture.images.get((0, 0))
    return bool(call is not None and call.fake and texture.siblings and image is not None) and (
        image is not None and image.shape[:2] == (size[1], size[0])
    )


@entry("glEGLImageTargetTexture2DOES", "glEGLImageTargetTexStorageEXT", effect=IMAGES)
def glEGLImageTargetTexture2D(context: Context, target: int, image: Handle, *_: Any) -> None:
    check_enum(target, (gl.TEXTURE_2D, gl.TEXTURE_EXTERNAL_OES), "texture image")
    texture, shared = context.texture(target), context.group.egl_images.get(image)
    # Images of the platform are unknown here; the tracer writes their content as a glTexImage2D.
    if shared is not None:
        check_operation(share_with_texture(shared, texture), "the image has no pixels any more")


@entry("glEGLImageTargetRenderbufferStorageOES", effect=IMAGES)
def glEGLImageTargetRenderbufferStorage(context: Context, target: int, image: Handle) -> None:
    check_enum(target, (gl.RENDERBUFFER,), "renderbuffer target")
    surface, shared = context.state.renderbuffer, context.group.egl_images.get(image)
    if surface is None or shared is None:
        raise GLError(gl.INVALID_VALUE, "no renderbuffer is bound, or the image is not of a texture of the stream")
    check_operation(share_with_renderbuffer(shared, surface), "the image has no pixels any more")


@entry(effect=IMAGES)
def glTexSubImage2D(
    context: Context,
    target: int,
    level: int,
    x: int,
    y: int,
    width: int,
    height: int,
    pixel_format: int,
    kind: int,
    pixels: Any,
) -> None:
    texture, face = image_target(context, target)
    _update(context, texture, level, face, (x, y), (width, height, 1), pixel_format, kind, pixels)


@entry("glTexSubImage3D", "glTexSubImage3DOES", effect=IMAGES)
def glTexSubImage3D(
    context: Context,
    target: int,
    level: int,
    x: int,
    y: int,
    z: int,
    width: int,
    height: int,
    depth: int,
    pixel_format: int,
    kind: int,
    pixels: Any,
) -> None:
    texture = volume(context, target)
    _update(context, texture, level, z, (x, y), (width, height, depth), pixel_format, kind, pixels)


def _update(
    context: Context,
    texture: Texture,
    level: int,
    layer: int,
    at: tuple[int, int],
    size: tuple[int, int, int],
    pixel_format: int,
    kind: int,
    pixels: Any,
) -> None:
    check_pixels(pixel_format, kind)
    check_value(0 <= level < MAX_LEVELS, f"level {level}")
    check_size(size)
    sized = texture.formats.get((level, layer if texture.cube else 0))
    if sized is None:
        raise GLError(gl.INVALID_OPERATION, f"texture {texture.name} has no image at level {level}")
    check_operation(sized.block == (1, 1), f"uncompressed pixels for {sized.name}")
    wanted = sized.client
    check_operation(
        pixel_format == wanted or {pixel_format, wanted} == {gl.RGBA, gl.BGRA},
        f"pixels of format {pixel_format:#06x} for {sized.name}",
    )
    data = client_pixels(context, pixels)
    if data is None:
        # The tracer records no pixels if the program passed none.
        return
    texture.update(level, layer, *at, unpack_pixels(data, size, pixel_format, kind, context.state.unpack, sized))
    if pixel_format == gl.DEPTH_STENCIL:
        _stencils(context, texture, level, layer, at, size, kind, data)
    uploaded(context, texture, level, layer, (*at, size[0], size[1]), size[2], sized)


def _stencils(
    context: Context,
    texture: Texture,
    level: int,
    layer: int,
    at: tuple[int, int],
    size: tuple[int, int, int],
    kind: int,
    data: bytes | memoryview,
) -> None:
    """Store the stencil of client pixels of depth and stencil."""
    stencils = unpack_stencils(data, size, kind, context.state.unpack)
    for number, stencil in enumerate(stencils):
        height, width = stencil.shape
        texture.stencil(level, layer + number)[at[1] : at[1] + height, at[0] : at[0] + width] = stencil


@entry("glTexStorage2D", "glTexStorage2DEXT", effect=IMAGES)
def glTexStorage2D(context: Context, target: int, levels: int, internal: int, width: int, height: int) -> None:
    check_enum(target, (gl.TEXTURE_2D, gl.TEXTURE_CUBE_MAP), "texture target")
    layers = 6 if target == gl.TEXTURE_CUBE_MAP else 1
    _allocate(context.texture(target), levels, internal, (width, height, layers))


@entry("glTexStorage3D", "glTexStorage3DEXT", effect=IMAGES)
def glTexStorage3D(
    context: Context, target: int, levels: int, internal: int, width: int, height: int, depth: int
) -> None:
    _allocate(volume(context, target), levels, internal, (width, height, depth))


def _allocate(texture: Texture, levels: int, internal: int, size: tuple[int, int, int]) -> None:
    sized = SIZED.get(internal) or (COMPRESSED[internal].format if internal in COMPRESSED else None)
    if sized is None:
        raise GLError(gl.INVALID_ENUM, f"internal format {internal:#06x}")
    check_value(min(size) >= 1 and levels >= 1, f"{levels} levels of {size[0]}x{size[1]}x{size[2]}")
    check_size(size)
    check_square(texture, size)
    check_operation(texture.name != 0 and not texture.immutable, f"storage of texture {texture.name}")
    largest = max(size) if texture.target == gl.TEXTURE_3D else max(size[:2])
    check_operation(levels <= largest.bit_length(), f"{levels} levels of {size[0]}x{size[1]}")
    blocks = texture.target == gl.TEXTURE_3D and (sized.block != (1, 1) or sized.kind == "depth")
    check_operation(not blocks, f"{sized.name} in a 3D texture")
    texture.clear()
    for level in range(levels):
        width, height = (max(1, s >> level) for s in size[:2])
        depth = max(1, size[2] >> level) if texture.target == gl.TEXTURE_3D else size[2]
        texture.set_undefined(level, 0, blank((width, height, depth), sized), sized)
    texture.immutable, texture.immutable_levels = True, levels


@entry("glGenerateMipmap", "glGenerateMipmapOES", effect=IMAGES)
def glGenerateMipmap(context: Context, target: int) -> None:
    check_enum(target, (gl.TEXTURE_2D, gl.TEXTURE_CUBE_MAP, gl.TEXTURE_3D, gl.TEXTURE_2D_ARRAY), "texture target")
    texture = context.texture(target)
    sized = texture.format
    if sized is not None:
        plain = sized.block == (1, 1) and sized.kind not in ("int", "uint", "depth")
        check_operation(plain, f"mipmaps of {sized.name}")
    if context.executes:
        context.check_work(texture.base_texels, "texels to filter")
    texture.generate_mipmap(context.executes)
    context.listener.event("generate_mipmap", context.call, texture=texture)


def image_target(context: Context, target: int) -> tuple[Texture, int]:
    """Texture and face that a 2D image target refers to."""
    if gl.TEXTURE_CUBE_MAP_POSITIVE_X <= target < gl.TEXTURE_CUBE_MAP_POSITIVE_X + 6:
        return context.texture(gl.TEXTURE_CUBE_MAP), target - gl.TEXTURE_CUBE_MAP_POSITIVE_X
    check_enum(target, (gl.TEXTURE_2D, gl.TEXTURE_EXTERNAL_OES), "texture image")
    return context.texture(target), 0


def volume(context: Context, target: int) -> Texture:
    """Texture that a target with layers refers to."""
    check_enum(target, (gl.TEXTURE_3D, gl.TEXTURE_2D_ARRAY), "texture target")
    return context.texture(target)


def check_pixels(pixel_format: int, kind: int) -> None:
    """INVALID_ENUM for formats and types that client pixels never have."""
    check_enum(pixel_format, CHANNELS, "pixel format")
    check_enum(kind, COMPONENTS.keys() | PACKED.keys(), "pixel type")


def check_square(texture: Texture, size: tuple[int, int, int]) -> None:
    """INVALID_VALUE for a cube face that is not square."""
    check_value(not texture.cube or size[0] == size[1], f"a cube's face of {size[0]}x{size[1]}")


def check_size(size: tuple[int, int, int]) -> None:
    """GLError if an image is larger than allowed."""
    width, height, depth = size
    check_value(min(size) >= 0, f"image of {width}x{height}x{depth}")
    check_limit(max(width, height), gl.MAX_TEXTURE_SIZE, f"image of {width}x{height}x{depth}")
    check_limit(depth, gl.MAX_ARRAY_TEXTURE_LAYERS, f"image of {width}x{height}x{depth}")
    check_memory(size, np.dtype(np.uint8))


def check_memory(size: tuple[int, int, int], dtype: np.dtype[Any]) -> None:
    """OUT_OF_MEMORY if four channels of a type do not fit."""
    width, height, depth = size
    if width * height * depth * 4 * dtype.itemsize > MAX_IMAGE_BYTES:
        raise GLError(gl.OUT_OF_MEMORY, f"image of {width}x{height}x{depth}: tilegpu allocates up to 1 GiB for one")


def blank(size: tuple[int, int, int], sized: Format) -> NDArray[Any]:
    """Images without data: zeros, with alpha 1 if the format has no alpha."""
    check_memory(size, sized.dtype)
    shape = size[2], size[1], size[0], 4
    if sized.bits[3]:
        return np.zeros(shape, sized.dtype)
    texel = np.array([0, 0, 0, sized.one], sized.dtype)
    # Filling whole texels is several times faster than filling their last channels.
    whole = np.dtype(np.uint32 if texel.nbytes == 4 else f"V{texel.nbytes}")
    return np.full(shape[:3], texel.view(whole)[0], whole).view(sized.dtype).reshape(shape)


def client_pixels(context: Context, pixels: Any) -> bytes | memoryview | None:
    """Client pixels: from the stream, or from the bound pixel unpack buffer; None for no data."""
    buffer = context.state.buffers.get(gl.PIXEL_UNPACK_BUFFER)
    if buffer is not None:
        check_operation(not buffer.locked, "the pixel unpack buffer is mapped")
        offset = handle(pixels)
        if not 0 <= offset <= len(buffer.data):
            raise GLError(gl.INVALID_OPERATION, f"byte {offset} of a buffer of {len(buffer.data)}")
        return memoryview(buffer.data)[offset:]
    return pixels if isinstance(pixels, bytes) else None


def uploaded(context: Context, texture: Texture, level: int, layer: int, box: Box, layers: int, sized: Format) -> None:
    """Note an upload, and generate mipmaps if the texture asks for it automatically."""
    blocks = -(-box[2] // sized.block[0]) * -(-box[3] // sized.block[1]) * layers
    size = blocks * sized.texel_bytes
    context.listener.event("upload", context.call, texture=texture, level=level, layer=layer, box=box, size_bytes=size)
    if texture.automatic_mipmap and level == texture.first_level:
        texture.generate_mipmap()
