"""`tilegpu dram`: run a request stream through a memory by itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from .choices import CURRENT_SETS
from .console import print_table, say, several, warn


def dram(
    trace: Annotated[
        Path,
        typer.Argument(
            metavar="TRACE",
            help="Text, one request per line (`0xADDR READ|WRITE cycle`), or Parquet (address, write, cycle).",
        ),
    ],
    memory: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="Preset, one of DRAMsim3's INI files, or a TOML file.")
    ] = "lpddr4-2400-b32",
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON, DRAMsim3's names first.")] = False,
    current_set: Annotated[
        str, typer.Option("--current-set", metavar="NAME", help=f"Energy per command: {' or '.join(CURRENT_SETS)}.")
    ] = "dramsim3",
    io: Annotated[bool, typer.Option("--io", help="Count the energy of the output drivers (lpddr4-micron).")] = False,
    every: Annotated[
        bool, typer.Option("--every-cycle", help="Tick in every cycle; gives the same result, slowly.")
    ] = False,
) -> None:
    """Run a request stream through a cycle-level memory controller.

    Requests are offered in order, at most one per memory cycle, with back-pressure. Statistics carry the names that
    DRAMsim3 gives them; energies are in pJ.

    Example: tilegpu dram requests.trace --memory lpddr4-3200 --json
    """
    from tilegpu.timing.assembly.dram import simulate
    from tilegpu.timing.assembly.dram_traces import read_stream
    from tilegpu.timing.memory.dram.files import read_specification
    from tilegpu.timing.results.dram import statistics

    spec, warnings = read_specification(memory)
    for line in warnings:
        warn(line)
    values = statistics(simulate(spec, read_stream(trace), every=every), current_set, io)
    values["tilegpu"]["current_set"] = current_set
    if as_json:
        typer.echo(json.dumps(values, indent=1))
        return
    table = Table("statistic", "value", box=None)
    table.columns[1].justify = "right"
    for name, value in (values | values["tilegpu"]).items():
        if isinstance(value, int | float) and name not in ("channel",):
            table.add_row(name, f"{value:,}" if isinstance(value, int) else f"{value:,.4f}")
    print_table(table)
    say(f"{spec.name}: {several(spec.system.channels, 'channel')} of {several(spec.ranks, 'rank')}")
