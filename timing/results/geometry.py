"""Statistics of the geometry side and the tiling engine."""

from __future__ import annotations

from .declare import Stat, ratio, spent

CP, VF, PA, PLB, TF = (
    "command_processor",
    "vertex_fetcher",
    "primitive_assembly",
    "polygon_list_builder",
    "tile_fetcher",
)

STATS = (
    Stat("gpu.cycles", "cycles", "GPU cycles the frame took", "cycle"),
    Stat(
        "gpu.geometry_cycles",
        "cycles",
        "cycles from a pass's first command to its last binned primitive",
        f"{CP}.geometry_cycles",
    ),
    Stat(
        "gpu.raster_cycles", "cycles", "cycles from a pass's first tile to its last flushed one", f"{CP}.raster_cycles"
    ),
    Stat(
        "gpu.transfer_cycles",
        "cycles",
        "cycles in which a pass waited for uploads, copies and mipmaps",
        f"{CP}.transfer_cycles",
    ),
    Stat("gpu.draws", "draws", "draws, each instance counted", f"{CP}.draws"),
    Stat("gpu.passes", "passes", "passes rendered", f"{CP}.passes"),
    Stat("geometry.command_processor.requests", "requests", "requests for lines of commands", f"{CP}.requests"),
    Stat("gpu.transfer_unit.moves", "moves", "uploads, copies, blits and levels of mipmaps", "transfer_unit.moves"),
    Stat("geometry.vertex_fetcher.vertices", "vertices", "vertices fetched to be shaded", f"{VF}.vertices"),
    Stat("geometry.vertex_fetcher.reused", "vertices", "vertices found shaded already", f"{VF}.reused"),
    Stat("geometry.vertex_fetcher.vertex_requests", "requests", "requests for attributes", f"{VF}.vertex_requests"),
    Stat("geometry.vertex_fetcher.index_requests", "requests", "requests for lines of indices", f"{VF}.index_requests"),
    Stat("geometry.vertex_processor.vertices", "vertices", "vertices shaded", "vertex_processor[].items"),
    *(
        Stat(
            f"geometry.vertex_processor.{cause}_cycles",
            "cycles",
            f"cycles in which a Vertex Processor {what}, summed",
            f"vertex_processor[].spent[{i}]",
        )
        for i, (cause, what) in enumerate(
            (
                ("busy", "issued an instruction"),
                ("texel_stall", "waited, a vertex for texels"),
                ("code_stall", "waited, a vertex for code"),
                ("result_stall", "waited for results of its own"),
                ("empty", "had no vertex"),
                ("output", "waited for room in the output queue"),
            )
        )
    ),
    *(
        Stat(
            f"geometry.vertex_processor.{kind}_instructions",
            "instructions",
            f"{kind} instructions issued for vertices",
            f"vertex_processor[].instructions[{i}]",
        )
        for i, kind in enumerate(("alu", "sfu", "tex", "flow"))
    ),
    Stat(
        "geometry.primitive_assembly.primitives",
        "primitives",
        "primitives assembled, culled ones and parts of clipped ones among them",
        f"{PA}.primitives",
    ),
    Stat("geometry.primitive_assembly.culled", "primitives", "primitives culled", f"{PA}.culled"),
    Stat(
        "tiling.polygon_list_builder.primitives",
        "primitives",
        "primitives written to the Parameter Buffer, clears among them",
        f"{PLB}.primitives",
    ),
    Stat("tiling.polygon_list_builder.pointers", "pointers", "pointers written to lists of tiles", f"{PLB}.pointers"),
    Stat("tiling.polygon_list_builder.record_writes", "writes", "writes of attributes", f"{PLB}.record_writes"),
    Stat("tiling.tile_fetcher.tiles", "tiles", "tiles fetched", f"{TF}.tiles"),
    Stat("tiling.tile_fetcher.primitives", "primitives", "primitives fetched, once per tile", f"{TF}.primitives"),
    Stat("tiling.tile_fetcher.pointer_requests", "requests", "requests for pointers", f"{TF}.pointer_requests"),
    Stat("tiling.tile_fetcher.attribute_requests", "requests", "requests for attributes", f"{TF}.attribute_requests"),
    Stat("tiling.tile_fetcher.skipped_tiles", "tiles", "tiles that a technique left out", f"{TF}.skipped"),
    Stat(
        "tiling.polygon_list_builder.attributes",
        "attributes",
        "attributes of the primitives written",
        f"{PLB}.attributes",
    ),
    *spent("geometry.vertex_fetcher", "the Vertex Fetcher", VF),
    *spent("geometry.primitive_assembly", "Primitive Assembly", PA),
    *spent("tiling.polygon_list_builder", "the Polygon List Builder", PLB),
    *spent("tiling.tile_fetcher", "the Tile Fetcher", TF),
    ratio(
        "gpu.raster_share",
        "ratio",
        "share of the time that is spent in raster stages (Fig. 5.1)",
        "gpu.raster_cycles",
        "gpu.cycles",
    ),
    ratio(
        "tiling.attributes_per_primitive",
        "attributes/primitive",
        "attributes of a primitive, the position among them (Fig. 4.1)",
        "tiling.polygon_list_builder.attributes",
        "tiling.polygon_list_builder.primitives",
    ),
    ratio(
        "tiling.primitives_per_tile",
        "primitives/tile",
        "mean length of the lists (Fig. 4.2)",
        "tiling.tile_fetcher.primitives",
        "tiling.tile_fetcher.tiles",
    ),
)
