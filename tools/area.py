"""`tilegpu area`: area and leakage of a configuration."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.table import Table

from .console import print_table, say, warn


def area(
    config: Annotated[str, typer.Argument(metavar="NAME|FILE", help="Preset, or a TOML file.")] = "ptr-2022",
    overrides: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="Change a field of the configuration."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Print the area and leakage of a configuration, structure by structure.

    Example: tilegpu area ptr-2022 --set raster_units=2
    """
    from tilegpu.timing.config import load_configuration
    from tilegpu.timing.results.energy.report import ACCURACY, report

    configuration = load_configuration(config, overrides or [])
    energy, unified = report(configuration), configuration.energy.cores == "unified"
    if as_json:
        typer.echo(json.dumps(energy.as_json() | ({"area_mm2": None} if unified else {}), indent=1))
        return
    table = Table("structure", "unit", "count", "mm2", "mW", box=None)
    for column in table.columns[2:]:
        column.justify = "right"
    for row in energy.structures:
        table.add_row(row.name, row.unit, str(row.count), f"{row.area_mm2:.4f}", f"{row.leakage_mw:.4f}")
    if not unified:
        table.add_row("all", "", "", f"{energy.area_mm2:.3f}", f"{energy.leakage_mw:.3f}")
    print_table(table)
    if unified:
        say(
            f"{configuration.name}: no total, as vertices and fragments share cores in the chip and have their own here"
        )
    made = energy.technology
    say(
        f"profile {made.profile}, {made.node_nm} nm {made.device}, {made.volts:g} V, {made.kelvin} K; {ACCURACY}",
    )
    for line in energy.missing:
        warn(f"nothing known of {line}")
