"""Statistics of the geometry side and the tiling engine."""

from __future__ import annotations

from .declare import Stat, ratio

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
    Stat("gpu.draws", "draws", "draws, each instance counted", f"{CP}.draws"),
    Stat("gpu.passes", "passes", "passes rendered", f"{CP}.passes"),
    Stat("geometry.vertex_fetcher.vertices", "vertices", "vertices fetched to be shaded", f"{VF}.vertices"),
    Stat("geometry.vertex_fetcher.reused", "vertices", "vertices found shaded already", f"{VF}.reused"),
    Stat("geometry.vertex_fetcher.vertex_requests", "requests", "requests for attributes", f"{VF}.vertex_requests"),
    Stat("geometry.vertex_fetcher.index_requests", "requests", "requests for lines of indices", f"{VF}.index_requests"),
    Stat("geometry.vertex_processor.vertices", "vertices", "vertices shaded", "vertex_processor[].items"),
    Stat(
        "geometry.vertex_processor.busy_cycles",
        "cycles",
        "cycles in which a Vertex Processor issued, summed",
        "vertex_processor[].spent[0]",
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
    ratio(
        "tiling.primitives_per_tile",
        "primitives/tile",
        "mean length of the lists",
        "tiling.tile_fetcher.primitives",
        "tiling.tile_fetcher.tiles",
    ),
)
