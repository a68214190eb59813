"""Texels of textures, and the calls that upload other ones in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.capture import Call, Value
from tilegpu.functional.gles.mipmaps import smaller_levels
from tilegpu.functional.gles.textures import Texture
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.opengl.formats import FORMATS, Format

from .calls import call
from .captured import Around, CapturedFrame, DrawCall
from .declare import RefusedError

Image = NDArray[Any]
CHANNELS = {
    gl.RED: (0,),
    gl.LUMINANCE: (0,),
    gl.ALPHA: (3,),
    gl.LUMINANCE_ALPHA: (0, 3),
    gl.RG: (0, 1),
    gl.RGB: (0, 1, 2),
    gl.RGBA: (0, 1, 2, 3),
}
"""Channels that the application's pixels have, by their format."""
PACKED = {
    "RGB565": (gl.UNSIGNED_SHORT_5_6_5, (5, 6, 5)),
    "RGBA4": (gl.UNSIGNED_SHORT_4_4_4_4, (4, 4, 4, 4)),
    "RGB5_A1": (gl.UNSIGNED_SHORT_5_5_5_1, (5, 5, 5, 1)),
}
"""Formats whose texels are packed in 16 bits: their type, and bits from the highest on."""
NUMBERS = {format_.name: number for number, format_ in FORMATS}
UNPACK = {
    gl.UNPACK_ROW_LENGTH: "row_length",
    gl.UNPACK_SKIP_ROWS: "skip_rows",
    gl.UNPACK_SKIP_PIXELS: "skip_pixels",
    gl.UNPACK_IMAGE_HEIGHT: "image_height",
    gl.UNPACK_SKIP_IMAGES: "skip_images",
}
PARAMETERS = {
    gl.TEXTURE_MIN_FILTER: "min_filter",
    gl.TEXTURE_MAG_FILTER: "mag_filter",
    gl.TEXTURE_WRAP_S: "wrap_s",
    gl.TEXTURE_WRAP_T: "wrap_t",
}

Upload = Callable[[Around, int, Image], list[Call]]
"""Calls that define a level of the texture that is bound: of the state around, the level and its texels."""


def uploaded(frame: CapturedFrame, draw: DrawCall, name: int) -> Texture:
    """A texture of a draw that the application uploaded, in 8 bits a channel or fewer, before the draw and not after.

    Raises
    ------
    RefusedError
        If its texels are anything else.
    """
    texture = frame.textures[draw.around.group].get(name)
    if texture is None or name in frame.written:
        raise RefusedError(f"texture {name} is drawn or copied to")
    if texture.siblings or texture.multisample is not None or texture.base_level:
        raise RefusedError(f"texture {name} shares its image or has a base level")
    if texture.format is None or texture.format.dtype != np.uint8:
        raise RefusedError(f"texture {name} has no channels of 8 bits")
    if any(place > draw.place for place in frame.changed_at.get(name, ())):
        raise RefusedError(f"texture {name} is uploaded again after the draw")
    return texture


def levels_of(texture: Texture) -> list[Image]:
    """Its levels, the base level first."""
    return [texture.images[level, 0] for level in range(texture.levels())]


def chain(image: Image, format_: Format) -> list[Image]:
    """An image and all smaller levels of it."""
    return [image, *(level[0] for level in smaller_levels([image], False, format_))]


def same_format(texture: Texture) -> Upload:
    """Uploads in the format that a texture has.

    Raises
    ------
    RefusedError
        If there is no encoder for it.
    """
    format_ = texture.format
    assert format_ is not None
    if format_.block != (1, 1) or format_.client not in CHANNELS:
        raise RefusedError(f"texture {texture.name} is stored as {format_.name}, which is not encoded here")
    unsized = texture.unsized.get((texture.first_level, 0))
    internal = unsized if unsized is not None else NUMBERS[format_.name]

    def upload(around: Around, level: int, image: Image) -> list[Call]:
        kind, data = client_pixels(image, format_)
        height, width = image.shape[:2]
        size: list[Value] = [width, height, 0]
        arguments: list[Value] = [gl.TEXTURE_2D, level, internal, *size, format_.client, kind, data]
        return [call("glTexImage2D", *arguments, thread=around.thread)]

    return upload


