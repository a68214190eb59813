"""World matrices of draws: a uniform's value in the constants that were uploaded up to a draw."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilegpu.timing.loading.loaded import Constants
from tilegpu.timing.loading.source import ActivityError

from .projection import Split, split

Array = np.ndarray[Any, Any]
Row = dict[str, Any]
MATRIX_4 = "0x8b5c"
FIXED_MODEL_VIEW, FIXED_PRODUCT = "model_view", "model_view_projection"
"""Uniforms of the programs that replace OpenGL ES 1.1's fixed functions."""
AFFINE = np.array((0.0, 0.0, 0.0, 1.0))
SAME_PROJECTION = 1e-2


@dataclass
class Projections:
    """Projection of the frame, once a matrix was taken out of its product with it."""

    first: Array | None = None

    def agree(self, split: Split) -> bool:
        """Whether a projection is that of the frame; the first one is."""
        if self.first is None:
            self.first = split.projection
        size = np.abs(self.first) + np.abs(split.projection)
        return bool((np.abs(self.first - split.projection) <= SAME_PROJECTION * np.maximum(size, 1e-3)).all())


def world_matrix(program: Row, constants: Constants, name: str | None, frame: Projections, who: str) -> Array:
    """Matrix from an object's space to the world's, or to the eye's where it holds the view.

    Parameters
    ----------
    program
        Row of the table `programs`.
    constants
        As they are at the draw.
    name
        Uniform that holds the matrix, or several with commas between, of which the first that a program has counts;
        None for the model-view matrix of OpenGL ES 1.1. A product with a perspective
        projection is taken apart (`projection.split`).
    frame
        Projection of the frame.
    who
        File and object, for errors.

    Returns
    -------
    float64, shape (4, 4), for columns of coordinates; its last row is 0 0 0 1.

    Raises
    ------
    ActivityError
        If there is no such uniform, or it holds no world matrix.
    """
    uniform, element = _uniform(program, name, who)
    matrix = _value(program["program"], constants, uniform, element)
    if not np.isfinite(matrix).all():
        raise ActivityError(f"{who}: {uniform['name']} holds what is no number")
    if np.allclose(matrix[3], AFFINE, atol=1e-6):
        return matrix
    factors = split(matrix)
    if factors is None:
        raise ActivityError(
            f"{who}: {uniform['name']} is a projection that cannot be taken apart; name the uniform of the world "
            "matrix with --world-matrix"
        )
    if not frame.agree(factors):
        raise ActivityError(
            f"{who}: {uniform['name']} has another projection than the objects before it, or is scaled unevenly; name "
            "the uniform of the world matrix with --world-matrix"
        )
    return factors.model_view


def _uniform(program: Row, name: str | None, who: str) -> tuple[Row, int]:
    """The uniform and the element of its array."""
    matrices = {u["name"]: u for u in program["uniforms"] if u["stage"] == "vertex" and u["type"] == MATRIX_4}
    there = ", ".join(sorted(matrices)) or "none"
    if name is None:
        fixed = {"position"} <= {a["name"] for a in program["attributes"]} and FIXED_PRODUCT in matrices
        uniform = matrices.get(FIXED_MODEL_VIEW) or (matrices.get(FIXED_PRODUCT) if fixed else None)
        if uniform is None:
            raise ActivityError(
                f"{who}: name the uniform that holds the world matrix with --world-matrix; the vertex shader's 4x4 "
                f"matrices: {there}"
            )
        return uniform, 0
    for one in name.split(","):
        indexed = re.fullmatch(r"(.+)\[(\d{1,6})\]", one)
        base, element = (indexed[1], int(indexed[2])) if indexed else (one, 0)
        uniform = matrices.get(base)
        if uniform is not None and element < max(1, uniform["array_size"]):
            return uniform, element
    raise ActivityError(f"{who}: no 4x4 matrix {name} in its vertex shader; there are: {there}")


def _value(program: int, constants: Constants, uniform: Row, element: int) -> Array:
    """Value of a matrix; what was never uploaded is 0."""
    held = bytes(constants.get((program, "vertex", uniform["block"]), b""))
    stride = uniform["matrix_stride_bytes"]
    first = uniform["offset_bytes"] + element * uniform["array_stride_bytes"]
    held = held[first : first + 4 * stride].ljust(4 * stride, b"\0")
    lines = np.frombuffer(held, "<f4").reshape(4, -1)[:, :4].astype(np.float64)
    return lines if uniform["row_major"] else lines.T
