"""README, docs/recipes.md and docs/api.md: every block runs as it stands, in order, and prints what the page shows. Of
all pages, replays name configurations and fields that there are; commands of docs/model run.

Where a page has a capture of its own, game.trace, it is a bundled scene. With TILEGPU_WRITE_RECIPES=1 a page is given
what the blocks printed, where that differs; look at it afterwards.
"""

import contextlib
import io
import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tilegpu.timing.runs import plan
from tilegpu.tools.demo import scene_folder
from tilegpu.tools.main import main

REPOSITORY = Path(__file__).parents[2]
PAGES = [REPOSITORY / name for name in ("README.md", "docs/api.md", "docs/recipes.md")]
FENCE = re.compile(r"^```(\w+)( norun)?\n(.*?)^```\n(?:```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^ *((?:[A-Z_]+=\S+ )?tilegpu [a-z](?:.*\\\n)*.*)$", re.MULTILINE)
ANYTHING = "..."
SHELL = re.compile(r"[^\w ./:,=-]")
"""What a shell may understand."""


@dataclass(frozen=True)
class Block:
    """A fenced block, and what the page says that it prints; None where it says nothing."""

    line: int
    language: str
    runs: bool
    text: str
    shown: str | None


def commands(page: str) -> list[str]:
    """Commands of a page, indented or fenced, each on one line."""
    return [" ".join(found.replace("\\\n", " ").split()) for found in COMMAND.findall(page)]


def blocks(page: str) -> list[Block]:
    return [
        Block(page.count("\n", 0, found.start()) + 1, found[1], not found[2], found[3], found[4])
        for found in FENCE.finditer(page)
    ]


OTHERS = sorted({*(REPOSITORY / "docs").rglob("*.md")} - {*PAGES})
MODEL = [place for place in OTHERS if place.parent.name == "model" and commands(place.read_text("utf-8"))]


def lines_of(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").split("\n")]


def printed_as_shown(printed: str, shown: str) -> bool:
    """Whether these are the lines shown, `...` standing for any lines."""
    parts = [".*" if line == ANYTHING else re.escape(line) + "\n" for line in lines_of(shown)]
    return re.fullmatch("".join(parts), "\n".join(lines_of(printed)) + "\n", re.DOTALL) is not None


def run_shell(text: str, folder: Path) -> str:
    """What a shell prints; it stops at the first command that fails."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "COLUMNS": "100"}
    command = ["bash", "-euo", "pipefail", "-c", text]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_command(text: str) -> str:
    """What a command of tilegpu prints, run in this process."""
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patched, contextlib.redirect_stdout(printed):
        patched.setenv("COLUMNS", "100")
        patched.setattr("sys.argv", shlex.split(text, comments=True))
        with pytest.raises(SystemExit) as left:
            main()
    assert left.value.code == 0, text
    return printed.getvalue()


def run_commands(text: str, folder: Path) -> str:
    """What a block of shell prints; if all its lines are commands of tilegpu, only what needs a shell has one, and with
    it an interpreter that imports everything anew."""
    lines = text.splitlines(keepends=True)
    if not all(line.startswith("tilegpu ") for line in lines):
        return run_shell(text, folder)
    return "".join(
        run_shell(line, folder) if SHELL.search(line.partition(" #")[0].rstrip()) else run_command(line)
        for line in lines
    )


def run_python(text: str, names: dict[str, object]) -> str:
    """What a block prints; names are those of the blocks before."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, "page", "exec"), names)
    return printed.getvalue()


# The recipes are commands of every kind one after the other, an interpreter each; README shows the main ones.
QUICK = [pytest.param(place, marks=pytest.mark.slow if place.stem == "recipes" else ()) for place in PAGES]


@pytest.mark.parametrize("place", QUICK, ids=lambda place: place.stem)
def test_blocks_run_and_print_what_the_page_shows(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(scene_folder() / "courtyard.trace", tmp_path / "game.trace")
    page = place.read_text("utf-8")
    names: dict[str, object] = {}
    wrong = []
    for block in blocks(page):
        if not block.runs:
            continue
        printed = run_commands(block.text, tmp_path) if block.language == "sh" else run_python(block.text, names)
        if block.shown is not None and not printed_as_shown(printed, block.shown):
            wrong.append(f"line {block.line} of {place.name} prints\n{printed}and not\n{block.shown}")
            page = page.replace(
                f"{block.text}```\n```text\n{block.shown}```", f"{block.text}```\n```text\n{printed}```"
            )
    if wrong and os.environ.get("TILEGPU_WRITE_RECIPES"):
        place.write_text(page, "utf-8")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("place", "norun"), list(zip(PAGES, (2, 0, 4), strict=True)), ids=[place.stem for place in PAGES]
)
def test_every_fence_of_a_page_is_a_block(place: Path, norun: int) -> None:
    page = place.read_text("utf-8")
    found = blocks(page)
    fences = sum(2 + 2 * (block.shown is not None) for block in found)
    assert page.count("```") == fences
    assert {block.language for block in found if block.runs} <= {"sh", "python"}
    assert sum(not block.runs for block in found) == norun


@pytest.mark.parametrize("place", OTHERS, ids=lambda place: place.stem)
def test_replays_of_pages_can_be_planned(place: Path) -> None:
    for command in commands(place.read_text("utf-8")):
        if not command.startswith("tilegpu replay activity "):
            continue
        words = shlex.split(command, comments=True)
        given = {option: [b for a, b in itertools.pairwise(words) if a == option] for option in ("--config", "--set")}
        if not any(value.endswith(".toml") or "…" in value for value in given["--config"] + given["--set"]):
            assert plan(given["--config"] or ["ptr-2022"], given["--set"]), command


@pytest.mark.slow
@pytest.mark.parametrize("place", MODEL, ids=lambda place: place.stem)
def test_commands_of_the_model_run(place: Path, tmp_path: Path) -> None:
    shutil.copy(scene_folder() / "courtyard.trace", tmp_path / "game.trace")
    run_shell("tilegpu trace game.trace -o activity --level all --frames 0:2", tmp_path)
    for command in commands(place.read_text("utf-8")):
        if "tilegpu trace" in command:
            shutil.rmtree(tmp_path / "activity")
            command += " --frames 0:2"
        run_shell(command, tmp_path)


def test_the_readme_is_short() -> None:
    """Tables that `make docs` puts there apart."""
    text = re.sub(r"(?s)<!-- \w+: generated.*?<!-- end -->", "", PAGES[0].read_text("utf-8"))
    assert len(text.splitlines()) <= 120


def test_dots_stand_for_lines() -> None:
    assert printed_as_shown("a\nb\nc\n", "a\n...\nc\n")
    assert printed_as_shown("a\nc  \n", "a\n...\nc\n")
    assert not printed_as_shown("a\nb\n", "a\n...\nc\n")
    assert not printed_as_shown("a\nb\n", "a\n")
    assert not printed_as_shown("ax\n", "a\n")
