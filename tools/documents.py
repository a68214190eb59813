"""Pages of the documentation that follow from declarations: `python -m tilegpu.tools.documents docs` writes them."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from tilegpu.functional.activity import FORMAT_VERSION, TABLES
from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.characterize.schema import TABLES as COUNTS_OF_FRAMES
from tilegpu.timing.declare.quad_mappings import MAPPINGS
from tilegpu.timing.results.workload_columns import COLUMNS

from .arm_counters_page import arm_counters_page
from .blocks import BLOCKS, with_blocks
from .collision_constants import collision_constants_page
from .configuration_pages import PRESETS, index_page, machine_page, techniques_page
from .format_page import formats_page
from .studies.boards.document import accuracy_page
from .studies.catalogue import paper_names
from .studies.document import studies_page
from .studies.stored import outcome_of
from .studies.study_page import study_page
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
    """Every field of a hardware configuration, as Markdown."""
    return GENERATED + index_page()


def page_of_machine(name: str) -> Callable[[], str]:
    """Makes a machine's page."""
    return lambda: GENERATED + machine_page(name)


def page_of_study(name: str) -> Callable[[], str]:
    """Makes a study's page."""
    return lambda: GENERATED + study_page(name)


def page_of_techniques() -> str:
    """Fields and statistics of techniques, as Markdown."""
    return GENERATED + techniques_page()


def page_of_formats() -> str:
    """Every texture format, as Markdown."""
    return GENERATED + formats_page()


def quad_mappings_page() -> str:
    """Every quad mapping, as Markdown."""
    lines = [
        GENERATED + "# Quad mappings\n",
        "Which Fragment Processor shades which quad of a tile: `fragment_stage.quad_mapping`. The first four are this",
        "project's. The others are those of Fig. 6.3 of the Parallel Tile Rendering thesis, whose pictures are lost:",
        "they are rebuilt from their names and from what section 6.3 says. A mapping made for an order of tiles sets",
        "it; another `tiles.order` is refused. Some take turns tile by tile.\n",
        "| name | in the thesis | rebuilt as | tiles in turn | tiles.order |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [f"| {m.name} | {m.thesis} | {m.rebuilt} | {m.variants} | {m.order or 'any'} |" for m in MAPPINGS]
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


def frame_counts_page() -> str:
    """Every column of `tilegpu characterize`, as Markdown."""
    lines = [
        GENERATED + "# Counts of frames\n",
        "What `tilegpu characterize` writes: a folder with a Parquet file per table and `characterization.json`, which",
        "says of which capture they are (the metadata of the files, too). The counts are those of the full activity of",
        "the same frames. Frames that represent a long capture can be chosen by them. Operations and accesses say what",
        "frames depend on, so that chosen frames are recorded without the others.\n",
    ]
    for name, columns in COUNTS_OF_FRAMES.items():
        lines += [f"## {name}\n", "| column | type | meaning |", "| --- | --- | --- |"]
        lines += [f"| {c.name} | {_type(c.type)} | {c.description} |" for c in columns]
        lines.append("")
    return "\n".join(lines)


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


def page_of_counters() -> str:
    """Arm's counters by GPU, as Markdown."""
    return GENERATED + arm_counters_page()


def package_page() -> str:
    """The README for a package index, where links and pictures need an address, as Markdown."""
    root = Path(__file__).resolve().parents[1]
    for folder in (root, Path.cwd()):
        if (folder / "README.md").is_file():
            root = folder
    home = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Repository"]
    text = (root / "README.md").read_text("utf-8")
    text = re.sub(r"(!\[[^\]]*\]\()(?!https?:)", rf"\1{home}/raw/main/", text)
    return re.sub(r"(?<=\]\()(?!https?:|#)", f"{home}/blob/main/", text)


def _type(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"list of {_type(kind.value_type)}"
    if pa.types.is_struct(kind):
        return "{" + ", ".join(f"{field.name}: {_type(field.type)}" for field in kind) + "}"
    return str(kind)


PAGES = {
    "accuracy.md": real_gpus_page,
    "activity.md": activity_page,
    "arm_counters.md": page_of_counters,
    "collision_constants.md": cpu_page,
    "configuration.md": configuration_page,
    **{f"configuration/{name}.md": page_of_machine(name) for name in PRESETS},
    "configuration/techniques.md": page_of_techniques,
    "package.md": package_page,
    "frame_counts.md": frame_counts_page,
    "model/quad_mappings.md": quad_mappings_page,
    "statistics.md": statistics_page,
    "studies.md": redone_page,
    "texture_formats.md": page_of_formats,
    **{f"studies/{name}.md": page_of_study(name) for name in paper_names()},
    "workloads.md": twins_page,
}
"""Generated pages by file name."""


def write_pages(folder: Path) -> None:
    """Write all pages into the documentation, and generated blocks into pages beside and in it."""
    for name in BLOCKS:
        path = folder.parent / name
        text = with_blocks(name, path.read_text("utf-8"))
        with whole_file(path) as partial:
            partial.write_text(text, "utf-8")
    # One of them is the README in another form.
    for name, page in PAGES.items():
        with whole_file(folder / name) as partial:
            partial.write_text(page(), "utf-8")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1] if len(sys.argv) > 1 else "docs").resolve())
