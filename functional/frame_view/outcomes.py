"""Outcomes of a draw at each pixel: the tests that its fragments passed or failed there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..activity.kernels.depth import compare
from ..compile import kernel
from ..pipeline.command import DrawCommand
from ..pipeline.derived import StateDerived
from ..pipeline.fragments.depth_stencil import stored, tests_of
from ..pipeline.fragments.rasterization import Quads, Scratch, rasterize
from ..pipeline.geometry.set_up import Geometry
from ..pipeline.geometry.setup_kernels import CULLED_EMPTY, CULLED_FACE, NOT_CULLED
from .packed import PackedBytes

WRITTEN, DEPTH_FAILED, STENCIL_FAILED, DISCARDED, SCISSORED, FACE_CULLED, MASKED = (1 << bit for bit in range(7))
"""Bits of an outcome; a pixel has those of all fragments of a draw. `MASKED`: coverage that alpha or masks took."""
NAMES = ("written", "depth test failed", "stencil test failed", "discarded", "outside the scissor box", "face culled",
         "removed by alpha to coverage")  # fmt: skip
LANES = 0x1111
"""Bits of the samples of lane 0 in a coverage."""


class OutcomeMap(NamedTuple):
    """Outcomes within a rectangle; row 0 is at the top.

    Attributes
    ----------
    x, y
        Left and top in pixels.
    packed
        See `flags`.
    """

    x: int
    y: int
    packed: PackedBytes

    @property
    def flags(self) -> NDArray[np.uint8]:
        """uint8, (height, width): bits of `NAMES`."""
        return self.packed.array()


class Outcomes:
    """Collects the outcomes of a draw.

    Parameters
    ----------
    command
        The draw, before it is executed.
    """

    def __init__(self, command: DrawCommand) -> None:
        self.command = command
        target, tests = command.state.target, command.state.depth_stencil
        self.flags = np.zeros((target.height, target.width), np.uint8)
        self.fragments = 0
        both = tests.stencil_test and tests.depth_test
        self._stencil: NDArray[np.uint8] | None = None
        if both and target.samples == 1 and target.stencil is not None:
            # Quads tell only whether both tests passed, so the stencil test is done again on a copy.
            self._stencil = target.stencil.copy()

    @property
    def needs_facing(self) -> bool:
        """Whether outcomes depend on which primitives face the viewer."""
        return self._stencil is not None

    def mark(self, quads: Quads, lanes: NDArray[Any], flag: int) -> int:
        """Note an outcome of some lanes of quads, a bit for each of the four; their number."""
        count = 0
        for lane in range(4):
            chosen = (lanes >> lane & 1).astype(bool)
            x, y = 2 * quads.x[chosen].astype(np.intp) + (lane & 1), 2 * quads.y[chosen].astype(np.intp) + (lane >> 1)
            self.flags[y, x] |= flag
            count += len(x)
        return count

    def add(
        self,
        quads: Quads,
        passed: NDArray[np.uint16],
        discarded: NDArray[np.uint8],
        alpha: NDArray[np.uint16] | None,
        front: NDArray[np.bool_],
    ) -> None:
        """Note a batch.

        Parameters
        ----------
        quads, passed, discarded
            As a sink is notified of them.
        alpha
            uint16, (quads,): samples that remain after alpha to coverage, None without it.
        front
            bool, (primitives,): faces the viewer.
        """
        covered, through = any_sample(quads.coverage), any_sample(passed)
        masked = np.zeros_like(covered) if alpha is None else covered & ~any_sample(quads.coverage & alpha) & ~discarded
        self.fragments += self.mark(quads, through, WRITTEN)
        self.mark(quads, discarded, DISCARDED)
        self.mark(quads, masked, MASKED)
        failed = covered & ~through & ~discarded & ~masked
        by_stencil = self._failed_stencil(quads, covered & ~masked, through, discarded, failed, front)
        self.mark(quads, by_stencil, STENCIL_FAILED)
        self.mark(quads, failed & ~by_stencil, DEPTH_FAILED)

    def _failed_stencil(
        self,
        quads: Quads,
        covered: NDArray[np.uint16],
        through: NDArray[np.uint16],
        discarded: NDArray[np.uint8],
        failed: NDArray[np.uint16],
        front: NDArray[np.bool_],
    ) -> NDArray[np.uint16]:
        state = self.command.state
        if not state.depth_stencil.stencil_test:
            return np.zeros_like(failed)
        if self._stencil is None:
            return failed
        # Early tests come before a discard, late ones after it.
        early = state.early_depth
        tested = covered if early else covered & ~discarded
        deep = through | discarded if early else through
        tests, result = tests_of(state, 0), np.zeros_like(failed)
        faces = tests.front, tests.back
        stencil_again(quads, tested.astype(np.uint16), deep.astype(np.uint16), front, faces, self._stencil, result)
        return result

    def add_uncovered(self, geometry: Geometry) -> None:
        """Note where primitives would be without the scissor box, and where those with culled faces are."""
        raster, target = self.command.state.raster, self.command.state.target
        x, y, width, height = raster.viewport
        whole = max(x, 0), max(y, 0), min(x + width, target.width), min(y + height, target.height)
        if whole != raster.scissor:
            x0, y0, x1, y1 = raster.scissor
            inside = self.flags[y0 : max(y0, y1), x0 : max(x0, x1)].copy()
            again = np.where(geometry.culled == CULLED_EMPTY, NOT_CULLED, geometry.culled)
            self._cover(geometry, again, whole, SCISSORED)
            self.flags[y0 : max(y0, y1), x0 : max(x0, x1)] = inside
        if (geometry.culled == CULLED_FACE).any():
            again = np.where(geometry.culled == CULLED_FACE, NOT_CULLED, CULLED_EMPTY)
            self._cover(geometry, again, raster.scissor, FACE_CULLED)

    def _cover(self, geometry: Geometry, culled: NDArray[np.int8], box: tuple[int, int, int, int], flag: int) -> None:
        chosen = culled.astype(np.int8)
        copied = replace(geometry, culled=chosen, drawn=int((chosen == NOT_CULLED).sum()), block=None)
        state = self.command.state
        state = state._replace(raster=state.raster._replace(scissor=box))
        command = self.command._replace(state=state, derived=StateDerived())
        for quads in rasterize(command, copied, Scratch()):
            self.mark(quads, quads.coverage & 0xF, flag)

    def result(self) -> OutcomeMap | None:
        """Everything noted, None if nothing is covered."""
        flags = self.flags[::-1]
        rows, columns = np.flatnonzero(flags.any(1)), np.flatnonzero(flags.any(0))
        if not len(rows):
            return None
        box = flags[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        return OutcomeMap(int(columns[0]), int(rows[0]), PackedBytes.of(box))


def any_sample(coverage: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Lanes of quads with any sample in a coverage, one bit per lane."""
    return np.asarray((coverage | coverage >> 4 | coverage >> 8 | coverage >> 12) & 0xF, np.uint16)


