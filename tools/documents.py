"""Pages of the documentation that follow from declarations: `python -m tilegpu.tools.documents docs` writes them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from tilegpu import timing
from tilegpu.functional.activity import FORMAT_VERSION, TABLES
from tilegpu.functional.activity.output import whole_file
from tilegpu.timing import load_configuration
from tilegpu.timing.config.load import fields
from tilegpu.timing.config.quad_mappings import MAPPINGS
from tilegpu.timing.registry import find_machine, find_technique, machine_names, sources, technique_names
from tilegpu.timing.results.arm import ARM_NAMES
from tilegpu.timing.results.statistics import statistics
from tilegpu.timing.results.workload_columns import COLUMNS

from .collision_constants import collision_constants_page
from .studies.boards.document import accuracy_page
from .studies.document import outcome_of, sensitivity_page, studies_page
from .workloads.page import workloads_page

GENERATED = "<!-- Generated from the declarations by `make docs`; edit those. -->\n\n"


def activity_page() -> str:
    """Every table and column of the activity, as Markdown."""
    lines = [
        GENERATED + "# The activity: tables\n",
        f"Format version {FORMAT_VERSION}. A folder with `manifest.json` and one Parquet file per table; what",
        "the tables are for and how they hang together is told in [the model](model.md#the-activity). Tables of scope",
        "*frame* have row groups of whole frames, one large frame or several small ones, the same ones in every table",
        "as the manifest says. Tables of scope *recording* have one row group in all.\n"
        "Values are compressed with LZ4, texels' distances (`dx`, `dy`) with Zstandard.\n",
    ]
    for table in TABLES.values():
        lines += [f"## {table.name}\n", f"One row per {table.row}. Scope: {table.scope}.\n"]
        lines += ["| column | type | null | meaning |", "| --- | --- | --- | --- |"]
        for column in table.columns:
            group = f" Only with `--with {column.group}`." if column.group else ""
            null = "yes" if column.nullable else ""
            lines.append(f"| {column.name} | {_type(column.type)} | {null} | {column.description}.{group} |")
        lines.append("")
    return "\n".join(lines)


def configuration_page() -> str:
    """Every field of a hardware configuration, and every statistic, as Markdown."""
    values = load_configuration("ptr-2022", []).model_dump()
    lines = [
        GENERATED + "# Hardware configuration and statistics\n",
        "Fields of a configuration with their values in the preset `ptr-2022` (the baseline of the Parallel Tile",
        "Rendering thesis). `--set group.field=value` changes one; the name alone is enough where it is unique.\n",
        "| field | unit | ptr-2022 | meaning |",
        "| --- | --- | --- | --- |",
    ]
    for name, field in fields():
        value = values
        for part in name.split("."):
            value = value[part]
        unit = (field.json_schema_extra or {}).get("unit", "")
        lines.append(f"| {name} | {unit} | {value} | {field.description or ''} |")
    lines += [
        "\n# Statistics\n",
        "Written per frame to `stats.parquet` and `stats.json`. The last column names the counter of Arm's",
        "libGPUCounters that a figure can be set beside, where there is one.\n",
        "| statistic | unit | meaning | derived as | Arm |",
        "| --- | --- | --- | --- | --- |",
    ]
    declared = statistics(load_configuration("ptr-2022"))
    lines += [
        f"| {s.name} | {s.unit} | {s.description} | {s.formula} | {ARM_NAMES.get(s.name, '')} |" for s in declared
    ]
    return "\n".join([*lines, *_machines({s.name for s in declared}), *_techniques()]) + "\n"


def own_names(part: str, names: list[str]) -> list[str]:
    """Those of some machines or techniques that come with the package."""
    package = Path(str(timing.__file__)).parent
    return [name for name in names if package in sources(part, name).parents]


def _machines(known: set[str]) -> Iterator[str]:
    """Statistics of machines that the baseline does not have."""
    for name in own_names("machines", machine_names()):
        own = [s for s in statistics(load_configuration("ptr-2022", [f"machine={name}"])) if s.name not in known]
        if not own:
            continue
        yield f"\n# Machine {name}\n"
        yield f'`machine = "{name}"`: {find_machine(name).title}. Statistics that the tile-based one has not:\n'
        yield "| statistic | unit | meaning | derived as |"
        yield "| --- | --- | --- | --- |"
        yield from (f"| {s.name} | {s.unit} | {s.description} | {s.formula} |" for s in own)


def _techniques() -> Iterator[str]:
    """Parameters and statistics of each technique."""
    for name in own_names("techniques", technique_names()):
        technique = find_technique(name)
        yield f"\n# {technique.title}\n"
        yield f"`--set techniques={name}`. Fields, and statistics beside those above:\n"
        yield "| field or statistic | unit | default | meaning |"
        yield "| --- | --- | --- | --- |"
        for field_name, field in fields(technique.parameters, f"technique.{name}."):
            unit = (field.json_schema_extra or {}).get("unit", "")
            yield f"| {field_name} | {unit} | {field.default} | {field.description or ''} |"
        for stat in (*technique.statistics, *(stat for unit in technique.units for stat in unit.statistics)):
            yield f"| {stat.name} | {stat.unit} | {stat.formula} | {stat.description} |"


def quad_mappings_page() -> str:
    """Every quad mapping, as Markdown."""
    lines = [
        GENERATED + "# Quad mappings\n",
        "Which Fragment Processor shades which quad of a tile: `fragment_stage.quad_mapping`. The first four are this",
        "project's. The others are those of Fig. 6.3 of the Parallel Tile Rendering thesis, whose pictures are lost:",
        "they are rebuilt from their names and from what section 6.3 says. A mapping made for an order of tiles sets",
        "it; another `tiles.order` is refused. Some take turns tile by tile.\n",
        "| name | told by the thesis | rebuilt as | tiles in turn | tiles.order |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [f"| {m.name} | {m.told} | {m.rebuilt} | {m.variants} | {m.order or 'any'} |" for m in MAPPINGS]
    return "\n".join(lines) + "\n"


def statistics_page() -> str:
    """Every column of `tilegpu stats`, as Markdown."""
    lines = [
        GENERATED + "# Statistics of a workload\n",
        "What `tilegpu stats` prints: quotients of two counts, so that means over frames are those over everything",
        "counted. `--json` and `-o` have the counts, too. The papers count some things differently; the last column",
        "says whose tables count so: PTR, Tables 3.2 and 3.3 of the Parallel Tile Rendering thesis; VRO, Tables 3.3",
        "and 3.4 of the thesis on visibility rendering order and collisions; RE, Fig. 2 and 15a of Rendering",
        "Elimination. What no paper counts so is nearer to what the machine does: only primitives that are not culled",
        "have fragments, and a primitive is in the list of each tile that it overlaps.\n",
        "| column | unit | count | over | meaning | as counted by |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    lines += [f"| {c.name} | {c.unit} | {c.above} | {c.below} | {c.description} | {c.used_by} |" for c in COLUMNS]
    return (
        "\n".join(lines)
        + """
