"""Where tests find material and programs that are not part of the repository."""

import gc
import os
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from tests.dask_cluster import Cluster, running
from tilegpu.functional.glsl import stored

from .browser import Browser, chromium

# The first example of a test may compile a kernel; examples are derandomized so that a run can be repeated.
settings.register_profile("tilegpu", deadline=None, derandomize=True)
settings.load_profile("tilegpu")

TESTS = Path(__file__).parent
TIMING = TESTS / "timing"


FIRST = "tools/test_wheel", "jit/test_compiled", "glsl/test_random_programs", "gles/test_fixed_effects"
"""Files that need no kernels of the renderer: one process runs them while the other compiles these."""
LONG = "tools/test_recipes", "studies/test_papers", "reference/test_captures"
"""The longest files that need several engines: after those of one, and before the short files, which end together."""
MARK = re.compile(r'^pytestmark = pytest\.mark\.engine\("(\w+)"\)$', re.MULTILINE)


@cache
def _group(path: Path) -> str:
    """Name of what one process runs: the tests of an engine, since two processes that need it at the same time would
    both compile it; elsewhere those of a file. Read from the text: the process that shares tests out has none."""
    engine = MARK.search(path.read_text("utf-8"))
    if engine is not None:
        return engine[1]
    # Captures run on all machines: last, when their engines are compiled.
    in_timing = TIMING in path.parents and path.stem != "test_captures"
    return "tile_based" if in_timing else str(path)


class ByEngine(LoadScopeScheduling):  # type: ignore[misc]
    """Tests of a file go to one process, and so do files that need the same timing engine."""

    def _split_scope(self, nodeid: str) -> str:
        return _group(TESTS.parent / nodeid.partition("::")[0])


def pytest_configure(config: Any) -> None:
    """Quick runs compile engines quickly, those of all tests as users have them."""
    if config.option.markexpr == "not slow":
        os.environ.setdefault("TILEGPU_QUICK_COMPILE", "1")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: Any, log: Any) -> ByEngine:
    """How tests are shared out, in the order in which they are collected."""
    config.option.loadscopereorder = False
    return ByEngine(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that compile an engine go before others, as they take longest."""
    engines = {_group(item.path) for item in items if item.get_closest_marker("engine")}
    # Every part comes last, when the engines of most are compiled.
    order = sorted(engines - {"tile_based"}, key=lambda group: (group == "every_part", group))
    first, long = ([str(TESTS / f"{name}.py") for name in names] for names in (FIRST, LONG))
    rank = {group: place for place, group in enumerate(("tile_based", *first, *order, *long))}
    items.sort(key=lambda item: rank.get(_group(item.path), len(rank)))


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


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Cluster]:
    """A Dask scheduler with two workers, each a process of its own."""
    pytest.importorskip("distributed", reason="Dask is not installed")
    with running(tmp_path) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def scenes() -> Path:
    """Folder of the bundled scenes."""
    from tilegpu.tools.demo import scene_folder

    return scene_folder()
