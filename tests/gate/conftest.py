"""The command, and the bundled scene before and after a texture doubled in size."""

from pathlib import Path

import pytest

from tests.tools.conftest import tilegpu  # noqa: F401
from tilegpu.functional.capture import Recorder
from tilegpu.tools.scenes import courtyard, textures

FRAMES = 2


def record_courtyard(path: Path, paving_texels: int = 128) -> Path:
    """Frames of the bundled scene, whose ground has a texture of some size."""
    with pytest.MonkeyPatch.context() as patched, Recorder(path, courtyard.WIDTH, courtyard.HEIGHT) as recorder:
        paving = textures.paving
        patched.setattr(textures, "paving", lambda: paving(paving_texels))
        scene = courtyard.Courtyard(recorder)
        for number in range(FRAMES):
            scene.frame(number)
    return path


@pytest.fixture(scope="session")
def captures(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Captures before and after the ground's texture was doubled in size."""
    folder = tmp_path_factory.mktemp("captures")
    return record_courtyard(folder / "before.trace"), record_courtyard(folder / "after.trace", 256)
