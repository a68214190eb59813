"""Anisotropic filtering against the example of EXT_texture_filter_anisotropic, written out pixel by pixel."""

from collections import defaultdict
from math import ceil, floor, log2, sqrt
from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.activity import Activity
from tilegpu.functional.capture import Recorder
from tilegpu.functional.comparison import compare_images
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.player import Player
from tilegpu.functional.record import record

SIZE, SIDE = 32, 32
CLIP = np.array([(-3, -1, 0, 1), (3, -1, 0, 1), (-3, 2.7, 0, 5), (3, 2.7, 0, 5)], np.float64)
PLACES = np.array([(0, 0), (3.3, 0), (0, 5.1), (3.3, 5.1)], np.float64)
VERTEX = """
attribute vec4 position;
attribute vec2 place;
varying highp vec2 v;
void main() { v = place; gl_Position = position; }
"""
FRAGMENT = """
precision highp float;
varying vec2 v;
uniform sampler2D image;
void main() { gl_FragColor = texture2D(image, v); }
"""
TEXELS = np.random.default_rng(5).integers(0, 256, (SIDE, SIDE, 4), np.uint8)
TEXELS[..., 3] = 255


def record_plane(path: Path, limit: float) -> None:
    """A plane that runs away from the eye, textured with mipmaps."""
    with Recorder(path, SIZE, SIZE) as r:
        r.glUseProgram(r.program(VERTEX, FRAGMENT, ("position", "place")))
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, SIDE, SIDE, 0, gl.RGBA, gl.UNSIGNED_BYTE, TEXELS)
        r.glGenerateMipmap(gl.TEXTURE_2D)
        r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR)
        r.glTexParameterf(gl.TEXTURE_2D, gl.TEXTURE_MAX_ANISOTROPY, limit)
        for location, values in ((0, CLIP), (1, PLACES)):
            r.glEnableVertexAttribArray(location)
            r.glVertexAttribPointer(location, values.shape[1], gl.FLOAT, False, 0, values.astype(np.float32))
        r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
        r.swap()


def place_at(x: float, y: float) -> np.ndarray:
    """Texture coordinates at a place of the window (y up), by inverting the plane's projection."""
    # Both triangles lie in one plane: places are a projective function of the window, fixed by three corners.
    inverse = np.linalg.inv(CLIP[:3][:, [0, 1, 3]])
    weights = np.array([2 * x / SIZE - 1, 2 * y / SIZE - 1, 1.0]) @ inverse
    return (weights @ PLACES[:3]) / weights.sum()


def levels() -> list[np.ndarray]:
    """Mipmaps: each texel the rounded mean of four."""
    images = [TEXELS.astype(np.float64)]
    while len(images[-1]) > 1:
        image = images[-1]
        images.append(np.floor((image[::2, ::2] + image[1::2, ::2] + image[::2, 1::2] + image[1::2, 1::2] + 2) / 4))
    return images


def bilinear(image: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Linear filtering with repeated texels."""
    u, v = place * len(image) - 0.5
    x, y = floor(u), floor(v)
    n = len(image)
    rows = [image[(y + dy) % n, x % n] * (1 - (u - x)) + image[(y + dy) % n, (x + 1) % n] * (u - x) for dy in (0, 1)]
    return rows[0] * (1 - (v - y)) + rows[1] * (v - y)


def probes(x: int, y: int, limit: float) -> tuple[float, list[np.ndarray]]:
    """Level of detail and the places of the probes of a pixel, after the extension's text."""
    left, low = x // 2 * 2 + 0.5, y // 2 * 2 + 0.5
    corner = place_at(left, low)
    in_x, in_y = place_at(left + 1, low) - corner, place_at(left, low + 1) - corner
    length_x, length_y = (sqrt(((d * SIDE) ** 2).sum()) for d in (in_x, in_y))
    count = min(ceil(max(length_x, length_y) / min(length_x, length_y)), int(limit))
    along = in_x if length_x >= length_y else in_y
    here = place_at(x + 0.5, y + 0.5)
    places = [here + along * (i / (count + 1) - 0.5) for i in range(1, count + 1)]
    return log2(max(length_x, length_y) / count), places


def expected_pixel(x: int, y: int, limit: float, images: list[np.ndarray]) -> np.ndarray:
    """Mean of the probes' trilinear samples."""
    lod, places = probes(x, y, limit)
    lod = min(max(lod, 0.0), len(images) - 1.0)
    low = floor(lod)
    high = min(low + 1, len(images) - 1)
    samples = [bilinear(images[low], p) * (1 - (lod - low)) + bilinear(images[high], p) * (lod - low) for p in places]
    return np.mean(samples, axis=0)


@pytest.mark.parametrize("limit", [2.0, 5.0, 16.0])
def test_image_follows_the_extension(limit: float, tmp_path: Path) -> None:
    record_plane(tmp_path / "plane.trace", limit)
    (frame,) = Player(tmp_path / "plane.trace", alpha=True).run()
    images = levels()
    expected = np.array([[expected_pixel(x, y, limit, images) for x in range(SIZE)] for y in range(SIZE)])
    inside = [[place_at(x + 0.5, y + 0.5) for x in range(SIZE)] for y in range(SIZE)]
    covered = ((np.array(inside) > 0) & (np.array(inside) < (3.3, 5.1))).all(2)
    ours = frame.pixels[::-1]
    assert covered.sum() > 600
    theirs = np.where(covered[..., None], np.floor(expected + 0.5), ours).astype(np.uint8)
    result = compare_images(np.ascontiguousarray(ours), theirs)
    assert result.psnr_db >= 46
    assert result.over_tolerance_percent <= 1


def test_every_probe_is_recorded(tmp_path: Path) -> None:
    record_plane(tmp_path / "plane.trace", 4.0)
    record(tmp_path / "plane.trace", tmp_path / "activity")
    activity = Activity(tmp_path / "activity")
    quads = activity.frame("quads", 0).to_pylist()
    seen: dict[int, dict[int, list[dict]]] = defaultdict(lambda: defaultdict(list))
    for read in activity.frame("texture_reads", 0).to_pylist():
        seen[read["quad"]][read["probe"]].append(read)
    numbers = set()
    for number, found in seen.items():
        quad = quads[number]
        lod, places = probes(2 * quad["x"], 2 * quad["y"], 4.0)
        assert sorted(found) == list(range(len(places)))
        numbers.add(len(places))
        first = min(max(floor(lod), 0), 5)
        for probe, place in enumerate(places):
            read = found[probe][0]
            assert (read["level"], read["linear"]) == (first, lod > 0 or read["linear"])
            texel = place * (SIDE >> first) - 0.5
            assert abs(read["x"] - floor(texel[0])) <= (abs(texel[0] - round(texel[0])) < 1e-3)
            assert abs(read["y"] - floor(texel[1])) <= (abs(texel[1] - round(texel[1])) < 1e-3)
    assert numbers >= {2, 3, 4}
