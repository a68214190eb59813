"""RenderDoc captures of OpenGL ES programs beside the pictures of RenderDoc's own replay on Mesa's llvmpipe."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tilegpu.functional.activity import Activity
from tilegpu.functional.comparison import compare_images, read_image
from tilegpu.functional.importers import import_capture
from tilegpu.functional.player import Player
from tilegpu.functional.record import record

from .test_captures import MAX_OVER_PERCENT, MIN_PSNR_DB

NAMES = ("es2gears", "gl_jellyfish", "gl_texmip")


@pytest.fixture(scope="module")
def imported(captures: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Streams by the name of their capture."""
    folder = captures / "rdc"
    if not all((folder / f"{name}.zip.xml").is_file() for name in NAMES):
        pytest.skip("needs rdc in the folder of captures")
    streams = {name: tmp_path_factory.mktemp("rdc") / f"{name}.trace" for name in NAMES}
    for name, stream in streams.items():
        assert not import_capture(folder / f"{name}.zip.xml", stream).missing
    return streams


@pytest.mark.parametrize("name", NAMES)
def test_the_frame_equals_renderdocs_picture(name: str, imported: dict[str, Path], captures: Path) -> None:
    player = Player(imported[name])
    _, frame = player.run()
    result = compare_images(frame.pixels, read_image(captures / "rdc" / f"{name}.png"))
    assert result.over_tolerance_percent <= MAX_OVER_PERCENT
    assert result.psnr_db >= MIN_PSNR_DB
    assert not player.warnings


def test_every_capture_is_compared(captures: Path) -> None:
    assert {path.stem for path in (captures / "rdc").glob("*.rdc")} <= {*NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_a_capture_is_recorded(name: str, imported: dict[str, Path], tmp_path: Path) -> None:
    """Frame 0 has no draw, and is no obstacle."""
    record(imported[name], tmp_path / "activity")
    draws = Activity(tmp_path / "activity").table("draws").to_pandas()
    assert set(draws["frame"]) == {1}


def test_an_rdc_is_read_with_renderdoccmd(imported: dict[str, Path], captures: Path, tmp_path: Path) -> None:
    if shutil.which("renderdoccmd") is None:
        pytest.skip("needs renderdoccmd (Debian: apt install renderdoc)")
    import_capture(captures / "rdc" / "es2gears.rdc", tmp_path / "a.trace")
    assert (tmp_path / "a.trace").read_bytes() == imported["es2gears"].read_bytes()
