"""The page on twins: what stands for which game, and how near it comes to the papers' tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from .check import FLAT, HALF, NEAR, PRODUCT, SOLID, VARIATION
from .measure import MOMENTS, SINGLE_TILE_SHARE
from .page_seeds import seeds_section
from .page_textures import textures_section
from .page_unsolved import unsolved_section
from .phases import SESSION
from .texels import NEAR_REUSE, TEXEL_TRAFFIC
from .twin import FILTERS, Twin
from .twin_files import find_twin, twin_names

STAND_INS = "No figures are published; stand-ins at 800x480: "
"""Beginning of the source of a twin whose game has no published figures."""
MEASURED = "measured.json"
"""Output of `tilegpu workloads check --all --json`."""
SHORT = {
    "draw_calls_per_frame": "draws",
    "vertex_instructions_per_vertex": "VS",
    "primitives_per_draw": "prims/draw",
    "assembled_primitives_per_tile": "prims/tile",
    "input_primitives_per_frame": "prims in",
    "output_primitives_per_frame": "prims out",
    "culled_share": "culled",
    "visible_primitives_per_frame": "visible",
    "fragments_per_assembled_primitive": "frags/prim",
    "attributes_per_primitive": "attributes",
    "attributes_per_fragment": "attributes",
    "fragment_instructions_per_fragment": "FS",
    "alu_per_texture_instruction_of_draws": "ALU/TEX",
    "texels_per_fragment": "texels",
    "survivors_per_pixel": "survivors",
    "survivors_per_covered_pixel": "survivors",
    "hidden_share": "hidden",
    "hidden_by_own_object_share": "hidden by own",
    "hidden_instruction_share": "hidden work",
    SINGLE_TILE_SHARE: "one tile",
    TEXEL_TRAFFIC: "texel traffic",
    PRODUCT: "product",
    "equal_color_tiles_distance_1": "equal colours, 1",
    "equal_color_tiles_distance_2": "equal colours, 2",
    "equal_input_tiles_distance_1": "equal inputs, 1",
    "equal_input_tiles_distance_2": "equal inputs, 2",
}
TRAITS = "programs", "textures", "objects", "primitives_in_largest_tenth", "variation_of_work_per_tile", NEAR_REUSE


def measured() -> dict[str, Any]:
    """The committed results of a check of all twins."""
    text = files("tilegpu.data").joinpath("workloads", MEASURED).read_text(encoding="utf-8")
    results: dict[str, Any] = json.loads(text)
    return results


def workloads_page() -> str:
    """The page, as Markdown; what it measures was committed beside the twins."""
    results, twins = measured(), [find_twin(name) for name in twin_names()]
    lines = [
        "# Workloads that look to a GPU as the papers' games do\n",
        "The papers draw their conclusions from commercial games. What is published of each is how it looks to a GPU.",
        "A *twin* is a scene of our own with the same numbers: the same draws, primitives, fragments, instructions,",
        "varyings and texels, at the game's own screen size, drawn with real OpenGL ES calls.\n",
        "![Two frames of every twin](workloads.jpg)\n",
        "```sh",
        "tilegpu workloads list",
        "tilegpu workloads make 000-bbr -o bbr.trace            # 60 frames, which apitrace plays, too; of models 220",
        "tilegpu workloads make 000-bbr --size 1920x1080        # the same scene on another screen, in the cache",
        "tilegpu workloads check 000-bbr 003-temple             # beside the papers' tables; status 1 where one is off",
        "tilegpu workloads show --all -o twins.jpg",
        "tilegpu workloads clean                                # keep the cache to its limit; --all empties it",
        "```\n",
        *_how(),
        *textures_section([t for t in twins if t.name.startswith("000")]),
        "## How near they come\n",
        "Measured with `tilegpu workloads check --all --json` on frames spread over the 60, none of them solved on",
        f"(`data/workloads/{MEASURED}`). Deviations in per cent of the published figure; a column may be off by 10 %,",
        "the product of draws, primitives and fragments by 5 %. What is in parentheses gives way; why is told below.\n",
    ]
    for paper, title in (
        ("000", "Parallel Tile Rendering, Tables 3.2 and 3.3"),
        ("003", "Visibility and collisions, Tables 3.3 and 3.4"),
    ):
        lines += _table(f"### {title}\n", [t for t in twins if t.name.startswith(paper)], results)
    lines += _stand_ins([t for t in twins if t.name.startswith("002")], results)
    lines += _tiles([t for t in twins if t.name.startswith("001")], results)
    games = [t for t in twins if not t.is_model]
    lines += [*_traits(games, results), *_gives_way(games, results), *unsolved_section(), *seeds_section()]
    return "\n".join([*lines, *_models([t for t in twins if t.is_model], results)])


def _how() -> list[str]:
    low, high = VARIATION
    return [
        "## How they are made\n",
        "A family (`tools/workloads/families/`) lays out things, a camera and a palette; a TOML file",
        "(`data/workloads/`) holds the targets, where they come from, and the solved parameters. Each column has a",
        "knob of its own, so that solving takes three or four measurements:\n",
        "| column | knob |",
        "| --- | --- |",
        "| draws | things in the scene, one draw each |",
        "| primitives | triangles of meshes that can have any number; the largest tenth of draws has most |",
        "| fragments, survivors | areas of layers behind the scene, drawn last and mostly hidden, and"
        " of translucent ones before it |",
        "| hidden share | area of walls, mounds and boughs all over the screen, rank behind rank, drawn from the back;"
        " where there is too much already, more of the scene is drawn from the front |",
        "| hidden by own object | area of pieces in four parts, one draw, hindmost first |",
        "| hidden work: instructions that an order of the objects saves | programs of the roles that hide each other |",
        "| output primitives | level geometry behind the eye |",
        "| culled share | primitives of closed meshes, which have back faces, and of open ones |",
        "| instructions, attributes, texels | programs of exact size and filters, one for each of eight roles, chosen"
        " by the weights that the roles were measured to have |",
        "| one tile: texture blocks that one tile uses | things with images of their own, size of the images |",
        "| texel traffic: share of what Fragment Processors read, on the machine `vro-2018` | the same |\n",
        "Textures are painted by formula, with mipmaps where nothing else is said, compressed as ETC1 where they have",
        "no alpha ([textures](#textures)); vertices are in static buffers, triangles in an order that uses shaded",
        "vertices again (Sander et al., SIGGRAPH 2007); draws carry debug labels.",
        "Captain America, Crazy Snowboard, Sleepy Jack and Temple Run have",
        "things that run into each other: those of the roles that `collisionable` names have labels that say so,"
        " and `crowd` has how their heroes stand, for as many faces over each pixel as the thesis' Table 5.3 tells."
        " OpenGL ES 1.1 twins use its fixed functions alone.\n",
        f"A twin is no toy: {SOLID['programs']} programs, {SOLID['textures']} textures, {SOLID['objects']} objects",
        f"at least ({FLAT['programs']}, {FLAT['textures']} and {FLAT['objects']} in two dimensions), {HALF:.0%} of the",
        f"primitives in the largest tenth of the draws, work per tile with a coefficient of variation of {low} to",
        f"{high}, sky and ground apart, near reuse of texels ([below](#what-is-not-solved-beside-applications)) of",
        f"{NEAR[0]} to {NEAR[1]}, as captured games have 0.76 and 0.91.",
        "Which papers count what how is told in [statistics](statistics.md).\n",
        "## One of your own\n",
        "Copy a TOML file, change its targets and `tilegpu workloads solve my_game.toml`; the other verbs take",
        'the file in place of a name. With `family = "my_family.py"` a Python file beside it lays out the scene: its',
        "function `world(twin, room)` returns a `scene.World` with `room` things or fewer. Such a file is run, so take",
        "it from no one whom you do not trust.\n",
        "## Phases\n",
        "Long captures of games have phases. `[[phases]]` in a file, or `+session` behind a twin's name, gives some:",
        "which layers and which share of the scene are drawn, how fast the animation goes, how far the camera zooms.",
        f"`session` is ours, since no paper describes phases: {_told_phases()}.",
        "After the last frame they come round, and the animation goes on: `tilegpu workloads make 000-how+session",
        "--frames 2000`.\n",
        "Traces are kept in the user's cache folder up to 4 GiB (`TILEGPU_CACHE_MIB`); what was used longest ago goes",
        "first.\n",
    ]


def _told_phases() -> str:
    return ", ".join(f"{phase.frames} frames of {phase.name}" for phase in SESSION)


def _table(title: str, twins: list[Twin], results: dict[str, Any]) -> Iterator[str]:
    yield title
    columns = [*next(iter(twins)).targets, PRODUCT]
    yield "| twin | stands for | screen | " + " | ".join(SHORT[c] for c in columns) + " |"
    yield "| --- | --- | --- | " + " | ".join("---:" for _ in columns) + " |"
    for twin in twins:
        columns_of_twin = results[twin.name]["columns"]
        cells = " | ".join(_cell(columns_of_twin, column) for column in columns)
        yield f"| {twin.name} | {twin.title} | {twin.width}x{twin.height} | {cells} |"
    yield ""


def _cell(columns: dict[str, Any], column: str) -> str:
    """Deviation of a column; games of which a part of the screen stays empty count survivors per covered pixel."""
    if column == "survivors_per_pixel" and column not in columns:
        column = "survivors_per_covered_pixel"
    return _deviation(columns[column]) if column in columns else ""


def _stand_ins(twins: list[Twin], results: dict[str, Any]) -> Iterator[str]:
    yield from _table("### Decoupled Access/Execute, section 4: targets are stand-ins\n", twins, results)
    yield "The paper names eight games, their kind and their screen, and publishes no figures of them. So figures of"
    yield "other games of the same kind and age stand in, from the tables above; fragments per primitive are scaled by"
    yield "the screen's pixels. They were chosen by kind, before any machine ran them. That games sample their textures"
    yield "in different ways, and some with antialiasing, the paper tells; which ones do is our choice, too.\n"
    yield "| twin | OpenGL ES | filters | mipmaps | samples per pixel | figures of |"
    yield "| --- | ---: | --- | --- | ---: | --- |"
    for twin in twins:
        used = {program.filter for program in twin.solved.program.values()}
        filters = ", ".join(name for name in FILTERS if name in used)
        version = "1.1" if twin.api == "es1" else "2.0"
        application = twin.source.removeprefix(STAND_INS).partition(" (")[0]
        yield f"| {twin.name} | {version} | {filters} | {_yes(twin.mipmaps)} | {twin.samples} | {application} |"
    yield ""
    yield "The paper's traces are those of Android's software renderer, which is one of OpenGL ES 1.x: fixed"
    yield "functions, two texture units, one sample, no filter between mipmaps, 16 bits of depth. Windows of RGB565 and"
    yield "depths of 16 bits are the twins' own. `+fixed` behind a name, as in `002-quake2+fixed`, gives the same scene"
    yield "with fixed functions, which are solved for: draws, primitives, fragments, attributes and texels stay within"
    yield "10 % of the targets, and instructions give way. `+window-rgba8` gives a window of 32 bits.\n"


def _yes(true: bool) -> str:
    return "yes" if true else "no"


def _deviation(entry: dict[str, Any]) -> str:
    text = f"{entry['deviation'] * 100:+.1f}"
    return f"({text})" if "gives_way" in entry else text


def _tiles(twins: list[Twin], results: dict[str, Any]) -> Iterator[str]:
    yield "### Rendering Elimination, Fig. 2 and 15a\n"
    yield "Shares of tiles of 16x16 pixels with the colours, or the inputs, of one and of two frames before. The"
    yield "figures' values are lost, their text is kept: over 90 % equal colours in the first five (Fig. 2), most"
    yield "equal inputs in cde and ccs (V), many equal colours with other inputs in hop, where black stays black"
    yield "(V-A); 50 % equal inputs and 12 % equal colours with other inputs over all ten; the last four behave"
    yield "like the first in some phases and like mst in others (Fig. 15a), and of them abi has a small percentage"
    yield "of equal inputs (V-A). So csn, ter and tib have about 11 % and 20 %: a camera that stands still for 9 of"
    yield "60 frames, each in its own (`motion.start`), and before it a backdrop whose upper part has one colour,"
    yield "so that moving the camera changes inputs and no colours there (`motion.plain`); abi's stands still for"
    yield "3. A sheet in hop's black moves (`motion.drift`). Sprites of the games in two dimensions are quads that"
    yield "share no vertices. How many primitives the moving sprites have is not told: `motion.density` is 1, as"
    yield "dense as those that stand, and studies may vary it."
    yield f"Frames {', '.join(map(str, MOMENTS))} stand for all 60.\n"
    kinds = [name for name in SHORT if name.startswith("equal_")]
    yield "| twin | stands for | " + " | ".join(SHORT[kind] for kind in kinds) + " |"
    yield "| --- | --- | " + " | ".join("---:" for _ in kinds) + " |"
    total = dict.fromkeys(kinds, 0.0)
    for twin in twins:
        columns = results[twin.name]["columns"]
        for kind in kinds:
            total[kind] += columns[kind]["measured"] / len(twins)
        cells = " | ".join(f"{columns[kind]['measured']:.0%}" for kind in kinds)
        yield f"| {twin.name} | {twin.title} | {cells} |"
    yield "| mean | | " + " | ".join(f"{total[kind]:.0%}" for kind in kinds) + " |\n"


def _models(twins: list[Twin], results: dict[str, Any]) -> Iterator[str]:
    yield "\n## Models\n"
    yield "Emerald's case studies (Tables 6 and 8) draw single models and no games: W1 to W6 are textured, W5 is"
    yield "translucent, and of M1 to M4 no more than the names is told. Here they are made by formula"
    yield "(`tools/workloads/models/`), and stand for the originals by what they are and by the number of their"
    yield "triangles, which `tilegpu workloads check` sets beside the source's; no mesh is copied. Only the teapot is"
    yield "the original: its 32 patches are published numbers. Where no source tells a number of triangles, ours is"
    yield "an assumption; so are textures of 512 x 512 texels with trilinear filters, the programs, the movements,"
    yield "and the screen of W1 to W6, which is that of M1 to M4 (Table 5). `width`, `height`, `texture_scale`,"
    yield "`mipmaps`, `filters` and `frames` change them.\n"
    yield "A trace holds 220 frames in which a model turns to both sides and back, or the camera walks; buffers and"
    yield "textures are loaded once, then frames send matrices and one or two draws.\n"
    yield "![Two frames of every model](models.jpg)\n"
    yield "| twin | stands for | triangles a frame | ours | % | draws | source |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | --- |"
    for twin in twins:
        columns = results[twin.name]["columns"]
        triangles, draws = columns["input_primitives_per_frame"], columns["draw_calls_per_frame"]
        numbers = f"{triangles['target']:,.0f} | {triangles['measured']:,.0f} | {_deviation(triangles)}"
        yield f"| {twin.name} | {twin.title} | {numbers} | {draws['measured']:.0f} | {twin.source} |"
    yield ""


def _traits(twins: list[Twin], results: dict[str, Any]) -> Iterator[str]:
    yield "### No toys\n"
    yield "| twin | " + " | ".join(trait.replace("_", " ") for trait in TRAITS) + " |"
    yield "| --- | " + " | ".join("---:" for _ in TRAITS) + " |"
    for twin in twins:
        columns = results[twin.name]["columns"]
        cells = (f"{columns[trait]['measured']:.4g}" if trait in columns else "" for trait in TRAITS)
        yield f"| {twin.name} | " + " | ".join(cells) + " |"
    yield ""


def _gives_way(twins: list[Twin], results: dict[str, Any]) -> Iterator[str]:
    yield "### What gives way\n"
    for twin in twins:
        for column, why in twin.gives_way.items():
            entry = results[twin.name]["columns"].get(column)
            off = f", {entry['deviation']:+.1%}" if entry else ""
            yield f"- {twin.name}, {column.replace('_', ' ')}{off}: {why}"
