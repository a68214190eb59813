"""`tilegpu replay`: run an activity through a configured GPU and tell what it measured."""

from __future__ import annotations

import json
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from .choices import COUNTER_NAMINGS, TIMELINE_STEP_CYCLES, WARM_UP_FRAMES
from .console import EXIT_DIFFERENT, note_of, print_table, say, several, warn
from .options import Frames, parse_frames, parse_jobs

if TYPE_CHECKING:
    from tilegpu.timing.results.results import Results


def replay(
    activity: Annotated[
        str | None,
        typer.Argument(metavar="DIR|URL", help="Folder that `tilegpu trace` wrote, or a URL of it (s3://…)."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="RESULTS", help="Folder to write results to.")
    ] = None,
    config: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|FILE", help="Preset (ptr-2022 by default), or a TOML file; more than once for more runs."
        ),
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="FIELD=VALUE,...",
            help="Change a field of the configuration: group.field=value, or field=value where one group has it; sizes "
            "may end in KiB or MiB. Several techniques of one run are joined by +: techniques=a+b. "
            "Several values make a run each.",
        ),
    ] = None,
    frames: Frames = "",
    sampling_plan: Annotated[
        Path | None,
        typer.Option(
            "--plan",
            metavar="FILE",
            help="Replay the frames that a plan of `tilegpu sample` chose, each after one that warms up, and print "
            "totals of the whole capture. RESULTS gets totals.json, too, or that of each run in its folder.",
        ),
    ] = None,
    warm_up: Annotated[
        int | None,
        typer.Option(
            "--warm-up",
            metavar="N",
            min=0,
            help="Frames that count nowhere: at the start (0 by default), or before each of a plan's (1).",
        ),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Run as plain Python, for debuggers: a thousand times slower.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace results that are already there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the table as JSON.")] = False,
    every: Annotated[bool, typer.Option("--all", help="Print every statistic, not only the main ones.")] = False,
    timeline: Annotated[
        str,
        typer.Option(
            metavar="A:B",
            help="Write RESULTS/timeline.pftrace for these frames: tiles, units, queues and memory over time, for "
            "Perfetto (ui.perfetto.dev). Needs pip install 'tilegpu[perfetto]'.",
        ),
    ] = "",
    timeline_step: Annotated[
        int, typer.Option("--timeline-step", metavar="CYCLES", min=1, help="Cycles between two looks at the machine.")
    ] = TIMELINE_STEP_CYCLES,
    compress: Annotated[
        bool, typer.Option("--gzip", help="Write timeline.pftrace.gz instead, which Perfetto opens, too.")
    ] = False,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs",
            "-j",
            metavar="N",
            help="Processes for several runs; 0 for one per processor. Results do not depend on it.",
        ),
    ] = 0,
    baseline: Annotated[
        str, typer.Option(metavar="RUN", help="Run that the others are compared with; the first by default.")
    ] = "",
    check_images: Annotated[
        bool,
        typer.Option(
            "--check-images",
            help="Compare this machine's own pictures, blended in its own order, with the recorded ones, and the "
            "pictures of tiles that techniques leave out. The activity needs --with pass_images, and --with colors for "
            "the first. Exit status 1 when pixels differ or nothing could be compared.",
        ),
    ] = False,
    by_draw: Annotated[
        bool,
        typer.Option(
            "--by-draw",
            help="Also count what each draw and dispatch costs: RESULTS gets draws.parquet and programs.parquet "
            "(docs/draw_costs.md).",
        ),
    ] = False,
    by_resource: Annotated[
        bool,
        typer.Option(
            "--by-resource",
            help="Also count what each texture, buffer and attachment costs: RESULTS gets resources.parquet "
            "(docs/resource_costs.md).",
        ),
    ] = False,
    by_line: Annotated[
        bool,
        typer.Option(
            "--by-line",
            help="Also count what each line of the shaders costs: RESULTS gets lines.parquet, which `tilegpu shader "
            "--profile RESULTS` shows (docs/line_costs.md).",
        ),
    ] = False,
    counters: Annotated[
        str,
        typer.Option(
            metavar="|".join(COUNTER_NAMINGS),
            help="Also write each run's counters_arm.csv: a row per frame, columns with the public names of Arm's "
            "counters (libGPUCounters), as Streamline has them; which GPU has which is in docs/arm_counters.md.",
        ),
    ] = "",
    cluster: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Hand the runs to the workers of a Dask scheduler, such as tcp://host:8786, instead of this machine.",
        ),
    ] = "",
    strict: Annotated[
        bool, typer.Option("--strict", help="End with status 1, before anything runs, when a setting has no effect.")
    ] = False,
    show_config: Annotated[
        bool, typer.Option("--show-config", help="Print the whole configuration as TOML and leave.")
    ] = False,
) -> None:
    """Replay an activity, cycle by cycle, through the model of a GPU.

    RESULTS gets stats.parquet and stats.json, units.parquet, tiles.parquet (what became of each tile), energy.parquet
    and energy.json, and config.toml, the configuration as resolved. Several configurations and values give a run each,
    in every combination: RESULTS then gets a folder per run, with a comparison.parquet, and runs.parquet with a row per
    run and frame. Runs that are finished there already are not run again, so an interrupted command goes on where it
    was.

    Example: tilegpu replay activity --set raster_units=1,2 --set assignment=static,dynamic -o results
    """
    from tilegpu.functional.activity.reader import Activity
    from tilegpu.functional.claim import claimed
    from tilegpu.timing.config import ConfigurationError, configuration_toml
    from tilegpu.timing.instruments import instrument_of
    from tilegpu.timing.loading.chosen_frames import frames_in
    from tilegpu.timing.results.counters import CounterInputs, check_naming, write_counters
    from tilegpu.timing.results.perfetto_trace import perfetto
    from tilegpu.timing.results.results import check_folder
    from tilegpu.timing.results.timeline import FILE
    from tilegpu.timing.runs import Place, plan, unused_sections_of, unused_settings

    from .checked_pictures import tell_pictures
    from .draw_costs import print_draws
    from .line_costs import print_lines
    from .replay_runs import RunRequest, Where, replay_runs
    from .replay_single import Single
    from .resource_costs import print_resources
    from .sampling.replay import replay_sampled, replay_sampled_runs

    instrument = instrument_of(by_draw=by_draw, by_resource=by_resource, by_line=by_line)
    if counters:
        check_naming(counters)
        if output is None:
            raise typer.BadParameter("--counters needs a folder for its file: give -o")
    configurations = config or ["ptr-2022"]
    runs = plan(configurations, overrides or [])
    wrong = list(dict.fromkeys(line for run in runs for line in run.configuration.dram.warnings))
    wrong += [*unused_sections_of(runs, configurations), *unused_settings(runs, overrides or [])]
    for line in wrong:
        warn(line)
    if strict and wrong:
        raise typer.Exit(EXIT_DIFFERENT)
    if show_config and len(runs) == 1:
        sys.stdout.write(configuration_toml(runs[0].configuration))
        return
    if activity is None:
        raise typer.BadParameter("name the folder that `tilegpu trace` wrote")
    if timeline and output is None:
        raise typer.BadParameter("--timeline needs a folder for its file: give -o")
    if len(runs) > 1 or cluster:
        if show_config or plain:
            raise typer.BadParameter("only for one run on this machine: --show-config, --plain; give single values")
        where = Where(Place.of(activity), cluster, parse_jobs(jobs))
        if sampling_plan is not None:
            _refuse_with_plan(
                {"--frames": frames, "--counters": counters, "--check-images": check_images, "--all": every}
                | {"--timeline": timeline, "--by-draw": by_draw, "--by-resource": by_resource, "--by-line": by_line}
            )
            warm = WARM_UP_FRAMES if warm_up is None else warm_up
            replay_sampled_runs(where, sampling_plan, runs, warm, output, baseline, force, as_json)
            return
        wanted = RunRequest(
            parse_frames(frames) if frames else None,
            warm_up or 0,
            check_images,
            counters,
            instrument,
            timeline,
            timeline_step,
            compress,
        )
        replay_runs(where, runs, output, wanted, baseline, force, as_json)
        return
    if baseline not in ("", runs[0].name):
        raise ConfigurationError(f"--baseline {baseline}: no such run; there is {runs[0].name} only")
    configuration = runs[0].configuration
    folder = Place.of(activity).folder()
    if sampling_plan is not None:
        refused = {"--frames": frames, "--timeline": timeline, "--counters": counters, "--check-images": check_images}
        refused |= {"--all": every, "--by-draw": by_draw, "--by-resource": by_resource, "--by-line": by_line}
        _refuse_with_plan(refused)
        warm = WARM_UP_FRAMES if warm_up is None else warm_up
        replay_sampled(folder, sampling_plan, configuration, warm, not plain, output, force, as_json)
        return
    recorded = Activity(folder).frames
    chosen = frames_in(parse_frames(frames), recorded, f"--frames {frames}") if frames else list(recorded)
    watched = frames_in(parse_frames(timeline), chosen, f"--timeline {timeline}") if timeline else []
    if watched:
        perfetto()
    single = Single(
        folder, configuration, chosen, warm_up or 0, not plain, tuple(watched), timeline_step, check_images, instrument
    )
    began = time.perf_counter()
    with nullcontext() if output is None else claimed(output):
        if output is not None:
            check_folder(output, force)
        compiling = single.compile_engine()
        results, lines = single.execute()
        if output is not None:
            results.write(output, force)
            if watched:
                lines.write(output / f"{FILE}{'.gz' * compress}")
            if counters:
                counted = CounterInputs(configuration, results.by_frame(), results.tile_table())
                write_counters(counted, counters, output)
    _print(results, every, (time.perf_counter() - began - compiling, compiling), as_json, check_images)
    if by_draw and not as_json:
        print_draws(results)
    if by_resource and not as_json:
        print_resources(results)
    if by_line and not as_json:
        print_lines(results)
    if check_images and not tell_pictures(configuration, results.totals(), note_of(as_json)):
        raise typer.Exit(EXIT_DIFFERENT)


