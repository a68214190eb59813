"""The command starts at once: help imports no pass and no package that one stands on."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from importlib import import_module
from keyword import iskeyword

import pytest

from tilegpu.timing.results.counters import NAMINGS
from tilegpu.timing.results.energy.dram import CURRENT_SETS
from tilegpu.timing.results.plots import KINDS
from tilegpu.timing.results.timeline import DEFAULT_STEP_CYCLES
from tilegpu.tools import choices
from tilegpu.tools.demo import scene_folder
from tilegpu.tools.sampling.plan import WARM_UP
from tilegpu.tools.verbs import VERBS

OWN_MODULES = 20
"""Of tilegpu: its empty packages, the command, the verb, options, output."""
READER_MODULES = 50
"""Further ones that read a capture and follow its windows."""
IMPORTED = """
import contextlib, io, json, sys
from pathlib import Path
import typer

bare = typer.Typer(rich_markup_mode="markdown")

@bare.callback()
def options(number: int = 0) -> None:
    "Do *this*."

@bare.command()
def nothing(path: Path, many: list[str] = typer.Option([], help="*A* name.")) -> None:
    "Do nothing."

def modules_of(app, arguments):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        app(arguments)
    return set(sys.modules)

own = modules_of(bare, ["nothing", "--help"])
from tilegpu.tools.main import app
print(json.dumps(sorted(modules_of(app, sys.argv[1:]) - own)))
"""


def imported(*arguments: str) -> list[str]:
    """Modules that the command imports in a new process, but for those that any command of typer does."""
    ran = subprocess.run([sys.executable, "-c", IMPORTED, *arguments], capture_output=True, text=True, check=True)
    return list(json.loads(ran.stdout))


def packages(modules: list[str]) -> set[str]:
    """Packages of modules, but for Python's own."""
    return {name.partition(".")[0] for name in modules} - sys.stdlib_module_names


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_help_imports_neither_passes_nor_packages(verb: str) -> None:
    modules = imported(*filter(None, [verb]), "--help")
    own = [name for name in modules if name.startswith("tilegpu")]
    assert "tilegpu.tools.main" in own
    # Rich imports its own parts as it needs them.
    assert packages(modules) <= {"tilegpu", "rich"}
    assert len(own) <= OWN_MODULES, own


def test_list_of_verbs_is_made_of_their_docstrings() -> None:
    for name, verb in VERBS.items():
        module = import_module(f"tilegpu.tools.{verb.module}")
        function = f"{name}_" if iskeyword(name) else name
        text = module.app.info.help if hasattr(module, "app") else inspect.getdoc(getattr(module, function))
        assert verb.line == text.split("\n\n")[0].replace("\n", " "), name


def test_choices_are_those_of_what_they_belong_to() -> None:
    assert choices.CHARTS == KINDS
    assert choices.COUNTER_NAMINGS == NAMINGS
    assert choices.CURRENT_SETS == CURRENT_SETS
    assert choices.TIMELINE_STEP_CYCLES == DEFAULT_STEP_CYCLES
    assert choices.WARM_UP_FRAMES == WARM_UP


def test_info_imports_neither_the_renderer_nor_its_compiler() -> None:
    modules = imported("info", str(scene_folder() / "board.trace"))
    assert "tilegpu.functional.inspection" in modules
    assert not packages(modules) & {"llvmlite", "PIL"}
    own = [name for name in modules if name.startswith("tilegpu")]
    assert not [name for name in own if name.startswith(("tilegpu.functional.glsl", "tilegpu.functional.pipeline"))]
    assert len(own) <= OWN_MODULES + READER_MODULES, own
