"""Our scenes beside a real OpenGL driver, asked through moderngl."""

import os
from pathlib import Path

import pytest

from tests.conftest import missing
from tilegpu.functional.capture import Recorder
from tilegpu.functional.comparison import compare_images
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.player import Player
from tilegpu.functional.reference import ReferenceError, ReferenceRenderer, SourceListener

from .scenes import SCENES
from .test_scenes import SIZE, reset_programmable

MAX_OVER_PERCENT, MIN_PSNR_DB = 1.0, 46.0
ALL = FrameRange()
BEYOND_MODERNGL = frozenset(
    name
    for name in SCENES
    if name.startswith(
        (
            "stencil",
            "polygon_offset",
            "depth_range",
            "depth_texture",
            "attribute_types",
            "texture_mirror",
            "blend_constant",
            "render_to_texture",
            "texture_format",
        )
    )
)
"""What moderngl's API does not express; these are compared with softpipe alone."""
EITHER_ROW = frozenset({"texture_linear_mipmap_linear", "texture_nearest_mipmap_linear"})
"""In a framebuffer object rows count upwards: the driver takes derivatives from a quad's other row than in a window."""


@pytest.fixture(scope="module")
def renderer() -> ReferenceRenderer:
    """Softpipe behind moderngl: llvmpipe approximates the blending of mipmap levels."""
    os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")
    os.environ.setdefault("GALLIUM_DRIVER", "softpipe")
    try:
        return ReferenceRenderer()
    except ReferenceError as error:
        missing(f"{error}; apt-get install libegl1 libgl1-mesa-dri")
        raise


def images(path: Path, renderer: ReferenceRenderer | None, frames: FrameRange = ALL) -> list:
    """Frames by our pipeline, or by the driver."""
    if renderer is None:
        return [frame.pixels for frame in Player(path, frames).run()]
    player = Player(path, frames, listener=SourceListener(renderer), renderer=renderer)
    return [frame.pixels for frame in player.run()]


@pytest.mark.parametrize("name", sorted(set(SCENES) - BEYOND_MODERNGL - EITHER_ROW))
def test_scene_equals_the_drivers(name: str, renderer: ReferenceRenderer, tmp_path: Path) -> None:
    path = tmp_path / "scene.trace"
    with Recorder(path, SIZE, SIZE) as r:
        reset_programmable(r)
        SCENES[name](r)
        r.swap()
    (ours,), (theirs,) = images(path, None), images(path, renderer)
    result = compare_images(ours, theirs)
    assert result.over_tolerance_percent <= MAX_OVER_PERCENT
    assert result.psnr_db >= MIN_PSNR_DB


@pytest.mark.parametrize("name", ["courtyard", "sprites", "board", "runner"])
def test_bundled_scenes_equal_the_drivers(name: str, renderer: ReferenceRenderer, scenes: Path) -> None:
    one = FrameRange(0, 1)
    (ours,), (theirs,) = (images(scenes / f"{name}.trace", which, one) for which in (None, renderer))
    result = compare_images(ours, theirs)
    assert result.over_tolerance_percent <= MAX_OVER_PERCENT
    assert result.psnr_db >= MIN_PSNR_DB


def test_programs_are_told_apart_for_as_long_as_the_renderer_lives(renderer: ReferenceRenderer) -> None:
    """A program that is gone leaves its place in memory, and with it its identity, to another."""

    class Linked:
        pass

    for number in range(100):
        renderer.program_linked(Linked(), ("", str(number)))  # type: ignore[arg-type]
    kept = [sources[1] for linked, sources in renderer.sources.values() if isinstance(linked, Linked)]
    assert kept == [str(number) for number in range(100)]
