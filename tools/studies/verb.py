"""`tilegpu study`: redo a paper's experiments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from ..console import err, out, progress, say, several, warn
from ..options import parse_jobs
from ..outputs import Force, check_file, check_files_in, holds, is_our_picture

if TYPE_CHECKING:
    from .execution import Resources
    from .outcome import Json
    from .selection import Selection
    from .steps import Step


def study(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A study, or a Python file of your own; without it, a list.")
    ] = "",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Folder for everything that it makes.")
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="In short: few frames, half the screen each way, less of what takes longest."),
    ] = False,
    workloads: Annotated[
        str,
        typer.Option(metavar="A,B", help="Only these: twins, TOML files, .trace files, scene:NAME, capture:NAME."),
    ] = "",
    scale: Annotated[float | None, typer.Option(metavar="S", help="Scale of the screen, each way.")] = None,
    plan: Annotated[
        int,
        typer.Option(
            "--plan",
            metavar="N",
            min=0,
            help="Choose frames of twins by plans as `tilegpu sample` makes them: N of all that a twin has, those that "
            "warm up included; 0: the frames that the study names.",
        ),
    ] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="N", help="Processes; 0 for one per processor.")] = 0,
    cluster: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Hand the runs to the workers of a Dask scheduler; DIR and the cache folder must be shared with them.",
        ),
    ] = "",
    measurements: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Of `boards`: frame rates of your boards; a CSV file as docs/accuracy.md says."
        ),
    ] = None,
    preset: Annotated[
        str, typer.Option(metavar="NAME", help="Of `boards`: preset or TOML file that stands for the boards' GPU.")
    ] = "",
    captures: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Of `boards`: folder of the scenes' captures; else TILEGPU_BOARDS names it."),
    ] = None,
    compare: Annotated[
        tuple[Path, Path] | None,
        typer.Option("--compare", metavar="A B", help="Show what differs between the outcomes in two folders."),
    ] = None,
    summary_of_all: Annotated[
        bool,
        typer.Option("--summary", help="How near all numbers of the papers come; with -o FILE.svg the plot of them."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print study.json.")] = False,
    force: Force = False,
) -> None:
    """Redo a paper's experiments on workloads like the paper's, and set the results beside the paper's.

    The study `boards` sets predicted frame times beside those measured on real boards.

    Makes the workloads' traces, records them, replays them through every machine of the paper and writes
    DIR/study.json, plots and report.html. Each of the paper's conclusions is judged by a rule that was written before
    it was measured. One that does not hold is reported as such; that is not an error. Runs that are in DIR already are
    not run again.

    Example: tilegpu study ptr-2022 -o ptr --quick
    """
    from tilegpu.functional.claim import claimed
    from tilegpu.timing.results.drawing import matplotlib_figures

    from ..report.page import check_page
    from .asked import check_names
    from .catalogue import BoardOptions, find_study
    from .declare import StudyError
    from .execution import Resources
    from .outcome import FILE as OUTCOME
    from .page import FILE as REPORT
    from .planning import with_plans
    from .plots import FOLDER as PLOTS
    from .selection import select
    from .text import about_frames

    if compare is not None:
        _compare(*compare, as_json)
        return
    if summary_of_all:
        from .summary_verb import tell_summary

        tell_summary(output, as_json, force)
        return
    if not name:
        _list()
        return
    declared = find_study(name, BoardOptions(measurements, preset, captures))
    if output is None:
        raise StudyError("a study needs a folder for what it makes: give -o DIR")
    if scale is not None and not 0 < scale <= 4:
        raise StudyError(f"--scale {scale}: choose more than 0, and 4 at most")
    if output.exists() and not output.is_dir():
        raise StudyError(f"{output}: exists and is no folder; choose another")
    check_page(output / REPORT, force)
    check_file(output / OUTCOME, holds(b'"study"'), force)
    if (output / PLOTS).exists():
        check_files_in(output / PLOTS, {r".*\.svg": is_our_picture}, force)
    matplotlib_figures()
    names = [part.strip() for part in workloads.split(",") if part.strip()]
    selection = select(declared, quick, names, scale)
    if declared.file and declared.follow_up is None:
        check_names(selection, output)
    _announce(selection, jobs)
    with claimed(output):
        if plan:
            with progress("choosing frames") as (bar, task):
                selection = with_plans(selection, plan, output, lambda name: bar.update(task, note=name))
        result = _redo(selection, output, Resources(parse_jobs(jobs), cluster), force)
    for line in about_frames(result):
        warn(line)
    if as_json:
        typer.echo(json.dumps(result, indent=1))
    else:
        _print(result)
        say(f"{output / OUTCOME}; {output / REPORT}")


def _redo(selection: Selection, output: Path, resources: Resources, force: bool) -> Json:
    """Run a study, and what follows from it; its outcome, which is written with plots and page."""
    from .execution import run
    from .measured import Measured
    from .outcome import outcome, write_outcome
    from .page import write_report
    from .plots import draw_figures

    with progress("studying") as (bar, task):

        def report(step: Step) -> None:
            bar.update(task, completed=step.share, note=step.doing)

        selection = _usable(selection, run(selection, output, resources, report))
        if selection.study.follow_up is not None:
            selection = selection.extended(selection.study.follow_up(Measured(selection, output, selection.first)))
            selection = _usable(selection, run(selection, output, resources, report))
    result = outcome(selection, output)
    write_outcome(result, output)
    draw_figures(result, output)
    write_report(result, output, force)
    return result


def _list() -> None:
    from .catalogue import find_study, study_names

    table = Table("study", "about", "source", "workloads", box=None)
    for name in study_names():
        declared = find_study(name)
        table.add_row(name, declared.title, declared.source, str(len(declared.workloads) + len(declared.applications)))
    out.print(table)


def _announce(selection: Selection, jobs: int) -> None:
    for name in selection.absent:
        warn(f"{name} is not at hand ({selection.study.hint}); the study goes without it")
    for name, workload in selection.workloads.items():
        counted = selection.frames_of(name).counted
        own = workload.trace is not None and workload.numbers is None and ":" not in name
        if own and counted != selection.frames.counted:
            warn(f"{name}: frames {counted[0]} to {counted[-1]} count; name others, as game.trace@40:42")
    minutes = selection.seconds() / parse_jobs(jobs) / 60
    err.print(
        f"{several(selection.runs, 'run')} of {several(len(selection.workloads), 'workload')}: about "
        f"{several(max(1, round(minutes)), 'minute')} and "
        f"{selection.size_bytes() / 1e9:.1f} GB of disk if nothing is there yet",
        soft_wrap=True,
    )


def _usable(selection: Selection, unusable: dict[str, str]) -> Selection:
    for name, reason in unusable.items():
        warn(f"{name} cannot be recorded ({reason}); the study goes without it")
    return selection.without(unusable)


def _print(outcome: Json) -> None:
    from .text import interval, quantity, rule_words, summary, unmeasured, verdict

    table = Table("conclusion", "paper", "ours", "rule", "", box=None)
    for c in outcome["conclusions"]:
        colour = {True: "green", False: "red", None: "yellow"}[None if c.get("undecidable") else c["holds"]]
        table.add_row(
            c["id"],
            quantity(c["paper"]),
            quantity(c["ours"], c["rule"]) + interval(c),
            rule_words(c["rule"], c["unit"]),
            f"[{colour}]{verdict(c)}[/{colour}]",
        )
    out.print(table)
    for line in unmeasured(outcome):
        say(escape(line))
    say(summary(outcome))


def _compare(before: Path, after: Path, as_json: bool) -> None:
    from .comparison import changes, read_outcome

    differences = changes(read_outcome(before), read_outcome(after))
    if as_json:
        typer.echo(json.dumps([vars(change) for change in differences], indent=1))
        return
    table = Table("what", "before", "after", box=None)
    for change in differences:
        table.add_row(change.what, change.before, change.after)
    if differences:
        out.print(table)
    say(f"{len(differences)} differences")
