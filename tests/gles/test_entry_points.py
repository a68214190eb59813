"""Which entry points of the specifications are implemented."""

from tilegpu.functional.gles.entry_points import ENTRY_POINTS
from tilegpu.functional.gles.entry_points.known import KNOWN


def test_all_are_implemented() -> None:
    assert set(KNOWN) <= set(ENTRY_POINTS)
