"""Which entry points of the specifications are known and implemented."""

import re
from pathlib import Path

import pytest

from tilegpu.functional.capture.signatures import VERSIONS
from tilegpu.functional.gles.entry_points import ENTRY_POINTS


def test_all_are_implemented() -> None:
    assert set(VERSIONS) <= set(ENTRY_POINTS)


@pytest.mark.parametrize(("header", "version"), [("GLES/gl.h", "1.1"), ("GLES2/gl2.h", "2.0"), ("GLES3/gl3.h", "3.0")])
def test_the_table_holds_what_khronos_headers_declare(header: str, version: str) -> None:
    path = Path("/usr/include") / header
    if not path.exists():
        pytest.skip(f"needs {path}: apt-get install libgles-dev")
    declared = set(re.findall(r"GL_APIENTRY (gl[A-Z]\w+)", path.read_text()))
    assert declared <= set(VERSIONS)
    assert {name for name, first in VERSIONS.items() if first == version} <= declared
