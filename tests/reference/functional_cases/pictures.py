"""Compares pixels that a program read, mapped buffers and frames with Mesa's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.gles.pixels import CHANNELS, COMPONENTS, PACKED
from tilegpu.functional.gles.surfaces import Picture
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.player import window_pixels

from .answers import Answer

MAX_SHARE, MIN_PSNR_DB = 0.01, 46.0
INTEGERS = (gl.RED_INTEGER, gl.RG_INTEGER, gl.RGB_INTEGER, gl.RGBA_INTEGER)
LEAST_NORMAL = 1e-30
Difference = dict[str, Any]
"""What differs, as a report has it; empty if nothing does."""


@dataclass(frozen=True)
class Tolerance:
    """When pictures are equal: a channel may be off by some 255ths, and so may one pixel in a hundred be by more.

    Attributes
    ----------
    steps
        255ths that a channel may be off.
    most_for_noise
        Pictures of fewer pixels may also have 46 dB instead.
    """

    steps: float
    most_for_noise: float


STRICT, LOOSE = Tolerance(2, 1024), Tolerance(5, np.inf)
"""That of this project's tests; that of captured groups, in which lines and edges are many."""


def components(data: bytes, parameters: tuple[int, ...]) -> NDArray[Any]:
    """Pixels of a read, (height, width, channels), in their own type; packed ones as fractions of 255.

    Raises
    ------
    ValueError
        If there are fewer bytes than the read needs.
    """
    _, _, width, height, pixel_format, kind, alignment, row_length, skip_rows, skip_pixels, _ = parameters
    fields = PACKED[kind][1] if kind in PACKED else ()
    dtype = np.dtype(PACKED[kind][0] if kind in PACKED else COMPONENTS[kind])
    count = 1 if kind in PACKED else CHANNELS[pixel_format]
    pixel = dtype.itemsize * count
    stride = -(-(row_length or width) * pixel // alignment) * alignment
    start = skip_rows * stride + skip_pixels * pixel
    if len(data) < start + (height - 1) * stride + width * pixel:
        raise ValueError(f"{len(data)} bytes")
    words = np.ndarray((height, width, count), dtype, data, start, (stride, pixel, dtype.itemsize))
    if not fields:
        return words
    parts = [(words[..., 0] >> shift & ((1 << bits) - 1)) * (255 / ((1 << bits) - 1)) for shift, bits in fields]
    return np.stack(parts, -1)


def picture_difference(ours: NDArray[Any], theirs: NDArray[Any], one: float, allowed: Tolerance) -> Difference:
    """How two pictures differ, if more than allowed; `one` is the value of 1, or 0 for exact numbers."""
    if ours.shape != theirs.shape:
        return {"bad": 1.0, "note": f"size {ours.shape} {theirs.shape}"}
    if not ours.size:
        return {}
    if one:
        apart = _steps_apart(ours, theirs, one)
        wrong, error = (apart > allowed.steps).any(-1), np.mean(np.minimum(apart, 255) ** 2)
    else:
        apart = np.abs(ours.astype(np.float64) - theirs.astype(np.float64))
        wrong, error = (ours != theirs).any(-1), np.mean(apart**2)
    if not wrong.any():
        return {}
    psnr = 10 * np.log10(255**2 / error) if error else 99.0
    few = wrong.size < allowed.most_for_noise and one == 255
    if one and (wrong.mean() <= MAX_SHARE or (psnr >= MIN_PSNR_DB and few)):
        return {}
    y, x = np.argwhere(wrong)[0]
    found: Difference = {"bad": round(float(wrong.mean()), 4), "max": float(apart.max()), "psnr": round(float(psnr), 1)}
    at = [int(x), int(y)]
    return found | {"n": int(wrong.sum()), "at": at, "ours": ours[y, x].tolist(), "theirs": theirs[y, x].tolist()}


def _steps_apart(ours: NDArray[Any], theirs: NDArray[Any], one: float) -> NDArray[np.float64]:
    """Distance in 255ths; of values above 1, of their own size."""
    with np.errstate(all="ignore"):
        apart = np.abs(ours.astype(np.float64) - theirs) / one * 255
    apart[(ours == theirs) | (np.isnan(ours) & np.isnan(theirs))] = 0
    scaled = np.nan_to_num(apart, nan=1e9, posinf=1e9) / np.maximum(1, np.abs(np.nan_to_num(theirs)) / one)
    return np.asarray(scaled, np.float64)


def read_difference(ours: bytes | None, answer: Answer, allowed: Tolerance) -> Difference:
    """Difference of pixels that a program read."""
    if not isinstance(ours, bytes):
        return {"bad": 1.0, "note": "nothing could be read"}
    kind, pixel_format = answer.parameters[5], answer.parameters[4]
    one = 0.0 if pixel_format in INTEGERS else 1.0 if kind in (gl.FLOAT, gl.HALF_FLOAT, gl.HALF_FLOAT_OES) else 255.0
    try:
        mine, others = (components(data, answer.parameters) for data in (ours, answer.content))
    except ValueError:
        return {"bad": 1.0, "note": f"size {len(ours)} {len(answer.content)}"}
    return picture_difference(mine, others, one, allowed)


def mapping_difference(ours: bytes, answer: Answer) -> Difference:
    """Difference of a mapped range: bytes are equal, or words are normal floats that are close."""
    theirs = answer.content
    if ours == theirs:
        return {}
    if len(ours) != len(theirs):
        return {"note": f"{len(ours)} bytes instead of {len(theirs)}"}
    packed = answer.parameters[0] == gl.PIXEL_PACK_BUFFER
    if packed:
        shape = (1, -1, 4) if len(ours) % 4 == 0 else (1, -1, 1)
        bytes_of = [np.frombuffer(data, np.uint8).reshape(shape) for data in (ours, theirs)]
        return picture_difference(*bytes_of, 255.0, STRICT)
    whole = len(ours) // 4 * 4
    words = [np.frombuffer(data[:whole], "<u4") for data in (ours, theirs)]
    wrong = np.flatnonzero(~close_words(*words))
    if not len(wrong) and ours[whole:] == theirs[whole:]:
        return {}
    first = int(wrong[0]) if len(wrong) else whole // 4
    places = {"offset": answer.parameters[1], "length": answer.parameters[2], "differing": len(wrong)}
    some = [w[first : first + 6].tolist() for w in words]
    return places | {"first": 4 * first, "ours": some[0], "theirs": some[1]}


def close_words(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Whether words are equal bit by bit, or both floats that are zero, normal and close, or not numbers.

    Integers are denormal floats, so that a distance would find 10 and 30 alike.
    """
    x, y = (words.view(np.float32).astype(np.float64) for words in (a, b))
    with np.errstate(all="ignore"):
        near = np.isfinite(x) & np.isfinite(y) & (np.abs(x - y) <= 1e-5 + 1e-4 * np.abs(y))
        floats = _normal(x, a) & _normal(y, b)
    return np.asarray((a == b) | (floats & near) | (np.isnan(x) & np.isnan(y)))


def _normal(values: NDArray[np.float64], words: NDArray[np.uint32]) -> NDArray[np.bool_]:
    return np.asarray((np.abs(values) > LEAST_NORMAL) | (words & 0x7FFFFFFF == 0))


def frame_difference(picture: Picture, answer: Answer, allowed: Tolerance) -> Difference:
    """Difference of a frame."""
    width, height = answer.parameters[:2]
    theirs = np.frombuffer(answer.content, np.uint8).reshape(height, width, 4)[::-1, :, :3]
    return picture_difference(window_pixels(picture)[..., :3], theirs, 255.0, allowed)
