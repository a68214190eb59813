"""Statistics of the Raster Units, summed over them."""

from __future__ import annotations

from .declare import Stat, ratio

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
                ("stalled", "waited for results, texels or code"),
                ("empty", "had no quad"),
                ("output", "waited to hand quads on"),
            )
        )
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
