"""Rendering and recording leave nothing in memory: objects that hold each other would stay until Python seeks them."""

import gc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.gles.context import Context
from tilegpu.functional.gles.textures import Texture
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.command import DrawCommand
from tilegpu.functional.pipeline.fused.batch_memory import BatchDraw
from tilegpu.functional.player import Player
from tilegpu.functional.record import record
from tilegpu.functional.recording.row_group import RowGroup

from ...reference.scenes import quad, random, texture, use

LARGE = (Context, Texture, DrawCommand, BatchDraw, Player, RowGroup)
BRANCHES = """precision highp float; varying vec4 v; uniform sampler2D image; void main() {
    vec4 c = texture2D(image, v.xy); if (v.x > 0.5) c = texture2D(image, v.yx); gl_FragColor = c; }"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    """A textured quad with branches, of two frames."""
    path = tmp_path / "scene.trace"
    with Recorder(path, 16, 16) as r:
        use(r, BRANCHES)
        texture(r, random(3, 8, 8, 4), (gl.LINEAR, gl.LINEAR), gl.REPEAT, True)
        for _ in range(2):
            r.glClear(0x4100)
            quad(r, -1, -1, 0.9, 1, 0.5, [(0, 0, 0, 1), (1, 0, 0, 1), (0, 1, 0, 1), (1, 1, 0, 1)])
            r.swap()
    # Compiles the kernels: compilers do leave such objects, which hold what called them.
    list(Player(path).run())
    record(path, tmp_path / "compiled")
    return path


@pytest.fixture
def no_collection(scene: Path) -> Iterator[None]:
    """Only what nothing refers to is freed."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def _present() -> Counter[str]:
    return Counter(type(o).__name__ for o in gc.get_objects() if isinstance(o, LARGE))


@pytest.mark.usefixtures("no_collection")
def test_rendering_leaves_nothing(scene: Path) -> None:
    before = _present()
    assert len(list(Player(scene).run())) == 2
    assert not _present() - before


@pytest.mark.usefixtures("no_collection")
@pytest.mark.parametrize("jobs", [1, 2])
def test_recording_leaves_nothing(scene: Path, tmp_path: Path, jobs: int) -> None:
    before = _present()
    assert record(scene, tmp_path / "activity", groups=frozenset({"pass_images"}), jobs=jobs).frames == 2
    assert not _present() - before
