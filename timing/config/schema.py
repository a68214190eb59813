"""Schema of a hardware configuration: every field with its unit, its range and a sentence.

`[Table 4.1]` marks figures of the Parallel Tile Rendering thesis; "papers silent" marks decisions of this project.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal

from pydantic import Field, model_validator

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare import records
from tilegpu.timing.declare.caches import Cache
from tilegpu.timing.declare.parameters import Group, choice, number

from ..declare.quad_mappings import BY_NAME, QuadMapping
from ..memory.parameter_buffer import ParameterBuffer
from ..registry import components
from .dash import Dash
from .energy import Energy
from .memory import Dram
from .simt import DepthUnit, PixelLauncher, Raster, Setup, SimtCore, TileCoalescing, VertexLauncher, Vpo
from .techniques import TechniqueParameters


class Clocks(Group):
    """Clock domains: independent rationals, so that neither drifts."""

    gpu_mhz: int = number(800, "MHz", "GPU clock [Table 4.1]", most=100_000)
    gpu_divisor: int = number(1, "ratio", "the GPU's clock is gpu_mhz over this: 2000 and 3 for 666 2/3 MHz", 1, 1000)
    memory_mhz: int = number(1200, "MHz", "memory clock [Table 4.1]", most=100_000)
    memory_divisor: int = number(1, "ratio", "the memory's clock is memory_mhz over this", 1, 1000)

    @property
    def gpu(self) -> Fraction:
        """GPU clock in MHz."""
        return Fraction(self.gpu_mhz, self.gpu_divisor)

    @property
    def memory(self) -> Fraction:
        """Memory clock in MHz."""
        return Fraction(self.memory_mhz, self.memory_divisor)

    @property
    def ticks(self) -> tuple[int, int]:
        """GPU cycle and memory cycle in the longest unit of time that both are multiples of."""
        ratio = self.memory / self.gpu
        return ratio.numerator, ratio.denominator


class Tiles(Group):
    """Tiles, and how they go to Raster Units."""

    width: int = number(32, "pixels", "width of a tile [Table 4.1]", 2, 64)
    height: int = number(32, "pixels", "height of a tile [Table 4.1]", 2, 64)
    raster_units: int = number(1, "units", "Raster Units working on tiles side by side", 1, records.MAX_RASTER_UNITS)
    order: Literal["mapping", "scanline", "boustrophedon", "morton", "hilbert"] = choice(
        "mapping",
        "order in which tiles are processed, from the top (thesis 4.1.2): the one that the quad mapping belongs to, "
        "or else row by row; row by row; rows to and fro, the snake of thesis 6.3; along a Z curve; along a Hilbert "
        "curve",
    )
    assignment: Literal["static", "dynamic", "mixed"] = choice(
        "static",
        "tile to Raster Unit: in turn; to the shortest Tile Queue; the same, in turn among equals (thesis 5.1)",
    )

    @model_validator(mode="after")
    def _fits(self) -> Tiles:
        if self.width % 2 or self.height % 2:
            raise UserError("tile width and height must be even: quads are 2x2 pixels")
        return self


class TileFlush(Group):
    """Tile flush."""

    pixels_per_cycle: int = number(
        0, "pixels/cycle", "pixels written per cycle at most; 0: a line of memory per cycle, as papers have it", 0, 64
    )


class CommandProcessor(Group):
    """Command Processor."""

    draw_command_bytes: int = number(
        64, "bytes", "commands read per draw, constants uploaded for it come on top", 0, 1 << 16, silent=(16, 256)
    )
    passes: Literal["recorded", "open"] = choice(
        "recorded",
        "passes: as recorded, a new one whenever the attachments change; or open, so that a clear of the window waits "
        "for the draws on it, as drivers of tile-based GPUs have it",
    )
    overlap: Literal["none", "geometry"] = choice(
        "none",
        "what goes on beside the raster stage of a pass: nothing, or the geometry of the next pass or frame, with two "
        "Parameter Buffers in turn",
    )


class VertexFetcher(Group):
    """Vertex Fetcher."""

    queue: int = number(16, "vertices", "vertices fetched and not yet in a Vertex Processor [Table 4.1]", 1, 128)
    draw_queue: int = number(4, "draws", "draws waiting", 1, 16, silent=(1, 16))
    reuse_entries: int = number(
        16, "vertices", "latest shaded vertices that are not shaded again", 1, 128, silent=(4, 32)
    )


class Processors(Group):
    """Programmable stage."""

    warps: int = number(8, "warps", "warps per processor", 1, records.MAX_WARPS, silent=(2, 16))
    alu_latency: int = number(
        4, "cycles", "from issue to use of an arithmetic result: 4 stages, no forwarding (DAE 2.2)", 1, 1000
    )
    sfu_latency: int = number(8, "cycles", "from issue to use of a special function's result", 1, 1000, silent=(4, 16))
    flow_latency: int = number(4, "cycles", "from a jump to the next instruction of the warp", 1, 1000, silent=(1, 8))
    issue: Literal["instruction", "pairs", "words"] = choice(
        "instruction",
        "what takes issue_cycles: an instruction on vectors, as papers count; a pair of scalar operations, product and "
        "sum; a word that holds several instructions, a few units each (docs/model/issue.md)",
    )
    issue_cycles: int = number(1, "cycles", "time in which a processor issues what `issue` says", 1, 64)
    hazards: Literal["wait", "squash"] = choice(
        "wait",
        "warps whose next instruction has to wait for a register give way to others; or take their turn all the same, "
        "and the instruction is squashed and fetched again (DAE 2.2)",
    )


class VertexStage(Processors):
    """Vertex Processors."""

    threads: int = number(
        4, "vertices", "vertices of a draw that a warp shades together (DAE Table 1)", 1, records.MAX_THREADS
    )
    processors_per_instruction_cache: int = number(
        4, "processors", "Vertex Processors that share an instruction cache", 1, records.MAX_PROCESSORS, silent=(1, 4)
    )
    processors: int = number(4, "processors", "Vertex Processors [Table 4.1]", 1, records.MAX_PROCESSORS)
    output_queue: int = number(
        16, "vertices", "shaded vertices that wait for Primitive Assembly, in order [Table 4.1]", 1, 128
    )


class FragmentStage(Processors):
    """Fragment Processors of one Raster Unit: four fragments per warp."""

    processors: int = number(
        4, "processors", "Fragment Processors per Raster Unit [Table 4.1]", 1, records.MAX_PROCESSORS
    )
    queue: int = number(128, "quads", "queue before each processor, or the shared one [Table 4.1]", 1, 1024)
    input_queue: Literal["private", "shared"] = choice(
        "private",
        "a queue before each processor (thesis 4.1.1); or one before all of them, whose first quad holds back the rest",
    )
    packing: Literal["quads", "visible"] = choice(
        "quads",
        "what a warp holds: a quad; or up to four visible fragments, of quads that follow each other in the queue and "
        "execute the same (DAE 3.3)",
    )
    instruction_bytes: int = number(16, "bytes", "size of an instruction", 1, 64, silent=(8, 32))
    processors_per_instruction_cache: int = number(
        2,
        "processors",
        "Fragment Processors that share an instruction cache; Table 4.1 has two for four",
        1,
        records.MAX_PROCESSORS,
    )
    processors_per_texture_cache: int = number(
        1, "processors", "Fragment Processors of a Raster Unit that share a texture cache", 1, records.MAX_PROCESSORS
    )
    raster_units_per_texture_cache: int = number(
        1,
        "units",
        "Raster Units that share texture caches: a processor shares with those of its number (thesis 6.2 has 2)",
        1,
        records.MAX_RASTER_UNITS,
    )
    quad_mapping: QuadMapping = choice(
        "interleaved", "quad to processor: a name of docs/model/quad_mappings.md", silent=("rows", "quadrants")
    )


class PrimitiveAssembly(Group):
    """Primitive Assembly."""

    primitives_per_cycle: int = number(1, "primitives/cycle", "primitives made per cycle [Table 4.1]", 1, 16)
    vertices_per_cycle: int = number(3, "vertices/cycle", "vertices taken per cycle", 1, 16, silent=(1, 4))
    queue: int = number(32, "primitives", "queue before the Polygon List Builder [Table 4.1]", 1, 128)


class TileFetcher(Group):
    """Tile Fetcher."""

    primitive_table: int = number(
        16, "entries", "primitives fetched side by side [Table 4.1]; 1: no Primitive Table, as before 2022", 1, 256
    )
    attribute_requests: Literal["queued", "answered"] = choice(
        "queued",
        "attributes of a primitive are asked for one per cycle (thesis 4.1.2; thesis of 2018, 4.3.1); or each when the "
        "last has come, as the thesis of 2022 tells of the older design (4.1.2)",
    )
    next_tile: Literal["fetched", "rendered"] = choice(
        "fetched",
        "the next tile begins when all of the last one is fetched (thesis 4.1.2; thesis of 2018, 5.3.2); or when a "
        "Raster Unit is done with its last, as the thesis of 2022 tells of the older design (4.1.2)",
    )
    tile_queue: int = number(32, "primitives", "Tile Queue before each Rasterizer [Table 4.1]", 1, 256)


class Rasterizer(Group):
    """Rasterizer."""

    attributes_per_cycle: int = number(16, "attributes/cycle", "attributes interpolated per cycle [Table 4.1]", 1, 1024)
    quads_per_cycle: int = number(4, "quads/cycle", "quads emitted per cycle at most (thesis 4.1.1)", 1, 32)
    queue: int = number(512, "quads", "post-rasterization queue [Table 4.1]", 1, 1024)


class PixelStage(Group):
    """Pipeline that quads pass in order."""

    quads_per_cycle: int
    in_flight: int = number(20, "quads", "quads in the pipeline [Table 4.1]", 1, 128)
    latency: int = number(0, "cycles", "time in the pipeline; 0: in_flight / quads_per_cycle", 0, 1000)

    @property
    def latency_cycles(self) -> int:
        """Time in the pipeline."""
        return self.latency or max(1, self.in_flight // self.quads_per_cycle)


class EarlyDepth(PixelStage):
    """Early depth test."""

    quads_per_cycle: int = number(4, "quads/cycle", "quads tested per cycle (thesis 4.1.1)", 1, 32)
    read_ports: int = number(4, "quads/cycle", "quads read from the depth buffer per cycle (thesis 4.1.1, 5.2)", 1, 32)
    write_ports: int = number(4, "quads/cycle", "quads written to the depth buffer per cycle (thesis 5.2)", 1, 32)


class TextureUnit(Group):
    """Texture unit of each Fragment Processor: one line looked up and one bilinear quad filtered per cycle."""

    in_flight: int = number(16, "operations", "texture operations in flight", 1, 64, silent=(4, 32))
    latency: int = number(4, "cycles", "from the last filtered probe to the result", 0, 1000, silent=(1, 16))
    probe_cycles: int = number(1, "cycles", "time to filter one bilinear quad (2x2 texels)", 1, 64, silent=(1, 2))


class MemoryUnit(Group):
    """Memory Unit of each Fragment Processor that reads and writes pixels itself (machine programmable_blending)."""

    in_flight: int = number(16, "operations", "quads whose pixels are being accessed", 1, 64)
    threads_per_cycle: int = number(
        2, "fragments/cycle", "fragments whose addresses are sent per cycle [DAE Table 1]", 1, 4
    )
    latency_cycles: int = number(1, "cycles", "from the cache's answer to the use of what was loaded", 0, 1000)


class Blending(PixelStage):
    """Blending."""

    quads_per_cycle: int = number(4, "quads/cycle", "quads blended per cycle (thesis 4.1.1)", 1, 32)
    read_ports: int = number(4, "quads/cycle", "quads read from the colour buffer per cycle (thesis 4.1.1, 5.2)", 1, 32)
    write_ports: int = number(4, "quads/cycle", "quads written to the colour buffer per cycle (thesis 5.2)", 1, 32)
    color_queue: int = number(64, "quads", "Color Queue before blending [Table 4.1]", 1, 1024)


class Memory(Group):
    """What all of memory shares."""

    line_bytes: Literal[32, 64, 128] = Field(
        default=64, description="cache line [Table 4.1]", json_schema_extra={"unit": "bytes"}
    )
    network: Literal["links", "bus"] = choice(
        "links", "on-chip network: a link from the L2 to each first-level cache; or one bus that all share (DAE 2.1)"
    )
    network_bytes_per_cycle: int = number(
        64, "bytes/cycle", "on-chip network: from the L2 to each first-level cache", 4, 1024, silent=(16, 128)
    )
    texture_layout: Literal["linear", "morton", "tiled"] = choice(
        "tiled",
        "texels in memory: row by row; along a Z curve; in square tiles, row by row",
        silent=("linear", "morton"),
    )
    texture_tile_bytes: int = number(
        0,
        "bytes",
        "size of such a tile, a power of two and at least a line; 0: one line",
        0,
        1 << 16,
        silent=(0, 4096),
    )
    clears: Literal["fast", "stored"] = choice(
        "fast",
        "attachments where quads and not tiles are written: cleared on chip, so that the first access to a line writes "
        "all of it; or by values in memory, which are read, and clearing them costs nothing; papers silent",
    )
    frame_buffers: int = number(
        2, "buffers", "frame buffers that frames are written to in turn (Rendering Elimination IV-C)", 1, 4
    )

    @model_validator(mode="after")
    def _fits(self) -> Memory:
        size = self.texture_tile_bytes
        if size & (size - 1) or 0 < size < self.line_bytes:
            raise UserError(f"texture_tile_bytes must be 0, or a power of two that holds a line, not {size}")
        return self

    @property
    def answer_cycles(self) -> int:
        """What a line takes from the L2 to a first-level cache."""
        return -(-self.line_bytes // self.network_bytes_per_cycle)

    @property
    def tile_bytes(self) -> int:
        """Size of a tile of texels."""
        return self.texture_tile_bytes or self.line_bytes


class TransferUnit(Group):
    """Transfer Unit: copies, blits and mipmaps."""

    in_flight: int = number(16, "requests", "lines being read", 1, 32, silent=(4, 32))
    uploads: Literal["host", "unit"] = choice(
        "host",
        "texture and buffer uploads: written by the CPU, in no time of the GPU's; or by this unit, before their pass",
        silent=("unit",),
    )


class Simulation(Group):
    """What belongs to the run, not to the hardware."""

    watchdog_cycles: int = number(1 << 22, "cycles", "a run in which so long nothing happens is stopped", 1000, 1 << 40)


def _cache(default: Cache, description: str) -> Any:
    return Field(default=default, description=description)


class Configuration(Group):
    """Hardware configuration of one simulated GPU; the defaults are the preset `ptr-2022`."""

    name: str = Field(default="ptr-2022", description="name of the configuration", json_schema_extra={"unit": "name"})
    machine: str = choice("tile_based", "what is simulated: a name of docs/timing.md")
    techniques: tuple[str, ...] = Field(
        default=(), description="techniques switched on", json_schema_extra={"unit": "names"}, strict=False
    )
    technique: TechniqueParameters = TechniqueParameters()
    clocks: Clocks = Clocks()
    tiles: Tiles = Tiles()
    command_processor: CommandProcessor = CommandProcessor()
    vertex_fetcher: VertexFetcher = VertexFetcher()
    vertex_stage: VertexStage = VertexStage()
    primitive_assembly: PrimitiveAssembly = PrimitiveAssembly()
    parameter_buffer: ParameterBuffer = ParameterBuffer()
    tile_fetcher: TileFetcher = TileFetcher()
    rasterizer: Rasterizer = Rasterizer()
    early_depth: EarlyDepth = EarlyDepth()
    fragment_stage: FragmentStage = FragmentStage()
    texture_unit: TextureUnit = TextureUnit()
    memory_unit: MemoryUnit = MemoryUnit()
    blending: Blending = Blending()
    simt_core: SimtCore = SimtCore()
    vertex_launcher: VertexLauncher = VertexLauncher()
    vpo: Vpo = Vpo()
    setup: Setup = Setup()
    raster: Raster = Raster()
    depth_unit: DepthUnit = DepthUnit()
    pixel_launcher: PixelLauncher = PixelLauncher()
    tile_coalescing: TileCoalescing = TileCoalescing()
    tile_flush: TileFlush = TileFlush()
    transfer_unit: TransferUnit = TransferUnit()
    memory: Memory = Memory()
    vertex_cache: Cache = _cache(Cache(size_bytes=4096, ways=2, latency=1, mshrs=16), "Vertex Cache [Table 4.1]")
    tile_cache: Cache = _cache(
        Cache(size_bytes=32768, ways=4, latency=2, mshrs=16, write_miss="validate"), "Tile Cache [Table 4.1]"
    )
    texture_cache: Cache = _cache(
        Cache(size_bytes=8192, ways=2, latency=2, mshrs=16), "texture cache of each processor [Table 4.1]"
    )
    instruction_cache: Cache = _cache(
        Cache(size_bytes=16384, ways=2, banks=2, latency=2, mshrs=16), "instruction cache [Table 4.1]"
    )
    vertex_instruction_cache: Cache = _cache(
        Cache(size_bytes=8192, ways=2, banks=2, latency=2, mshrs=16),
        "instruction cache of the Vertex Processors; papers silent",
    )
    depth_cache: Cache = _cache(
        Cache(size_bytes=4096, ways=2, latency=1, mshrs=16),
        "depth cache, where quads are tested in memory [thesis of 2018, Table A.2]",
    )
    color_cache: Cache = _cache(
        Cache(size_bytes=8192, ways=2, latency=1, mshrs=16, write_miss="validate"),
        "colour cache of each processor, where quads are blended in memory [thesis of 2018, Table A.2]",
    )
    l2_cache: Cache = _cache(Cache(size_bytes=2 << 20, ways=8, banks=8, latency=18, mshrs=32), "L2 cache [Table 4.1]")
    dram: Dram = Dram()
    dash: Dash = Dash()
    energy: Energy = Energy()
    simulation: Simulation = Simulation()

    @property
    def tile_order(self) -> str:
        """Order in which tiles are processed."""
        if self.tiles.order != "mapping":
            return self.tiles.order
        return BY_NAME[self.fragment_stage.quad_mapping].order or "scanline"

    @property
    def mapping_variants(self) -> int:
        """Tiles after which the quad mapping repeats."""
        return BY_NAME[self.fragment_stage.quad_mapping].variants

    @model_validator(mode="before")
    @classmethod
    def _sections(cls, values: Any) -> Any:
        """A section for every technique that is switched on."""
        if isinstance(values, dict) and values.get("techniques"):
            given = values.get("technique") or {}
            given = given if isinstance(given, dict) else given.model_dump()
            values = values | {"technique": {name: {} for name in values["techniques"]} | given}
        return values

    @model_validator(mode="after")
    def _fits(self) -> Configuration:
        order = BY_NAME[self.fragment_stage.quad_mapping].order
        if order is not None and self.tiles.order not in ("mapping", order):
            raise UserError(
                f"quad_mapping {self.fragment_stage.quad_mapping} belongs to tiles.order {order}, not "
                f"{self.tiles.order}; leave tiles.order at mapping"
            )
        machine, _ = components(self)
        for kind in machine.caches:
            kind.spec(self).sets(self.memory.line_bytes, kind.name)
        if machine.check is not None:
            machine.check(self)
        if self.command_processor.overlap != "none" and (self.techniques or not machine.sorts):
            raise UserError(
                "command_processor.overlap is for machines that sort geometry into tiles, without techniques: set it "
                "to none, or leave the techniques out"
            )
        units, processors = self.tiles.raster_units, self.fragment_stage.processors
        if units * processors > records.MAX_FRAGMENT_TEXTURE_UNITS:
            raise UserError(
                f"raster_units x fragment_stage.processors is {units * processors}, "
                f"the machine has room for {records.MAX_FRAGMENT_TEXTURE_UNITS}"
            )
        return self