def client_pixels(image: Image, format_: Format) -> tuple[int, bytes]:
    """Type and bytes of an image, rows without gaps, as an application gives texels of a format."""
    if format_.name in PACKED:
        kind, bits = PACKED[format_.name]
        words = np.zeros(image.shape[:2], np.uint16)
        for channel, count in enumerate(bits):
            scaled = np.floor(image[..., channel] * ((1 << count) - 1) / 255 + 0.5).astype(np.uint16)
            words = words << np.uint16(count) | scaled
        return kind, words.tobytes()
    return gl.UNSIGNED_BYTE, np.ascontiguousarray(image[..., CHANNELS[format_.client]]).tobytes()


def insertion(frame: CapturedFrame, draw: DrawCall, name: int) -> tuple[int, Around]:
    """Place before which a texture is uploaded anew, and the state there: before the frame, if it is there by then,
    otherwise before its first use after its last upload."""
    last = max(frame.changed_at.get(name, ()), default=-1)
    if last < 0 and frame.begins is not None and frame.begins.group == draw.around.group:
        return frame.first - 1, frame.begins
    users = [each for each in frame.draws.values() if name in each.textures and each.around.group == draw.around.group]
    first = min((each for each in users if each.place > last), key=lambda each: each.place)
    if any(each.place < last for each in users):
        raise RefusedError(f"texture {name} is uploaded again between its draws")
    return first.place, first.around


def replaced(around: Around, texture: Texture, levels: Sequence[Image], upload: Upload, min_filter: int) -> list[Call]:
    """Calls that give a texture other levels, and leave all else as it was."""
    calls = [*_prepared(around)]
    name, thread = texture.name, around.thread
    if texture.immutable:
        # Its storage cannot change: another texture gets its name.
        calls.append(call("glDeleteTextures", 1, [name], thread=thread))
        calls.append(call("glGenTextures", 1, [name], thread=thread))
    calls.append(call("glBindTexture", gl.TEXTURE_2D, name, thread=thread))
    if texture.immutable:
        for parameter, field in PARAMETERS.items():
            calls.append(_parameter(parameter, getattr(texture.sampling, field), thread))
    for level, image in enumerate(levels):
        calls += upload(around, level, image)
    if texture.immutable or texture.max_level < 1000:
        calls.append(_parameter(gl.TEXTURE_MAX_LEVEL, len(levels) - 1, thread))
    if min_filter != texture.sampling.min_filter:
        calls.append(_parameter(gl.TEXTURE_MIN_FILTER, min_filter, thread))
    return [*calls, *_restored(around, name if texture.immutable else 0)]


def _parameter(name: int, value: int, thread: int) -> Call:
    return call("glTexParameteri", gl.TEXTURE_2D, name, value, thread=thread)


def _prepared(around: Around) -> Iterator[Call]:
    """Bytes of client memory, without gaps."""
    if around.unpack_buffer:
        yield call("glBindBuffer", gl.PIXEL_UNPACK_BUFFER, 0, thread=around.thread)
    yield call("glPixelStorei", gl.UNPACK_ALIGNMENT, 1, thread=around.thread)
    for number, field in UNPACK.items():
        if getattr(around.unpack, field):
            yield call("glPixelStorei", number, 0, thread=around.thread)


def _restored(around: Around, made_anew: int) -> Iterator[Call]:
    """The state around; a texture that was made anew is bound again where it was."""
    thread = around.thread
    for unit, target, name in around.units:
        if made_anew and name == made_anew and target == gl.TEXTURE_2D:
            yield call("glActiveTexture", gl.TEXTURE0 + unit, thread=thread)
            yield call("glBindTexture", target, name, thread=thread)
    yield call("glActiveTexture", gl.TEXTURE0 + around.active_unit, thread=thread)
    yield call("glBindTexture", gl.TEXTURE_2D, around.bound, thread=thread)
    yield call("glPixelStorei", gl.UNPACK_ALIGNMENT, around.unpack.alignment, thread=thread)
    for number, field in UNPACK.items():
        if getattr(around.unpack, field):
            yield call("glPixelStorei", number, getattr(around.unpack, field), thread=thread)
    if around.unpack_buffer:
        yield call("glBindBuffer", gl.PIXEL_UNPACK_BUFFER, around.unpack_buffer, thread=thread)


def inserted(calls: Sequence[Call], added: dict[int, list[Call]]) -> list[Call]:
    """Calls with others before some places."""
    out: list[Call] = []
    for place, each in enumerate(calls):
        out += added.get(place, ())
        out.append(each)
    return out
