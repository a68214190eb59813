"""`tilegpu shader`: costs of a program's shaders, as they are compiled, or as they were executed line by line."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from tilegpu.functional.errors import UserError

from .console import out, print_table, say

if TYPE_CHECKING:
    from tilegpu.functional.glsl.link import CompiledShader


def shader(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE.vert|FILE.comp]", help="Vertex shader, or compute shader (GLSL ES 3.10)."),
    ] = None,
    fragment: Annotated[
        Path | None, typer.Argument(metavar="[FILE.frag]", help="Fragment shader of the vertex shader's version.")
    ] = None,
    ir: Annotated[bool, typer.Option("--ir", help="Print the instructions.")] = False,
    profile: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Show the shaders of an activity with the instructions that each line executes, or those of results "
            "of `replay --by-line` with its cycles, stalls and texture misses (docs/line_costs.md).",
        ),
    ] = None,
    program: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="With --profile: the shaders of this program, not the dearest one only."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, with the Mali Offline Compiler's keys where it has them.")
    ] = False,
    config: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="Count cycles of a thread in the pipelines of a Mali GPU since Midgard, too, as that compiler counts "
            "them: a preset or TOML file (docs/glsl.md).",
        ),
    ] = None,
) -> None:
    """Compile a program's shaders and report instructions, paths, registers, texture operations and varyings.

    One instruction is one operation on vectors of four, as Mesa's TGSI counts; END counts as one.

    Example: tilegpu shader phong.vert phong.frag --ir
    """
    if profile is not None:
        if file is not None or ir or config is not None:
            raise typer.BadParameter("--profile takes no shaders and no GPU: it shows what was executed")
        _profile(profile, program, as_json)
        return
    if file is None or program is not None:
        raise typer.BadParameter("name a shader, or a folder: --profile FOLDER")
    from tilegpu.functional.glsl import compile_shader, link_compute, link_program
    from tilegpu.functional.glsl.ir import print_shader
    from tilegpu.functional.glsl.report import program_report

    if fragment is None:
        linked = link_compute(compile_shader(_text(file), "compute", file.name))
        names: tuple[str, ...] = (str(file),)
    else:
        stages = _vertex(file), compile_shader(_text(fragment), "fragment", fragment.name)
        linked, names = link_program(*stages, {}), (str(file), str(fragment))
    report = program_report(linked, names)
    if config is not None:
        from .shader_cycles import add_cycles

        add_cycles(report, linked, config)
    if as_json:
        typer.echo(json.dumps(report, indent=1))
        return
    for record, built in zip(report["shaders"], linked.shaders.values(), strict=True):
        _print(record)
        if ir:
            out.print(print_shader(built), markup=False, soft_wrap=True)


def _print_cycles(core: str, variant: dict[str, Any]) -> None:
    """Cycles of a thread by pipeline."""
    performance = variant["performance"]
    table = Table(f"{core}, {variant['name'].lower()}: cycles", *performance["pipelines"], "bound")
    for key in ("total_cycles", "shortest_path_cycles", "longest_path_cycles"):
        cycles = performance[key]
        values = ["N/A" if v is None else f"{v:.2f}" for v in cycles["cycle_count"]]
        label = key.removesuffix("_cycles").replace("_", " ")
        table.add_row(label, *values, ", ".join(b or "N/A" for b in cycles["bound_pipelines"]))
    print_table(table)


def _profile(folder: Path, program: int | None, as_json: bool) -> None:
    from .shader_profile import print_profile, profile_json, read_profile

    profile = read_profile(folder)
    if as_json:
        typer.echo(json.dumps(profile_json(profile, program), indent=1))
    else:
        print_profile(profile, program)


def _vertex(path: Path) -> CompiledShader:
    """A compiled vertex shader; where it only compiles as a fragment shader, the error says so."""
    from tilegpu.functional.glsl import ShaderError, compile_shader

    try:
        return compile_shader(_text(path), "vertex", path.name)
    except ShaderError:
        with suppress(ShaderError):
            compile_shader(_text(path), "fragment", path.name)
            raise UserError(f"{path}: is a fragment shader; the vertex shader comes first") from None
        raise


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UserError(f"{path}: not text") from None


def _print(record: dict[str, Any]) -> None:
    variant = record["variants"][0]
    counts = variant["instructions"]
    registers = {p["name"]: p["value"] for p in variant["properties"]}
    say(f"[bold]{record['shader']['type']} shader[/bold] {record['filename']}")
    table = Table("", *counts["classes"])
    for key in ("total", "shortest_path", "longest_path"):
        table.add_row(key.replace("_", " "), *("N/A" if v is None else f"{v}" for v in counts[key]))
    print_table(table)
    for each in record["variants"]:
        if "performance" in each:
            _print_cycles(record["hardware"]["core"], each)
    say(
        f"{record['instructions']['total']} instructions, {registers['work_registers_used']} work registers, "
        f"{registers['uniform_registers_used']} uniform registers"
    )
    if "shared_storage_used" in registers:
        size = " x ".join(str(registers[f"work_group_size_{axis}"]) for axis in "xyz")
        say(f"work groups of {size} invocations, {registers['shared_storage_used']} bytes of shared memory")
    for entry in record["texture_operations"]:
        out.print(
            f"texture: {entry['count']} {entry['opcode']} of {entry['sampler']} ({entry['target']}), "
            f"coordinates from {entry['coordinates']}",
            markup=False,
            soft_wrap=True,
        )
    for varying in record["varyings"]:
        line = f"varying: {varying['name']}, {varying['components']} components, {varying['interpolation']}"
        out.print(line, markup=False, soft_wrap=True)
    for entry in record["properties"]:
        if entry["value"]:
            out.print(entry["display_name"].lower())
