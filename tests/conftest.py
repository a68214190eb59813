"""Where tests find material and programs that are not part of the repository."""

import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.dask_cluster import Cluster, running
from tilegpu.functional.glsl import stored

from . import sharing
from .browser import Browser, chromium

# The first example of a test may compile a kernel; examples are derandomized so that a run can be repeated.
settings.register_profile("tilegpu", deadline=None, derandomize=True)
settings.load_profile("tilegpu")


def pytest_configure(config: Any) -> None:
    """Quick runs compile engines quickly, those of all tests as users have them."""
    config.pluginmanager.register(sharing)
    if config.option.markexpr == "not slow":
        os.environ.setdefault("TILEGPU_QUICK_COMPILE", "1")


def pytest_collection_finish() -> None:
    """Look for cyclic garbage rarely: the objects of a plain machine are so many that Python's own thresholds have all
    modules and tests looked through again and again, which takes two fifths of the time of such tests."""
    from tilegpu.functional.garbage import SELDOM

    gc.freeze()
    gc.set_threshold(*SELDOM)


def missing(reason: str) -> None:
    """Skip a test for want of something; where everything ought to be there (CI=true), fail it."""
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def _folder(variable: str, what: str) -> Path:
    value = os.environ.get(variable, "")
    folder = Path(value)
    if not value or not folder.is_dir():
        pytest.skip(f"needs {what}: set {variable} to their folder")
    return folder


def _program(name: str, packages: str) -> str:
    """Path of a program; skip where it is missing."""
    program = shutil.which(name)
    if program is None:
        missing(f"needs {name}: apt-get install {packages}")
    return str(program)


@pytest.fixture(scope="session")
def captures() -> Path:
    """Folder of apitrace captures with reference images beside them."""
    return _folder("TILEGPU_CAPTURES", "captured applications")


@pytest.fixture(scope="session")
def deqp() -> Path:
    """Folder of dEQP shader test files (gles2/, gles3/)."""
    return _folder("TILEGPU_DEQP", "dEQP shader test files")


@pytest.fixture(scope="session")
def conformance() -> Path:
    """Folder of dEQP's files and captured cases of OpenGL ES 3.1 (deqp31/, functional31/, es31/)."""
    return _folder("TILEGPU_CONFORMANCE", "files and captured cases of OpenGL ES 3.1")


@pytest.fixture(scope="session")
def eglretrace() -> str:
    """apitrace's replayer for EGL."""
    return _program("eglretrace", "apitrace libegl1 libgl1-mesa-dri libgles2")


@pytest.fixture(scope="session")
def apitrace() -> str:
    """The apitrace command."""
    return _program("apitrace", "apitrace")


@pytest.fixture(scope="session")
def xvfb_run() -> str:
    """Runs a program under a virtual X server."""
    return _program("xvfb-run", "xvfb xauth")


@pytest.fixture
def program_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Parent of an empty cache of linked programs, in place of the user's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    stored._files.cache_clear()
    yield tmp_path / "cache"
    stored._files.cache_clear()


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A headless Chromium, with the network off."""
    for program in ("chromium", "chromedriver"):
        _program(program, "chromium chromium-driver")
    with chromium(tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A Dask scheduler with two workers, each a process of its own, for all tests of a file."""
    pytest.importorskip("distributed", reason="Dask is not installed")
    with running(tmp_path_factory.mktemp("dask")) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def scenes() -> Path:
    """Folder of the bundled scenes."""
    from tilegpu.tools.demo import scene_folder

    return scene_folder()
