"""The CPU that detects collisions: a core like the Cortex-A9, but in order (thesis of 2018, Tables 3.1 and 5.1).

Every constant has its source. Where there is none, or sources differ, the description names the range in which the
value may plausibly lie; `sensitivity` tries both ends.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, ValidationError, model_validator

from tilegpu.functional.errors import UserError
from tilegpu.timing.config.fields import group_fields
from tilegpu.timing.config.load import ConfigurationError
from tilegpu.timing.declare.energy.sram import Device
from tilegpu.timing.declare.parameters import Group, choice, number

from .instructions import Operations

GCC = "GCC's description of the Cortex-A9, contributed by Arm"
MEASURED = "measured on an Exynos 4210, a Cortex-A9 (7-cpu.com)"


class Core(Group):
    """Cores and their pipeline."""

    clock_mhz: int = number(1500, "MHz", "clock [Table 5.1]", 1, 100_000)
    cores: int = number(2, "cores", "cores that are powered [Table 5.1]", 1, 64)
    cores_used: int = number(
        1, "cores", "cores that share the instructions evenly: Bullet's collision detection runs on one", 1, 64
    )
    issue_width: int = number(
        2, "instructions/cycle", f"instructions issued per cycle at most ({GCC}); in order", 1, 8, (1, 2)
    )
    multiply_cycles: int = number(4, "cycles", f"from VMUL to a use of its result ({GCC})", 1, 100, (4, 5))
    add_cycles: int = number(4, "cycles", f"from VADD to a use of its result ({GCC})", 1, 100)
    compare_cycles: int = number(3, "cycles", f"from VCMP through VMRS to a conditional move ({GCC})", 1, 100, (2, 5))
    divide_cycles: int = number(15, "cycles", f"VDIV, which nothing overlaps ({GCC})", 1, 1000)
    interleaved_vertices: int = number(
        1, "vertices", "vertices of a scan whose chains overlap, as the compiler unrolls loops", 1, 16, (1, 4)
    )
    branch_miss_cycles: int = number(
        9, "cycles", "a mispredicted branch empties the pipeline of eight stages", 0, 100, (8, 13)
    )
    branch_misses_per_iteration: int = number(
        3, "branches", "mispredicted branches per iteration of GJK, whose regions change", 0, 100, (1, 8)
    )

    @model_validator(mode="after")
    def _used(self) -> Core:
        if self.cores_used > self.cores:
            raise UserError(f"cores_used is {self.cores_used}, but there are {self.cores} cores")
        return self


class Memory(Group):
    """Caches, main memory, and what lies in them."""

    line_bytes: int = number(32, "bytes", "cache line (Cortex-A9 reference manual)", 8, 1024)
    l1_bytes: int = number(32 << 10, "bytes", "data cache of a core [Table 5.1]", 256, 1 << 30)
    l1_ways: int = number(4, "lines", "lines per set (Cortex-A9 reference manual); least recently used", 1, 64)
    l2_bytes: int = number(1 << 20, "bytes", "shared L2 [Table 5.1]", 256, 1 << 30)
    l2_ways: int = number(16, "lines", "lines per set (PL310, the Cortex-A9's L2); least recently used", 1, 64)
    l2_cycles: int = number(19, "cycles", f"stall of a miss in the data cache ({MEASURED})", 0, 10_000, (8, 33))
    memory_ns: int = number(
        110,
        "ns",
        f"further stall of a miss in the L2 ({MEASURED}; 50 to 100 cycles of the GPU's 400 MHz in Table 5.1)",
        0,
        100_000,
        (60, 250),
    )
    hidden_percent: int = number(
        0, "%", "stalls that prefetching hides: none, as in a simple core in order", 0, 100, (0, 70)
    )
    vertex_bytes: int = number(16, "bytes", "a vertex: Bullet's btVector3 has four floats", 4, 256)
    proxy_bytes: int = number(64, "bytes", "a broad-phase proxy with its bounding box (btBroadphaseProxy)", 4, 4096)
    placement: str = choice(
        "in_place",
        {
            "in_place": "an object's at the same place in every frame",
            "fresh": "at a new one, as if all frames were loaded before",
        },
        "where vertices are",
        ("fresh",),
    )

    @model_validator(mode="after")
    def _fits(self) -> Memory:
        for name, size, ways in (("l1", self.l1_bytes, self.l1_ways), ("l2", self.l2_bytes, self.l2_ways)):
            sets, rest = divmod(size, ways * self.line_bytes)
            if rest or sets < 1 or sets & (sets - 1):
                raise UserError(
                    f"{name}_bytes / ({name}_ways x line_bytes) must be a power of two, "
                    f"not {size} / ({ways} x {self.line_bytes})"
                )
        return self

    def lines(self, size_bytes: int) -> int:
        """Lines that a number of bytes takes."""
        return -(-size_bytes // self.line_bytes)


PER_INSTRUCTION = (
    "but for the data cache's arrays: between a Cortex-A7 as measured ({}, Vasilakis, FORTH-ICS/TR-450) and McPAT's "
    "Cortex-A9 at its peak (309 pJ at 1 V and 32 nm)"
)


class Power(Group):
    """Parameters that energy comes from."""

    integer_pj: int = number(
        100, "pJ", f"an integer instruction or a branch, {PER_INSTRUCTION.format('50 to 80 pJ')}", 0, 10_000, (50, 310)
    )
    float_pj: int = number(
        160,
        "pJ",
        f"a floating-point instruction, {PER_INSTRUCTION.format('80 to 350 pJ')}",
        0,
        10_000,
        (80, 350),
    )
    memory_pj: int = number(
        160, "pJ", f"a load or store, {PER_INSTRUCTION.format('150 to 200 pJ')}", 0, 10_000, (100, 310)
    )
    clock_pj: int = number(
        60,
        "pJ",
        "a cycle, stalls among them: clock tree and latches. With it a core that issues three instructions in two "
        "cycles takes 250 pJ per cycle: what Arm gives for its power-optimized Cortex-A9 (0.5 W for two cores of 800 "
        "MHz at 40 nm), by the ratio of the nodes",
        0,
        10_000,
        (0, 150),
    )
    node_nm: Literal[22, 32, 45] = Field(
        default=32, description="technology node [Table 5.1]", json_schema_extra={"unit": "nm"}
    )
    supply_millivolts: int = number(1000, "mV", "supply voltage [Table 5.1]", 400, 1500)
    device: Device = choice(
        "itrs-lstp",
        {"itrs-hp": "high performance", "itrs-lstp": "low standby power", "itrs-lop": "low operating power"},
        "device type of cores and caches, as the GPU's",
        ("itrs-hp", "itrs-lop"),
    )
    temperature_kelvin: int = number(340, "K", "temperature that leakage is taken at", 300, 400, (320, 360))
    dram_device: str = Field(
        default="lpddr3-800-dual",
        description="main memory, as `vro-2018` has it: a specification's name or file",
        json_schema_extra={"unit": "name"},
    )
    row_miss_percent: int = number(
        25, "%", "lines from main memory that open a row: scans stay in theirs", 0, 100, (5, 100)
    )


class Cpu(Group):
    """The CPU, and how its software works."""

    core: Core = Core()
    memory: Memory = Memory()
    power: Power = Power()
    operations: Operations = Operations()
    broad_phase: str = choice(
        "all-pairs",
        {
            "all-pairs": "each against each (btSimpleBroadphase; the thesis' 'most simple broad phase, an AABB overlap "
            "test')",
            "sort-and-sweep": "only those that overlap along x, whose order is kept from frame to frame",
        },
        "how overlapping boxes are found",
        ("sort-and-sweep",),
    )
    bounding_box: str = choice(
        "min-max",
        {
            "min-max": "in one scan of the vertices",
            "support": "in six scans for the farthest along each axis, as Bullet does for convex hulls "
            "(btPolyhedralConvexAabbCachingShape::recalcLocalAabb)",
            "per-vertex": "with six scans of all vertices so far whenever one is added, as btConvexHullShape::addPoint "
            "does unless it is told not to",
        },
        "how a bounding box is made",
        ("support", "per-vertex"),
    )
    gjk_points: str = choice(
        "hull",
        {
            "hull": "the vertices of the convex hull",
            "all": "all of the mesh, as btConvexHullShape does unless they are reduced",
        },
        "points that GJK scans",
        ("all",),
    )


def load_cpu(overrides: tuple[str, ...] | list[str] = ()) -> Cpu:
    """The CPU, with some fields changed.

    Parameters
    ----------
    overrides
        `group.field=value`, such as `core.clock_mhz=1000` or `gjk_points=all`.

    Raises
    ------
    ConfigurationError
        With one line that names the field.
    """
    fields_by_name = dict(group_fields(Cpu))
    values = Cpu().model_dump()
    for override in overrides:
        name, sign, text = override.partition("=")
        if not sign or name not in fields_by_name:
            raise ConfigurationError(f"{override}: expected field=value; docs/collision_constants.md lists the fields")
        *groups, leaf = name.split(".")
        place = values
        for group in groups:
            place = place[group]
        place[leaf] = int(text) if text.isdecimal() else text
    try:
        return Cpu.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        message = first["msg"].removeprefix("Value error, ")
        raise ConfigurationError(f"{'.'.join(map(str, first['loc']))}: {message}") from None
