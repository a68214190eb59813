"""`tilegpu share`: several applications on one GPU."""

from __future__ import annotations

import json
import time
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

import typer
from rich.table import Table

from tilegpu.functional.errors import UserError

from .console import print_table, say, several
from .options import Frames, parse_frames

if TYPE_CHECKING:
    from tilegpu.timing.sharing import SharingOutcome

TURNS, ACCOUNTS, MACHINE, COMPOSITOR = "turns.parquet", "accounts.parquet", "machine", "compositor"
QUANTUM = {"frame": "command_processor.quantum_frames", "tile": "tile_fetcher.quantum_tiles"}
"""Fields with the length of a turn."""


def share(
    activities: Annotated[
        list[Path], typer.Argument(metavar="DIR DIR...", help="Folders that `tilegpu trace` wrote, two to four.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="RESULTS", help="Folder to write results to.")
    ] = None,
    config: Annotated[str, typer.Option(metavar="NAME|FILE", help="Preset, or a TOML file.")] = "ptr-2022",
    overrides: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="Change a field of the configuration."),
    ] = None,
    frames: Frames = "",
    by: Annotated[
        str,
        typer.Option(
            metavar="frame|tile",
            help="frame: frames take turns. tile: a frame of each is on the GPU at the same time, and their tiles do.",
        ),
    ] = "frame",
    quantum: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Frames or tiles of a turn, as --set command_processor.quantum_frames or tile_fetcher.quantum_tiles.",
        ),
    ] = None,
    compositor: Annotated[
        str,
        typer.Option(
            metavar="LAYOUT",
            help="side-by-side or picture-in-picture: let a compositor draw the applications' windows on a screen so "
            "after each round of turns.",
        ),
    ] = "",
    warm_up: Annotated[
        int, typer.Option("--warm-up", metavar="N", min=0, help="First frames of each application, which do not count.")
    ] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace results that are already there.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Let applications share a GPU: frames or tiles take turns, and each is compared with having it for itself.

    Slowdown is the time until the frames of an application are done, waiting included, over that alone; interference
    counts the cycles of its own frames only, by tile its part of the time, so that it shows what the others do to its
    caches. RESULTS gets sharing.json, turns.parquet, and results of each application together and alone, as of
    `tilegpu replay`, and of the compositor; by tile also those of the machine, and accounts.parquet with what was
    counted for whom.

    Example: tilegpu share game browser --by tile --quantum 8 --set tile_fetcher.context_switch_cycles=500 -o shared
    """
    from tilegpu.functional.claim import claimed
    from tilegpu.timing.config import load_configuration
    from tilegpu.timing.results.results import check_folder
    from tilegpu.timing.sharing import Application, By
    from tilegpu.timing.sharing import share as share_gpu

    from .composition import Layout, composed
    from .replay_single import replaying
    from .sharing_summary import SUMMARY, summary

    if by not in get_args(By):
        raise UserError(f"--by {by!r}: choose frame or tile")
    if compositor and compositor not in get_args(Layout):
        raise UserError(f"--compositor {compositor!r}: choose {' or '.join(get_args(Layout))}")
    settings = list(overrides or [])
    if quantum is not None:
        settings.append(f"{QUANTUM[by]}={quantum}")
    configuration = load_configuration(config, settings)
    applications = [Application(folder, _chosen(folder, frames)) for folder in activities]
    began = time.perf_counter()
    with nullcontext() if output is None else claimed(output):
        if output is not None:
            check_folder(output, force, SUMMARY)
        showing = composed(activities, cast(Layout, compositor)) if compositor else nullcontext()
        with showing as shown, replaying(configuration) as on_progress:
            shared = share_gpu(applications, configuration, cast(By, by), warm_up, on_progress, shown)
        names = [f"{k}-{folder.resolve().name}" for k, folder in enumerate(activities)]
        outcome = summary(shared, names)
        if output is not None:
            _write(output, shared, names, outcome)
    if as_json:
        typer.echo(json.dumps(outcome, indent=1))
        return
    _print(outcome)
    say(
        f"fairness {outcome['fairness']:.3f}, throughput {outcome['throughput']:.3f} of one application's alone, "
        f"{outcome['time_saved']:.3f} times as fast as one after the other alone"
    )
    if shared.compositor is not None:
        cycles = outcome["compositor"]["cycles"]
        drawn = several(len(shared.compositor.frames), "frame")
        say(f"compositor: {drawn}, {cycles:,.0f} cycles, which are counted apart")
    say(f"{several(len(shared.turns), 'frame')} counted; took {time.perf_counter() - began:.1f} s")


def _chosen(folder: Path, frames: str) -> list[int] | None:
    from tilegpu.functional.activity.reader import Activity
    from tilegpu.timing.loading.chosen_frames import frames_in

    return frames_in(parse_frames(frames), Activity(folder).frames, f"--frames {frames}") if frames else None


def _write(output: Path, shared: SharingOutcome, names: list[str], outcome: dict[str, Any]) -> None:
    import pyarrow as pa

    from tilegpu.functional.activity.arrow_files import write_parquet
    from tilegpu.functional.activity.output import naming, whole_folder

    from .sharing_summary import SUMMARY

    rows = [asdict(turn) | {"application": names[turn.application]} for turn in shared.turns]
    with whole_folder(output) as partial:
        for name, together, alone in zip(names, shared.together, shared.alone, strict=True):
            together.write(partial / name)
            alone.write(partial / f"{name}-alone")
        if shared.compositor is not None:
            shared.compositor.write(partial / COMPOSITOR)
        if shared.machine is not None:
            shared.machine.write(partial / MACHINE)
            with naming(partial / ACCOUNTS):
                write_parquet(pa.concat_tables(shared.accounts), partial / ACCOUNTS, compression="zstd")
        with naming(partial / TURNS):
            write_parquet(pa.Table.from_pylist(rows), partial / TURNS, compression="zstd")
        with naming(partial / SUMMARY):
            (partial / SUMMARY).write_text(json.dumps(outcome, indent=1) + "\n", "utf-8")


def _print(outcome: dict[str, Any]) -> None:
    table = Table(
        "application",
        "frames",
        "cycles alone",
        "together",
        "interference",
        "slowdown",
        "L2 misses",
        "DRAM MB",
        box=None,
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for row in outcome["applications"]:
        alone, together = row["alone"], row["together"]
        table.add_row(
            row["name"],
            str(row["frames"]),
            f"{alone['cycles']:,.0f}",
            f"{together['cycles']:,.0f}",
            f"{row['interference']:.3f}",
            f"{row['slowdown']:.3f}",
            f"{alone['l2_misses']:,.0f} → {together['l2_misses']:,.0f}",
            f"{alone['dram_bytes'] / 1e6:,.2f} → {together['dram_bytes'] / 1e6:,.2f}",
        )
    print_table(table)
