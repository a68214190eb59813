"""Which entry points of the specifications are known and implemented."""

from tilegpu.functional.capture.signatures import VERSIONS
from tilegpu.functional.gles.entry_points import ENTRY_POINTS


def test_all_are_implemented() -> None:
    assert set(VERSIONS) <= set(ENTRY_POINTS)
