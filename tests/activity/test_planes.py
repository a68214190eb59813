"""Depth planes pass through the corners they are made of, however small the triangle is."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tilegpu.functional.activity.kernels.plane import depth_planes

VIEWPORT = np.array([0.0, 0.0, 1280.0, 720.0])


@given(st.floats(-0.9, 0.9), st.floats(-0.9, 0.9), st.sampled_from((1e-1, 1e-2, 1e-3)), st.integers(0, 1000))
def test_a_plane_has_the_depth_of_its_corners(x: float, y: float, size: float, seed: int) -> None:
    """In double precision: float32 determinants of small triangles would be off by whole per cents."""
    random = np.random.default_rng(seed)
    w = random.uniform(0.5, 8, 3)
    angle = random.uniform(0, 2 * np.pi) + np.array([0, 2, 4])
    ndc = np.stack([x + size * np.cos(angle), y + size * np.sin(angle), random.uniform(-1, 1, 3)])
    clip = np.ascontiguousarray(np.concatenate([ndc * w, w[None]]).T.astype(np.float32))
    out = np.zeros((1, 3))
    corners = np.arange(3, dtype=np.int32)[None]
    depth_planes(clip, corners, np.zeros(0, np.int8), VIEWPORT, np.array([0.0, 1.0]), np.zeros(2), out)
    place = clip[:, :3].astype(np.float64) / clip[:, 3:]
    window = (place[:, :2] + 1) / 2 * VIEWPORT[2:]
    depth = (place[:, 2] + 1) / 2
    np.testing.assert_allclose(out[0, 0] + window @ out[0, 1:], depth, rtol=0, atol=1e-9)


def test_triangles_that_are_left_out_get_no_plane() -> None:
    clip = np.array([[-1, -1, 0, 1], [1, -1, 0.5, 1], [-1, 1, 0.5, 1]], np.float32)
    corners, out = np.array([[0, 1, 2]] * 2, np.int32), np.full((2, 3), 9.0)
    depth_planes(clip, corners, np.array([1, 0], np.int8), VIEWPORT, np.array([0.0, 1.0]), np.zeros(2), out)
    np.testing.assert_allclose(out, [[9, 9, 9], [0.5, 0.25 / 1280, 0.25 / 720]])
