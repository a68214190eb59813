"""The verbs of the `tilegpu` command.

A verb's module is imported when the verb is asked for, and imports what it runs when it runs: help needs neither the
passes nor the packages that they stand on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from keyword import iskeyword
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command


class Verb(NamedTuple):
    """A verb before it is imported: its module, and what the list of verbs says of it, its docstring's first line."""

    module: str
    line: str


VERBS = {
    "info": Verb(
        "info",
        "Describe a captured application: frames, size, GL version, calls, and features that tilegpu lacks for it.",
    ),
    "dump": Verb("dump", "Print the calls of a stream, one in a line: number, function, arguments by name, result."),
    "render": Verb("render", "Render a captured application to images."),
    "inspect": Verb(
        "inspect",
        "Show a frame, operation by operation: on one page or, in a folder, as images and JSON.",
    ),
    "import": Verb(
        "import_capture",
        "Make a captured stream of another tool's capture, such as RenderDoc's, for all other verbs.",
    ),
    "trim": Verb(
        "trim",
        "Write some frames of a captured application, with all that they depend on, as a smaller capture.",
    ),
    "reduce": Verb(
        "reduce.verb",
        "Reduce a captured application to the smallest capture on which a command ends as it did.",
    ),
    "reference": Verb(
        "reference",
        "Render a recorded scene with the OpenGL driver of this machine, to compare with `tilegpu render`.",
    ),
    "trace": Verb("trace", "Record what every pipeline stage does for a captured application."),
    "stats": Verb(
        "stats",
        "Characterize a recorded activity in the columns of papers: geometry and fragment work per frame.",
    ),
    "characterize": Verb(
        "characterize",
        "Count what each frame of a captured application does, for little more than the cost of rendering it.",
    ),
    "sample": Verb(
        "sampling.verb",
        "Choose frames that represent a long capture, so that only these need to be simulated.",
    ),
    "replay": Verb("replay", "Replay an activity, cycle by cycle, through the model of a GPU."),
    "share": Verb(
        "share",
        "Let applications share a GPU: frames or tiles take turns, and each is compared with having it for itself.",
    ),
    "collisions": Verb(
        "collisions",
        "Detect collisions on a model of a mobile CPU, as the thesis that proposes to detect them on the GPU does.",
    ),
    "configs": Verb(
        "configs",
        "List the hardware configurations that come with tilegpu, or show one with every field, unit and source.",
    ),
    "dram": Verb("dram", "Run a request stream through a cycle-level memory controller."),
    "report": Verb("report.verb", "Write a page that shows replays side by side, in one file that needs no network."),
    "power": Verb(
        "power",
        "Find the lowest clock at which an activity's frames keep a rate, and the power of each clock there.",
    ),
    "area": Verb("area", "Print the area and leakage of a configuration, structure by structure."),
    "plot": Verb(
        "plot",
        "Draw where energy, traffic and cycles go, and speed-ups, of runs, sweeps and several workloads.",
    ),
    "compare": Verb("compare", "Compare two images or folders."),
    "gate": Verb(
        "gate.verb",
        "Fail where a change makes a scene cost more than it may, and name the draws that changed and why.",
    ),
    "why": Verb(
        "why.verb",
        "Say which draws of a frame cost most on a machine, why, and what each change would save, on one page.",
    ),
    "demo": Verb("demo", "Show all of it on a bundled scene, in a minute or two the first time, in 20 s later."),
    "conformance": Verb(
        "conformance",
        "Run dEQP's shader tests through the GLSL ES front end and the reference back end.",
    ),
    "shader": Verb(
        "shader",
        "Compile a program's shaders and report instructions, paths, registers, texture operations and varyings.",
    ),
    "study": Verb(
        "studies.verb",
        "Redo a paper's experiments on workloads like the paper's, and set the results beside the paper's.",
    ),
    "workloads": Verb(
        "workloads.verb",
        "Workloads that look to a GPU as the papers' games do: list, make, check, show, clean.",
    ),
}
"""By name, in the order of the help; a module has a function of that name, or `app` with verbs of its own."""


class _Commands(Mapping[str, Any]):
    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, verb: str) -> Any:
        if verb not in self._made:
            self._made[verb] = _command(verb)
        return self._made[verb]

    def __iter__(self) -> Iterator[str]:
        return iter(VERBS)

    def __len__(self) -> int:
        return len(VERBS)


def _command(verb: str) -> Any:
    module = import_module(f".{VERBS[verb].module}", __package__)
    app = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(add_completion=False, rich_markup_mode="markdown")
        # No function can be called as a keyword is.
        app.command(verb)(getattr(module, f"{verb}_" if iskeyword(verb) else verb))
    command = get_command(app)
    command.name = verb
    for option in command.params:
        if getattr(option, "is_flag", False):
            # Help would show the type bool, as if a switch took a value.
            option.display_type_rich = lambda ctx: None  # type: ignore[attr-defined]
    return command


class Verbs(TyperGroup):
    """All verbs as one group, in the order that help lists them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = _Commands()

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the list of verbs without importing any."""
        commands = self.commands
        self.commands = {name: TyperCommand(name, help=verb.line) for name, verb in VERBS.items()}
        super().format_help(ctx, formatter)
        self.commands = commands
