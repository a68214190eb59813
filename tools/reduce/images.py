"""Textures of a capture at half their size: calls that make and fill their images, and the same with smaller ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from tilegpu.functional.capture import Call
from tilegpu.functional.capture.call import Value
from tilegpu.functional.gles.pixels import CHANNELS, COMPONENTS, PACKED
from tilegpu.functional.opengl import enums as gl

Texture = tuple[int, int]
"""Target to which a texture is bound, and its name."""
ALIGNMENTS = (4, 1, 2, 8)
"""Of rows of pixels (GL_UNPACK_ALIGNMENT), the usual one first."""
_MAKING = {"glTexImage2D": 3, "glTexStorage2D": 3, "glTexStorage2DEXT": 3, "glTexSubImage2D": 4}
"""Calls that are changed, and the place of the width among their arguments; the height follows."""
_FACES = range(gl.TEXTURE_CUBE_MAP_POSITIVE_X, gl.TEXTURE_CUBE_MAP_POSITIVE_X + 6)


def textures_of(calls: Sequence[Call]) -> dict[Texture, list[int]]:
    """Places of the calls that make or fill the images of each texture, in their order."""
    unit: dict[int, int] = defaultdict(int)
    bound: dict[tuple[int, int, int], int] = {}
    places: dict[Texture, list[int]] = defaultdict(list)
    for place, call in enumerate(calls):
        name, values, thread = call.name, call.arguments, call.thread
        if name == "glActiveTexture" and isinstance(values[0], int):
            unit[thread] = values[0]
        elif name == "glBindTexture" and isinstance(values[0], int) and isinstance(values[1], int):
            bound[thread, unit[thread], values[0]] = values[1]
        elif name.startswith(("glTexImage", "glTexSubImage", "glTexStorage", "glCompressedTex", "glCopyTex")):
            target = values[0] if isinstance(values[0], int) else 0
            target = gl.TEXTURE_CUBE_MAP if target in _FACES else target
            places[target, bound.get((thread, unit[thread], target), 0)].append(place)
    return dict(places)


def halved(call: Call) -> Call | None:
    """A call that makes or fills an image half as wide and high; None where that cannot be."""
    at = _MAKING.get(call.name)
    if at is None:
        return None
    arguments = list(call.arguments)
    width, height = arguments[at], arguments[at + 1]
    if not isinstance(width, int) or not isinstance(height, int) or max(width, height) < 2 or min(width, height) < 1:
        return None
    arguments[at : at + 2] = max(1, width // 2), max(1, height // 2)
    if call.name == "glTexSubImage2D":
        x, y = arguments[2], arguments[3]
        if not isinstance(x, int) or not isinstance(y, int) or x % 2 or y % 2:
            return None
        arguments[2:4] = x // 2, y // 2
    if call.name.startswith("glTexStorage"):
        levels = arguments[1]
        longest = max(1, max(width, height) // 2)
        arguments[1] = min(levels, longest.bit_length()) if isinstance(levels, int) else levels
    elif isinstance(arguments[-1], bytes):
        texels = _every_second(arguments[-1], (width, height), arguments[-3], arguments[-2])
        if texels is None:
            return None
        arguments[-1] = texels
    elif arguments[-1]:
        # Texels in a buffer lie as the program has put them there.
        return None
    return call.with_arguments(arguments)


def is_small(call: Call) -> bool:
    """Whether a call makes or fills an image of one texel, which stays as it is where others are halved."""
    at = _MAKING.get(call.name)
    return at is not None and call.arguments[at : at + 2] == [1, 1]


def _every_second(pixels: bytes, size: tuple[int, int], pixel_format: Value, pixel_type: Value) -> bytes | None:
    """Every second texel of every second row, laid out likewise; None where the layout is not known."""
    texel_bytes = _texel_bytes(pixel_format, pixel_type)
    width, height = size
    tight = width * texel_bytes
    for alignment in ALIGNMENTS:
        stride = -(-tight // alignment) * alignment
        if texel_bytes and len(pixels) in (stride * height, stride * (height - 1) + tight):
            padded = np.frombuffer(pixels.ljust(stride * height, b"\0"), np.uint8).reshape(height, stride)
            texels = padded[:, :tight].reshape(height, width, texel_bytes)
            fewer = texels[: max(1, height // 2) * 2 : 2, : max(1, width // 2) * 2 : 2]
            rows = np.zeros((len(fewer), -(-fewer.shape[1] * texel_bytes // alignment) * alignment), np.uint8)
            rows[:, : fewer.shape[1] * texel_bytes] = fewer.reshape(len(fewer), -1)
            return rows.tobytes()
    return None


def _texel_bytes(pixel_format: Value, pixel_type: Value) -> int:
    """Bytes of a texel in the program's memory; 0 if unknown."""
    if not isinstance(pixel_type, int) or not isinstance(pixel_format, int):
        return 0
    if pixel_type in PACKED:
        return np.dtype(PACKED[pixel_type][0]).itemsize
    if pixel_type in COMPONENTS and pixel_format in CHANNELS:
        return CHANNELS[pixel_format] * np.dtype(COMPONENTS[pixel_type]).itemsize
    return 0
