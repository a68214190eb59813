"""Which entry points of the specifications are known and implemented."""

from tilegpu.functional.capture.signatures import VERSIONS
from tilegpu.functional.gles.entry_points import ENTRY_POINTS


def test_all_up_to_es_3_0_are_implemented() -> None:
    assert {name for name, version in VERSIONS.items() if version != "3.1"} <= set(ENTRY_POINTS)
