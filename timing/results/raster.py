"""Statistics of the Raster Units, summed over them."""

from __future__ import annotations

from .declare import Stat, ratio, spent, total

R, Z, B = "raster_unit[].rasterizer", "raster_unit[].early_depth", "raster_unit[].blending"
P, T = "raster_unit[].processor[]", "texture_unit[]"

STATS = (
    Stat("raster.rasterizer.primitives", "primitives", "primitives rasterized, once per tile", f"{R}.primitives"),
    Stat("raster.rasterizer.quads", "quads", "quads rasterized", f"{R}.quads"),
    Stat("raster.early_depth.quads", "quads", "quads that entered the early test", f"{Z}.quads"),
    Stat(
        "raster.early_depth.killed_quads",
        "quads",
        "quads that no sample of survived the early test",
        f"{Z}.killed_quads",
    ),
    Stat("raster.early_depth.survived_quads", "quads", "quads that went on to shading", f"{Z}.survived_quads"),
    Stat("raster.early_depth.late_quads", "quads", "quads let through, to be tested after shading", f"{Z}.late_quads"),
    Stat(
        "raster.early_depth.mismatched_quads",
        "quads",
        "quads whose outcome was not that of program order",
        f"{Z}.mismatched_quads",
    ),
    Stat("raster.early_depth.fragments", "samples", "covered samples that entered the early test", f"{Z}.fragments"),
    Stat(
        "raster.early_depth.killed_fragments",
        "samples",
        "covered samples that failed the early test",
        f"{Z}.killed_fragments",
    ),
    Stat("raster.early_depth.clears", "clears", "clears between draws, once per tile", f"{Z}.clears"),
    Stat("raster.depth_buffer.reads", "accesses", "quads read from the depth buffer", f"{Z}.buffer.reads"),
    Stat("raster.depth_buffer.writes", "accesses", "quads written to the depth buffer", f"{Z}.buffer.writes"),
    Stat("fragment.processor.quads", "quads", "quads shaded", f"{P}.items"),
    Stat(
        "fragment.processor.unrecorded_quads",
        "quads",
        "quads to shade whose path was not recorded: no instruction is issued",
        f"{P}.unrecorded",
    ),
    *(
        Stat(
            f"fragment.processor.{kind}_instructions",
            "instructions",
            f"{kind} instructions issued for quads",
            f"{P}.instructions[{i}]",
        )
        for i, kind in enumerate(("alu", "sfu", "tex", "flow"))
    ),
    *(
        Stat(
            f"fragment.processor.{kind}_cycles",
            "cycles",
            f"cycles in which a Fragment Processor {what}, summed",
            f"{P}.spent[{i}]",
        )
        for i, (kind, what) in enumerate(
            (
                ("busy", "issued an instruction"),
                ("texel_stall", "waited, a quad for texels"),
                ("code_stall", "waited, a quad for code and none for texels"),
                ("result_stall", "waited for results of its own only"),
                ("empty", "had no quad"),
                ("output", "waited to hand quads on"),
            )
        )
    ),
    Stat(
        "fragment.barrier.tiles",
        "tiles",
        "tiles that any instruction was issued for",
        "raster_unit[].busy_tiles",
    ),
    Stat(
        "fragment.barrier.imbalance_sum",
        "ppm",
        "standard deviation over mean of the processors' issuing cycles, summed over tiles",
        "raster_unit[].imbalance_ppm",
    ),
    Stat("fragment.processor.instruction_fetches", "requests", "lines of code asked for", f"{P}.instruction_fetches"),
    Stat("fragment.texture_unit.operations", "operations", "texture operations of quads", f"{T}.operations"),
    Stat("fragment.texture_unit.probes", "probes", "bilinear quads filtered", f"{T}.probes"),
    Stat("fragment.texture_unit.lines", "requests", "lines looked up in the texture caches", f"{T}.lines"),
    Stat("raster.late_depth.killed_quads", "quads", "shaded quads that failed the late test", f"{B}.late_killed_quads"),
    Stat(
        "raster.late_depth.discarded_quads", "quads", "shaded quads that the shader discarded", f"{B}.discarded_quads"
    ),
    Stat(
        "raster.late_depth.mismatched_quads",
        "quads",
        "quads whose outcome was not that of program order",
        f"{B}.mismatched_quads",
    ),
    Stat("raster.blending.quads", "quads", "quads blended", f"{B}.quads"),
    Stat("raster.blending.fragments", "samples", "samples blended", f"{B}.fragments"),
    Stat("raster.tile_flush.tiles", "tiles", "tiles flushed", "tile_flush.tiles"),
    Stat("raster.tile_flush.lines", "requests", "lines written", "tile_flush.transfer.lines"),
    Stat(
        "raster.rasterizer.attributes",
        "attributes",
        "attributes of primitives rasterized, once per tile",
        f"{R}.attributes",
    ),
    Stat(
        "raster.color_buffer.reads", "accesses", "quads read from the colour buffer, to be blended with", f"{B}.reads"
    ),
    *spent("raster.rasterizer", "a Rasterizer", R),
    *spent("raster.early_depth", "an early depth test", Z),
    *spent("fragment.texture_unit", "a texture unit", T),
    *spent("raster.blending", "a blending unit", B),
    *spent("raster.tile_flush", "the tile flush", "tile_flush"),
    total(
        "fragment.processor.stalled_cycles",
        "cycles",
        "cycles in which a Fragment Processor waited for results, texels or code, summed",
        "fragment.processor.texel_stall_cycles",
        "fragment.processor.code_stall_cycles",
        "fragment.processor.result_stall_cycles",
    ),
    total(
        "fragment.processor.active_cycles",
        "cycles",
        "cycles in which a Fragment Processor had a quad, summed (Fig. 5.4)",
        "fragment.processor.busy_cycles",
        "fragment.processor.stalled_cycles",
        "fragment.processor.output_cycles",
    ),
    Stat(
        "fragment.processor.memory_share",
        "ratio",
        "share of the active cycles in which some quad waited for texels or code (Fig. 5.8); the rest is computing",
        "",
        "(fragment.processor.texel_stall_cycles + fragment.processor.code_stall_cycles)"
        " / fragment.processor.active_cycles",
        lambda v: (
            (v["fragment.processor.texel_stall_cycles"] + v["fragment.processor.code_stall_cycles"])
            / max(1, v["fragment.processor.active_cycles"])
        ),
    ),
    total(
        "fragment.processor.instructions",
        "instructions",
        "instructions issued for quads",
        *(f"fragment.processor.{kind}_instructions" for kind in ("alu", "sfu", "tex", "flow")),
    ),
    ratio(
        "fragment.imbalance",
        "ratio",
        "standard deviation over mean of the processors' issuing cycles in a tile, mean over tiles (Fig. 6.5)",
        "fragment.barrier.imbalance_sum",
        "fragment.barrier.tiles",
        1e-6,
    ),
    ratio(
        "fragment.quads_per_tile",
        "quads/tile",
        "quads shaded per tile: a quad has up to four fragments",
        "fragment.processor.quads",
        "raster.tile_flush.tiles",
    ),
    Stat(
        "fragment.fragments_per_tile",
        "fragments/tile",
        "fragments that survive early depth per tile (Fig. 5.10)",
        "",
        "(raster.early_depth.fragments - raster.early_depth.killed_fragments) / raster.tile_flush.tiles",
        lambda v: (
            (v["raster.early_depth.fragments"] - v["raster.early_depth.killed_fragments"])
            / max(1, v["raster.tile_flush.tiles"])
        ),
    ),
    ratio(
        "raster.early_depth.kill_rate",
        "ratio",
        "share of quads that the early test kills",
        "raster.early_depth.killed_quads",
        "raster.early_depth.quads",
    ),
    ratio(
        "fragment.texture_unit.lines_per_operation",
        "lines/operation",
        "lines looked up per texture operation",
        "fragment.texture_unit.lines",
        "fragment.texture_unit.operations",
    ),
)
