"""`tilegpu gate`: fail where a change costs more than it may."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from rich.markup import escape
from rich.table import Table

from tilegpu.functional.errors import UserError

from ..console import EXIT_DIFFERENT, print_table, say
from ..options import Frames, parse_frames
from ..outputs import Force, begins_with, check_file, holds

if TYPE_CHECKING:
    from .verdict import Verdict


def gate(
    before: Annotated[
        Path, typer.Argument(metavar="BEFORE", help="Folder that `tilegpu replay` wrote, or a capture (.trace).")
    ],
    after: Annotated[Path, typer.Argument(metavar="AFTER", help="The same after the change.")],
    most: Annotated[
        list[str] | None,
        typer.Option(
            "--max",
            metavar="FIGURE=+2%",
            help="By how much a figure may rise, in per cent or in its unit (gpu.cycles=+1000): any statistic, energy, "
            "or a unit's as energy.raster; may be given several times.",
        ),
    ] = None,
    most_of_draws: Annotated[
        list[str] | None,
        typer.Option(
            "--max-draw",
            metavar="[COST=]+5%",
            help="By how much each draw's cycles, or another cost of draws.parquet, may rise; draws that appear or "
            "vanish fail, too. May be given several times.",
        ),
    ] = None,
    slack: Annotated[
        int,
        typer.Option(
            "--draw-slack",
            metavar="CYCLES",
            min=0,
            help="Cycles that each draw may gain in any case: they are sampled, every 64th.",
        ),
    ] = 256,
    images: Annotated[
        tuple[Path, Path] | None,
        typer.Option("--images", metavar="A B", help="Pictures before and after, folders or files: none may differ."),
    ] = None,
    tolerance: Annotated[
        int, typer.Option(min=0, max=255, help="Difference of a channel, of 255, that counts as equal.")
    ] = 2,
    config: Annotated[
        str,
        typer.Option(metavar="NAME|FILE", help="Of captures: preset or TOML file that both are replayed with."),
    ] = "",
    overrides: Annotated[
        list[str] | None, typer.Option("--set", metavar="FIELD=VALUE", help="Of captures: change a field.")
    ] = None,
    frames: Frames = "",
    warm_up: Annotated[
        int, typer.Option("--warm-up", metavar="N", min=0, help="Of captures: first frames, which count nowhere.")
    ] = 0,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Of captures: keep results, as DIR/before and DIR/after."),
    ] = None,
    allow_different: Annotated[
        bool,
        typer.Option("--allow-different", help="Compare results of different configurations, versions or frames."),
    ] = False,
    markdown_file: Annotated[
        Path | None, typer.Option("--markdown", metavar="FILE", help="Write the verdict for a merge request.")
    ] = None,
    junit_file: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write it as JUnit's XML, a test per limit.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    force: Force = False,
) -> None:
    """Fail where a change makes a scene cost more than it may, and name the draws that changed and why.

    Compares two results, or two captures replayed alike. Draws belong together by debug label, shaders and order; what
    differs of their work is told with them: quads, instructions, misses. The same input costs the same to the cycle, so
    any rise is the change's. Exit status 1 when a limit is broken, 2 when there is none or results cannot be compared.

    Example: tilegpu gate before after --max gpu.cycles=+2% --max energy=+2% --max-draw +10% --markdown gate.md
    """
    from dataclasses import replace

    from .limits import GateError, parse_limit
    from .pictures import different_pictures
    from .side import check_same, differences, read_side
    from .verdict import COST, Limits, judge

    figures = [parse_limit("--max", text) for text in most or ()]
    draws = [parse_limit("--max-draw", text, COST) for text in most_of_draws or ()]
    draws = [replace(limit, slack=slack) if limit.name == COST else limit for limit in draws]
    if not (figures or draws or images):
        raise GateError("a gate without limits would pass everything: give --max, --max-draw or --images")
    if markdown_file is not None:
        check_file(markdown_file, begins_with(b"### GPU cost: "), force)
    if junit_file is not None:
        check_file(junit_file, holds(b'<testsuite name="tilegpu gate"'), force)
    pictures = None if images is None else different_pictures(*images, tolerance)
    replay = _Replay(config, overrides or [], frames, warm_up)
    with _results((before, after), replay, output, force) as folders:
        sides = [read_side(folder) for folder in folders]
        settings = differences(*sides)
        if not allow_different:
            check_same(settings)
        verdict = judge(sides[0], sides[1], Limits(figures, draws, pictures), settings)
    _write(verdict, markdown_file, junit_file)
    if as_json:
        from dataclasses import asdict

        typer.echo(json.dumps(asdict(verdict), indent=1))
    else:
        _print(verdict)
    if not verdict.within:
        raise typer.Exit(EXIT_DIFFERENT)


class _Replay(NamedTuple):
    """Options of the replay of captures, as given; falsy where they are not."""

    config: str
    overrides: list[str]
    frames: str
    warm_up: int


@contextmanager
def _results(places: tuple[Path, Path], replay: _Replay, output: Path | None, force: bool) -> Iterator[list[Path]]:
    """Folders of results: those that are given, or those of captures."""
    from tilegpu.timing.config import load_configuration

    from .captures import Replaying, replayed

    for place in places:
        if not place.exists():
            raise UserError(f"{place}: no such file or folder")
    if places[0].is_dir() != places[1].is_dir():
        raise UserError(f"{places[0]} and {places[1]}: compare two folders of results or two captures")
    if places[0].is_dir():
        if any(replay) or output is not None:
            raise UserError("--config, --set, --frames, --warm-up and -o are of captures; these are results")
        yield list(places)
        return
    if not replay.config:
        raise UserError("captures are replayed with one configuration: name it with --config, such as mali-g52-mc1")
    configuration = load_configuration(replay.config, replay.overrides)
    with replayed(
        places, Replaying(configuration, parse_frames(replay.frames), replay.warm_up), output, force
    ) as folders:
        yield folders


def _write(verdict: Verdict, markdown_file: Path | None, junit_file: Path | None) -> None:
    from tilegpu.functional.activity.output import whole_file

    from .junit import junit
    from .markdown import markdown

    if markdown_file is not None:
        with whole_file(markdown_file) as partial:
            partial.write_text(markdown(verdict), "utf-8")
    if junit_file is not None:
        with whole_file(junit_file) as partial:
            partial.write_bytes(junit(verdict))


def _print(verdict: Verdict) -> None:
    from . import texts

    if verdict.settings:
        say(f"[yellow]different settings are compared[/yellow]: {escape(', '.join(verdict.settings))}")
    tables = (
        (("figure", "before", "after", "change", "limit", ""), [texts.row_of(check) for check in verdict.checks]),
        (
            ("draw", "cycles before", "after", "change", "why", "beyond"),
            [texts.draw_row(draw) for draw in texts.shown_draws(verdict)] + texts.other_rows(verdict),
        ),
    )
    for header, rows in tables:
        table = Table(*header, box=None)
        for column in table.columns[1:4]:
            column.justify = "right"
        for row in rows:
            table.add_row(*map(escape, row))
        if rows:
            print_table(table)
    if len(verdict.changed) > texts.SHOWN:
        say(f"[dim]{len(verdict.changed) - texts.SHOWN} more draws changed[/dim]")
    for title, works in (("vanished", verdict.vanished), ("appeared", verdict.appeared)):
        for name in texts.listed(works):
            say(f"{title}: {escape(name)}")
    for picture in verdict.pictures or ():
        say(f"{escape(picture.name)}: {escape(picture.how)}")
    say(f"[{'green' if verdict.within else 'red'}]{escape(texts.headline(verdict))}[/]")
