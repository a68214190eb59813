"""`tilegpu configs`: the hardware configurations that come with the package."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer
from rich.table import Table

from .console import out, say


def configs(
    name: Annotated[
        str,
        typer.Argument(metavar="[NAME|FILE]", help="Preset, or a TOML file, to show; all presets are listed without."),
    ] = "",
    overrides: Annotated[
        list[str] | None, typer.Option("--set", metavar="FIELD=VALUE", help="Change a field, as `replay` does.")
    ] = None,
    against: Annotated[
        str, typer.Option("--against", metavar="NAME|FILE", help="Print only what differs from this configuration.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of such files, for editors, and leave.")
    ] = False,
) -> None:
    """List the hardware configurations that come with tilegpu, or show one with every field, unit and source.

    The output is a TOML file: change it and pass it to `replay --config FILE`.

    Example: tilegpu configs ptr-2022 > mine.toml
    """
    from tilegpu.timing.config import configuration_toml, load_configuration

    if schema:
        from tilegpu.timing.config.json_schema import configuration_schema

        typer.echo(json.dumps(configuration_schema(), indent=1))
        return
    if not name:
        _list(as_json)
        return
    configuration = load_configuration(name, overrides or [])
    if against:
        _differences(against, name, overrides or [], as_json)
    elif as_json:
        typer.echo(json.dumps(configuration.model_dump(mode="json"), indent=1))
    else:
        sys.stdout.write(configuration_toml(configuration))


def _list(as_json: bool) -> None:
    from tilegpu.timing.config.load import preset_names, preset_title

    titles = {name: preset_title(name) for name in preset_names()}
    if as_json:
        typer.echo(json.dumps(titles, indent=1))
        return
    table = Table("name", "", box=None)
    for name, title in titles.items():
        table.add_row(name, title)
    out.print(table)
    say("[dim]`tilegpu configs NAME` shows one, `--against NAME` how two differ[/dim]")


def _differences(against: str, name: str, overrides: list[str], as_json: bool) -> None:
    from tilegpu.timing.config import load_configuration
    from tilegpu.timing.config.fields import differences

    differing = differences(load_configuration(against), load_configuration(name, overrides))
    if as_json:
        typer.echo(json.dumps({field: {"of": a, "is": b} for field, a, b in differing}, indent=1))
        return
    table = Table("field", against, name, box=None)
    for field, a, b in differing:
        table.add_row(field, str(a), str(b))
    out.print(table)