def _refuse_with_plan(options: dict[str, object]) -> None:
    if given := [name for name, value in options.items() if value]:
        raise typer.BadParameter(f"--plan says which frames count and gives totals only: leave out {', '.join(given)}")


def _print(results: Results, every: bool, seconds: tuple[float, float], as_json: bool, check_images: bool) -> None:
    """Print what a run gave; `seconds` of the run, and of compiling its engine."""
    from .checked_pictures import picture_lines

    lines = results.table(every)
    if check_images and not every:
        lines += picture_lines(results.configuration, results.totals())
    if as_json:
        typer.echo(json.dumps([{"name": name, "value": value, "unit": unit} for name, value, unit in lines], indent=1))
        return
    table = Table("statistic", "value", "unit", box=None)
    table.columns[1].justify = "right"
    for name, value, unit in lines:
        table.add_row(name, f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4f}", unit)
    print_table(table)
    if results.frames:
        _print_energy(results)
    cycles = results.totals()["gpu.cycles"]
    if results.frames:
        milliseconds = cycles / float(results.configuration.clocks.gpu) / 1e3 / len(results.frames)
        once = f", and {seconds[1]:.1f} s to compile the engine, once" if seconds[1] else ""
        counted = several(len(results.frames), "frame")
        say(f"{counted} counted, {milliseconds:.3f} ms of GPU time each; took {seconds[0]:.1f} s{once}")


def _print_energy(results: Results) -> None:
    from tilegpu.timing.registry import components, is_plugin

    energy = results.energy()
    shares = energy.split()
    made = energy.technology
    say(
        f"{energy.total_pj / 1e6 / len(results.frames):,.1f} µJ per frame, {energy.average_mw:,.0f} mW: "
        f"memory {shares['memory']:.0%}, Fragment Processors {shares['fragment_processors']:.0%}, "
        f"rest {shares['rest']:.0%} (profile {made.profile}, {made.node_nm} nm {made.device}, {made.volts:g} V)"
    )
    for line in energy.missing:
        warn(f"no energy of {line}")
    for technique in components(results.configuration)[1]:
        if is_plugin("techniques", technique.name) and not technique.structures:
            warn(f"no energy of {technique.name}: the plug-in declares no structures (docs/techniques.md)")
