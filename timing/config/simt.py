"""Configuration of what only the machine `simt` has (Gubran and Aamodt, ISCA 2019: Emerald, 3.3)."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.parameters import Group, choice, number
from tilegpu.timing.declare.records import MAX_CLUSTERS, MAX_SIMT_THREADS, MAX_SIMT_WARPS

from ..units.pixel_launcher import MAX_BLOCKS
from ..units.pmrb import MAX_MASKS


class SimtCore(Group):
    """SIMT cores, one in each cluster."""

    clusters: int = number(6, "clusters", "clusters of one SIMT core each [Emerald, Table 7]", 1, MAX_CLUSTERS)
    max_threads: int = number(
        2048,
        "threads",
        "threads of a core, 32 in a warp [Emerald, Table 7]",
        MAX_SIMT_THREADS,
        MAX_SIMT_WARPS * MAX_SIMT_THREADS,
    )
    registers: int = number(65536, "registers", "32-bit registers of a core [Emerald, Table 7]", 1024, 1 << 20)
    schedulers: int = number(
        1,
        "schedulers",
        "warp schedulers; each issues a scalar instruction of one of its warps per cycle [Emerald, Table 7: 192 lanes "
        "in six clusters, so one]",
        1,
        4,
    )
    alu_latency: int = number(6, "cycles", "from issue to use of an arithmetic result", 1, 1000, silent=(4, 20))
    sfu_latency: int = number(16, "cycles", "the same of a special function", 1, 1000, silent=(8, 40))
    sfu_cycles: int = number(4, "cycles", "time in which a warp's special functions are issued", 1, 32, silent=(1, 8))
    flow_latency: int = number(6, "cycles", "from a jump to the next instruction of the warp", 1, 1000, silent=(1, 12))
    scheduler: Literal["round_robin", "greedy_oldest"] = choice(
        "greedy_oldest",
        "which warp issues: each in turn; or the same one as long as it can, then the oldest",
        silent=("round_robin",),
    )
    operations: int = number(
        8, "operations", "memory operations of warps under way, of each kind of cache", 1, 16, silent=(4, 16)
    )
    blended_depth: Literal["tested", "untested"] = choice(
        "tested",
        "depths and stencil values of fragments that are blended: tested in the program as others; or neither loaded "
        "nor stored, as in the authors' public simulator, which tests nothing with blending; outcomes stay as recorded",
    )
    load_latency: int = number(4, "cycles", "from the last line to the use of what was loaded", 0, 1000, silent=(1, 20))

    @property
    def warps(self) -> int:
        """Warps of a core."""
        return self.max_threads // MAX_SIMT_THREADS


class VertexLauncher(Group):
    """Distribution of vertices to the SIMT cores."""

    vertices: Literal["stream", "distinct"] = choice(
        "stream",
        "what a warp of vertices holds: the next ones of the stream, those that primitives share twice [Emerald, "
        "3.3.3]; or each vertex once as long as there is room for the next primitive",
    )
    batch_warps: int = number(1, "warps", "warps in a row that go to the same core", 1, 64, silent=(1, 8))
    draws: int = number(4, "draws", "draws waiting", 1, 16, silent=(1, 16))


class Vpo(Group):
    """Vertex Processing and Operations: bounding boxes, masks of primitives, and their order."""

    distribution: Literal["masks", "central", "given"] = choice(
        "masks",
        "a VPO unit in each cluster sends masks of primitives to all; or one unit for all sends each primitive to the "
        "clusters that it may cover [Emerald, 3.3.4; 5.2]; or every cluster has all primitives of a draw when it "
        "begins, and vertices cost nothing, as in the authors' public simulator of 2018",
    )
    warps: int = number(4, "warps", "buffers for warps of shaded vertices", 1, 16, silent=(1, 8))
    primitives_per_cycle: int = number(1, "primitives/cycle", "bounding boxes computed per cycle", 1, 32, silent=(1, 4))
    mask_cycles: int = number(8, "cycles", "what a mask takes from one cluster to another", 0, 1000, silent=(2, 40))
    masks: int = number(
        64,
        "masks",
        "masks in the reorder buffer (PMRB) of a cluster: so many warps of vertices are under way",
        1,
        MAX_MASKS,
        silent=(16, MAX_MASKS),
    )
    phases: Literal["overlapped", "apart"] = choice(
        "overlapped",
        "with central distribution: primitives follow as soon as their vertices are shaded; or only when those of the "
        "draw are, or as many as the output vertex buffer holds, and further vertices when all of them are drawn, as "
        "in the authors' public simulator of the first case study",
    )
    output_vertices: int = number(
        9216,
        "vertices",
        "vertices of warps under way that the central output vertex buffer has room for [Emerald, Table 5: 9K]",
        MAX_SIMT_THREADS,
        1 << 20,
    )
    primitives: int = number(
        64, "primitives", "primitives waiting in a cluster, with central distribution", 1, 256, silent=(16, 256)
    )


class Setup(Group):
    """Primitive setup of each cluster, which fetches vertices from the L2."""

    in_flight: int = number(8, "primitives", "primitives whose vertices are being fetched", 1, 32, silent=(2, 32))
    lines: int = number(8, "lines", "lines of vertices that are kept, the latest", 1, 32, silent=(1, 32))
    latency: int = number(4, "cycles", "from the last vertex to the first raster tile", 1, 1000, silent=(1, 20))


class Raster(Group):
    """Coarse and fine rasterization and Hi-Z of each cluster: raster tiles of 4x4 pixels."""

    tiles_per_cycle: int = number(1, "tiles/cycle", "raster tiles per cycle [Emerald, Table 7]", 1, 8)
    latency: int = number(8, "cycles", "from setup through both to the tile coalescing stage", 1, 1000, silent=(2, 20))
    pipeline: Literal["clusters", "central"] = choice(
        "clusters",
        "what rasterizes: each cluster its own part of the screen [Emerald, 3.3.5]; or one rasterizer for all, with a "
        "depth unit and a pixel launcher behind it, as in the authors' public simulator of the first case study",
    )
    hi_z: Literal["on", "off"] = choice(
        "on", "whether raster tiles behind all that is there are left out [Emerald, 3.3.1]"
    )
    in_front: Literal["tested", "stored"] = choice(
        "tested",
        "depths of raster tiles in front of all that is there, by Hi-Z: loaded and tested as others; or only stored, "
        "as in the authors' public simulator",
    )

    @model_validator(mode="after")
    def _fits(self) -> Raster:
        if self.in_front == "stored" and self.hi_z == "off":
            raise UserError("in_front = stored needs Hi-Z: set hi_z = on")
        return self


class DepthUnit(Group):
    """Depth unit behind a central rasterizer, with the only depth cache (gem5-graphics_v1)."""

    samples_per_cycle: int = number(64, "samples/cycle", "samples tested per cycle [gem5-graphics_v1]", 16, 1024)
    writes_per_cycle: int = number(1, "depths/cycle", "depths written per cycle [gem5-graphics_v1]", 1, 64)
    in_flight: int = number(64, "tiles", "raster tiles whose depths are being read; 1024 reads there", 1, 256)
    queue: int = number(16, "tiles", "raster tiles waiting", 1, 64)


class PixelLauncher(Group):
    """Launcher of pixel tiles behind the depth unit (gem5-graphics_v1)."""

    side_pixels: int = number(32, "pixels", "on a side of a pixel tile [Emerald, Table 5]", 8, 64)
    block_threads: int = number(
        256, "threads", "of a block, which a core takes as a whole [gem5-graphics_v1]", MAX_SIMT_THREADS, 1024
    )
    launch_cycles: int = number(
        238, "cycles", "from the last depth of a pixel tile to its launch: 0.25 us [gem5-graphics_v1]", 0, 100_000
    )
    pixel_tiles: int = number(4, "tiles", "pixel tiles waiting", 1, 8)

    @model_validator(mode="after")
    def _fits(self) -> PixelLauncher:
        if self.side_pixels & (self.side_pixels - 1) or self.block_threads % MAX_SIMT_THREADS:
            raise UserError("side_pixels must be a power of two, and block_threads whole warps")
        if -(-(self.side_pixels**2) // self.block_threads) * self.pixel_tiles > MAX_BLOCKS:
            raise UserError(f"pixel tiles waiting may have {MAX_BLOCKS} blocks together: lower pixel_tiles")
        return self


class TileCoalescing(Group):
    """Tile coalescing stage (TC) of each cluster, and which cluster a place belongs to."""

    raster_tiles: int = number(2, "tiles", "raster tiles on a side of a TC tile [Emerald, Table 7: 2x2]", 1, 8)
    engines: int = number(2, "engines", "TC engines per cluster [Emerald, Table 7]", 1, 4)
    bins: int = number(4, "tiles", "TC tiles that an engine assembles for its place [Emerald, Table 7]", 1, 8)
    queue: int = number(16, "tiles", "raster tiles waiting", 1, 64, silent=(4, 64))
    timeout: int = number(64, "cycles", "time after which an engine hands on what it has", 1, 10_000, silent=(16, 256))
    timeout_from: Literal["latest", "first"] = choice(
        "latest",
        "raster tile of an engine from which on this time counts [Emerald, 3.3.5: cycles without new raster tiles]",
    )
    primitives: Literal["several", "one"] = choice(
        "several",
        "primitives that a TC tile has quads of [Emerald, 3.3.5: several]; one, as in the authors' public simulator: "
        "the next primitive waits until all engines are empty",
    )
    work_tile: int = number(
        1,
        "TC tiles",
        "TC tiles on a side of a work tile, which goes to a cluster as a whole (WT) [Emerald, 6.1]",
        1,
        64,
    )
    hash_step: int = number(
        0,
        "clusters",
        "work tile (x, y) belongs to cluster (x + hash_step * y) modulo clusters; 0: work tiles are numbered row by "
        "row over the screen, and their step is those in a row [Emerald, 6.1: round-robin]",
        0,
        MAX_CLUSTERS,
    )

    @property
    def side_pixels(self) -> int:
        """Pixels on a side of a TC tile."""
        return 4 * self.raster_tiles

    @model_validator(mode="after")
    def _fits(self) -> TileCoalescing:
        if self.raster_tiles not in (1, 2, 4):
            raise UserError(f"raster_tiles must be 1, 2 or 4, not {self.raster_tiles}")
        return self