@kernel
def stencil_again(quads: Any, tested: Any, passed: Any, front: Any, faces: Any, stencil: Any, failed: Any) -> None:
    """Do the stencil tests of quads again, in order, to know which lanes failed them.

    Parameters
    ----------
    quads
        `Quads`.
    tested, passed
        uint16, (quads,): lanes that are tested, and those that passed both tests.
    front
        bool, (primitives,): faces the viewer.
    faces
        Both `StencilFace` with codes, the front one first.
    stencil
        uint8, (height, width): content before the draw, updated.
    failed
        uint16, (quads,): lanes that fail the stencil test, to fill.
    """
    for q in range(len(quads.primitive)):
        face = faces[0] if front[quads.primitive[q]] else faces[1]
        for lane in range(4):
            if not tested[q] >> lane & 1:
                continue
            x, y = 2 * int(quads.x[q]) + (lane & 1), 2 * int(quads.y[q]) + (lane >> 1)
            value = int(stencil[y, x])
            if not compare(face.function, face.reference & face.mask, value & face.mask):
                stencil[y, x] = stored(face, face.fail, value)
                failed[q] |= 1 << lane
            elif passed[q] >> lane & 1:
                stencil[y, x] = stored(face, face.depth_pass, value)
            else:
                stencil[y, x] = stored(face, face.depth_fail, value)
