"""State of a draw as the kernels of a batch take it."""

from __future__ import annotations

from typing import NamedTuple

from ...compile.blocks import (
    Address,
    Emitted,
    EmittedOrNone,
    FloatRows,
    Floats,
    Halves,
    Integers,
    Kernel,
    Numbers,
    WordRows,
    Words,
    places,
)
from ..fragments.depth_blocks import DepthStencilTests
from ..fragments.rasterization import Quads

CHUNK_QUADS = 256
"""Quads that are shaded before they are written, few enough for their colours to stay in the cache."""
ANY = 1 << 62
"""Limit for draws that may cover any number of pixels."""


class QuadCounts(NamedTuple):
    """Quads of a batch that are covered, and those of them that are to be shaded."""

    covered: int
    chosen: int


QUAD_COUNTS = places(QuadCounts)
"""Words of `Batch.counts`."""


class Batch(NamedTuple):
    """Arrays that a worker works in.

    Attributes
    ----------
    quads, passed, which
        Quads of a batch, lanes of each that passed, and which of them are shaded.
    left, right
        Ends of spans.
    killed, alpha_coverage, results
        Of a chunk: a byte per lane, samples that alpha leaves of a quad, and rows of the shader's outputs.
    counts
        `QuadCounts`.
    most_pixels
        What a draw may cover.
    raster
        The kernel of `batch_kernels`, or an observer's.
    draw
        Address of the `FragmentState` of the draw.
    observed
        Address of an observer's block, or 0; see `observing`.
    """

    quads: Quads
    passed: Halves
    which: Words
    left: Integers
    right: Integers
    killed: Numbers
    alpha_coverage: Halves
    results: FloatRows
    counts: Words
    most_pixels: int
    raster: Kernel
    draw: Address
    observed: Address


class BlendTarget(NamedTuple):
    """A draw buffer that is written.

    Attributes
    ----------
    blend
        The kernel.
    row
        First of the colour's rows among the outputs of the shader.
    pixels
        The buffer.
    """

    blend: Emitted
    row: int
    pixels: Address


class FragmentState(NamedTuple):
    """State of draws from coverage on.

    Attributes
    ----------
    cover, shade
        `cover_geometry` or `cover_samples`, and the shader's kernel.
    lanes
        Lanes of a vector of this kernel.
    targets
        A `BlendTarget` for each draw buffer that is written.
    constants, samplers
        Of the shader.
    discards, depth_output
        Whether the shader discards, and the row of the depth that it writes, or -1.
    constant
        For blending.
    early, test_late, tests
        Whether tests come before shading, otherwise `test_late` or `test_samples_late`; and the tests, those of the
        first sample.
    test_depth
        The back end's kernel for depth tests by planes alone, if it has one.
    fixed_coverage, alpha_row
        Mask of glSampleCoverage, and the row of the alpha that determines coverage, or -1.
    width, flip
        Of the framebuffer, and its height if it counts rows from the top, otherwise 0.
    """

    cover: Kernel
    shade: Emitted
    lanes: int
    targets: WordRows
    constants: FloatRows
    samplers: Words
    discards: bool
    depth_output: int
    constant: Floats
    early: bool
    test_late: Kernel
    tests: DepthStencilTests
    test_depth: EmittedOrNone
    fixed_coverage: int
    alpha_row: int
    width: int
    flip: int
