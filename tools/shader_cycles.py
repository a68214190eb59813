"""Cycles of a shader in the pipelines of a Mali GPU, under the names of Arm's Mali Offline Compiler (malioc).

They are cycles of a core for one thread, each pipeline by itself. Its rates per core are those that Mesa's compiler
divides by, which "seem to match" that tool's (`bifrost_compile.c`: `bi_print_stats`, `va_print_stats`). Bifrost
executes 8 tuples per engine, interpolates 16 channels of 16 bits and takes one message of the load/store unit per
cycle; Valhall takes 32 operations of the FMA and of the CVT pipe and 8 of the SFU per engine. For Valhall that is twice
the rate of multiply-adds, and half that of varyings, that Arm's guide says and the presets have. Midgard issues a
bundle per pipe and cycle (Arm's guide).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tilegpu.functional.errors import UserError
from tilegpu.functional.glsl.ir.analysis import position_slice, varying_slice
from tilegpu.functional.glsl.ir.flow import longest_walk, shortest_walk
from tilegpu.functional.glsl.report import property_of
from tilegpu.functional.recording.program_rows import instruction_rows
from tilegpu.functional.recording.rows import Rows
from tilegpu.timing.config import load_configuration
from tilegpu.timing.loading.issue.bundles import bundles
from tilegpu.timing.loading.issue.operations import Row, total
from tilegpu.timing.loading.issue.pipes import of_pipes
from tilegpu.timing.loading.issue.program_operations import program_operations
from tilegpu.timing.loading.issue.tuples import scheduled_tuples
from tilegpu.timing.loading.issue.unified_issue import LANES, MODELS
from tilegpu.timing.loading.issue.varyings import loads
from tilegpu.timing.units.simt_core import SimtCoreParameters

if TYPE_CHECKING:
    from tilegpu.functional.glsl.ir.program import Shader
    from tilegpu.functional.glsl.link import LinkedProgram

PIPELINES = {
    "pipes": ("arith_total", "arith_fma", "arith_cvt", "arith_sfu", "load_store", "varying", "texture"),
    "tuples": ("arith_total", "load_store", "varying", "texture"),
    "bundles": ("arithmetic", "load_store", "texture"),
}
VALHALL_OPERATIONS, VALHALL_SPECIAL = 32, 8
"""Of each engine per cycle."""
VALHALL_CHANNELS = 16
"""Of 16 bits per cycle where the preset has 32."""
FULL_REGISTERS = {"pipes": (32,), "tuples": (32,), "bundles": (16, 32)}
"""Registers of 32 bits up to which a core has all of its threads, then half of them, then a quarter."""


class Counts(NamedTuple):
    """Work of a thread: arithmetic, in the units of the issue model; messages of the load/store unit; channels of 16
    bits that are interpolated; texture operations."""

    arithmetic: tuple[int, ...]
    load_store: int
    channels: int
    texture: int


def add_cycles(report: dict[str, Any], program: LinkedProgram, preset: str) -> None:
    """Add the cycles of each shader, its registers and occupancy to a report.

    Parameters
    ----------
    report
        As `program_report` made it; its variants are replaced.
    program
        The shaders.
    preset
        Name of a preset, or a TOML file.

    Raises
    ------
    UserError
        If its GPU has no such cores.
    """
    configuration = load_configuration(preset)
    core = configuration.of(SimtCoreParameters)
    if configuration.machine != "unified" or core.issue not in MODELS:
        raise UserError(f"--config {preset}: cycles are counted for Mali GPUs since Midgard; see `tilegpu configs`")
    for record, (stage, shader) in zip(report["shaders"], program.shaders.items(), strict=True):
        rows = rows_of(program, stage)
        record["hardware"] = {"core": preset}
        usual = record["variants"][0]
        record["variants"] = [
            {
                "name": name,
                "instructions": usual["instructions"],
                "performance": _performance(shader, rows, chosen, core),
                "properties": _properties(usual["properties"], [rows[pc] for pc in sorted(chosen)], core.issue),
            }
            for name, chosen in variants(shader, core.issue).items()
        ]


def rows_of(program: LinkedProgram, stage: Any) -> list[Row]:
    """Instructions of a stage as the activity has them."""
    rows = Rows()
    instruction_rows(rows, 0, stage, program)
    columns = rows.columns()
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def variants(shader: Shader, issue: str) -> dict[str, frozenset[int]]:
    """Instructions of each variant, by its name: GPUs since Bifrost shade positions apart from what else vertices
    have."""
    everything = frozenset(range(len(shader.instructions)))
    if shader.stage != "vertex" or issue == "bundles":
        return {"Main": everything}
    # The viewport's transformation stands at the end of the program, and is the position's.
    others = varying_slice(shader) - {len(shader.instructions) - 1}
    return {"Position": position_slice(shader)} | ({"Varying": others} if others else {})


def counts_of(rows: Sequence[Row], chosen: Iterable[int], issue: str) -> Counts:
    """Work of some instructions of a program's stage.

    Parameters
    ----------
    rows
        All of the stage.
    chosen
        Some of them, by pc, in order.
    issue
        Name of a model of issue.
    """
    mine = [rows[pc] for pc in chosen]
    if not mine:
        return Counts((0, 0, 0) if issue == "pipes" else (0,), 0, 0, 0)
    loaded = loads(mine)
    operations = program_operations(mine, loaded)
    arithmetic: tuple[int, ...]
    if issue == "pipes":
        arithmetic = of_pipes(total(operations))
    else:
        blocks: dict[int, list[int]] = {}
        for i, row in enumerate(mine):
            blocks.setdefault(row["block"], []).append(i)
        parts = ([mine[i] for i in members] for members in blocks.values())
        if issue == "bundles":
            arithmetic = (sum(bundles(part) for part in parts),)
        else:
            scheduled = zip(parts, blocks.values(), strict=True)
            arithmetic = (sum(scheduled_tuples(part, [operations[i] for i in members]) for part, members in scheduled),)
    fragment = mine[0]["stage"] == "fragment"
    outputs = {row["destination_index"] for row in mine if row["destination_file"] == "OUT"}
    memory = sum(row["class"] == "mem" for row in mine)
    load_store = memory if fragment else memory + sum(loaded.vectors) + len(outputs)
    if issue == "bundles" and fragment:
        # Varyings and the colour pass the same pipe.
        load_store += sum(loaded.vectors) + len(outputs)
    return Counts(arithmetic, load_store, sum(loaded.channels), sum(row["class"] == "tex" for row in mine))


def cycles_of(counts: Counts, core: SimtCoreParameters) -> list[float]:
    """Cycles in each pipeline, in the order of `PIPELINES`."""
    texture = counts.texture / max(1, core.texture_threads)
    if core.issue == "bundles":
        return [counts.arithmetic[0] / core.schedulers, float(counts.load_store), texture]
    if core.issue == "tuples":
        arithmetic = [counts.arithmetic[0] / (core.schedulers * LANES["tuples"])]
        channels = core.varying_channels
    else:
        fma, cvt, special = counts.arithmetic
        wide, narrow = core.schedulers * VALHALL_OPERATIONS, core.schedulers * VALHALL_SPECIAL
        arithmetic = [fma / wide, cvt / wide, special / narrow]
        arithmetic = [max(arithmetic), *arithmetic]
        channels = core.varying_channels * VALHALL_CHANNELS // 32
    return [*arithmetic, float(counts.load_store), counts.channels / max(1, channels), texture]


def _performance(shader: Shader, rows: list[Row], chosen: frozenset[int], core: SimtCoreParameters) -> dict[str, Any]:
    def record(path: Iterable[int] | None) -> dict[str, Any]:
        names = PIPELINES[core.issue]
        if path is None:
            return {"bound_pipelines": [None], "cycle_count": [None] * len(names)}
        cycles = cycles_of(counts_of(rows, sorted(chosen.intersection(path)), core.issue), core)
        most = max(cycles)
        bound = [name for name, value in zip(names, cycles, strict=True) if value == most > 0]
        return {"bound_pipelines": bound or [None], "cycle_count": cycles}

    return {
        "pipelines": list(PIPELINES[core.issue]),
        "total_cycles": record(range(len(rows))),
        "shortest_path_cycles": record(shortest_walk(shader)),
        "longest_path_cycles": record(longest_walk(shader)),
    }


def _properties(usual: list[dict[str, Any]], rows: list[Row], issue: str) -> list[dict[str, Any]]:
    """Registers of 32 bits (vectors on Midgard), occupancy and the share of arithmetic in half precision, beside what
    is the same anywhere."""
    named = {(s["file"], s["index"]) for row in rows for s in row["sources"] or ()}
    named |= {(row["destination_file"], row["destination_index"]) for row in rows}
    registers = 4 * sum(file == "TEMP" for file, _ in named)
    uniforms = 4 * sum(file == "CONST" for file, _ in named)
    occupancy = 100 >> sum(registers > most for most in FULL_REGISTERS[issue])
    arithmetic = [row for row in rows if row["class"] in ("alu", "sfu")]
    half = 100 * sum(bool(row["half"]) for row in arithmetic) / max(1, len(arithmetic))
    replaced = {
        "work_registers_used": registers if issue != "bundles" else registers // 4,
        "uniform_registers_used": uniforms if issue != "bundles" else uniforms // 4,
    }
    properties = [{**p, "value": replaced.get(p["name"], p["value"])} for p in usual]
    return [
        *properties,
        property_of("stack_spill_bytes", "Stack use (bytes)", 0),
        property_of("thread_occupancy", "Thread occupancy", occupancy),
        property_of("fp16_arithmetic", "16-bit arithmetic", round(half)),
    ]