ALU per TEX cannot be a quotient of totals in the papers: Forest 2 has 7.53 in one and 15.21 in the other at equal
length of its programs. Survivors per covered pixel is the only reading under which Gravity and Sleepy Jack have more
survivors than fragments per pixel.

Inputs of a tile are what Rendering Elimination signs in full: vertices as shaded, program, state, textures and
constants of every primitive in it, in order. Tiles of frames that follow an upload count as different, as do those of
frames that do not draw the whole screen anew in one pass.
"""
    )


def cpu_page() -> str:
    """Every constant of the CPU that detects collisions, as Markdown."""
    return GENERATED + collision_constants_page()


def twins_page() -> str:
    """Every twin beside the papers' tables, as Markdown."""
    return GENERATED + workloads_page()


def redone_page() -> str:
    """The papers' experiments redone, as Markdown."""
    return GENERATED + studies_page()


def real_gpus_page() -> str:
    """Predicted beside measured frame times of real GPUs, as Markdown."""
    return GENERATED + accuracy_page(outcome_of("boards"))


def open_choices_page() -> str:
    """What hangs on constants that no paper gives, as Markdown."""
    return GENERATED + sensitivity_page()


def _type(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"list of {_type(kind.value_type)}"
    if pa.types.is_struct(kind):
        return "{" + ", ".join(f"{field.name}: {_type(field.type)}" for field in kind) + "}"
    return str(kind)


PAGES = {
    "accuracy.md": real_gpus_page,
    "activity.md": activity_page,
    "collision_constants.md": cpu_page,
    "configuration.md": configuration_page,
    "model/quad_mappings.md": quad_mappings_page,
    "model/sensitivity.md": open_choices_page,
    "statistics.md": statistics_page,
    "studies.md": redone_page,
    "workloads.md": twins_page,
}
"""Generated pages by file name."""

if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs")
    for name, page in PAGES.items():
        with whole_file(folder / name) as partial:
            partial.write_text(page())
