"""Configuration of energy and area."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.parameters import Group, choice, number

from .channels import LongerChannels
from .sram import Device
from .technology import Profile


class Energy(Group, section="energy"):
    """Technology of the hardware, for energy and area."""

    profile: Profile = choice(
        "mcpat",
        {"mcpat": "as TEAPOT has them, from McPAT", "bottom-up": "the sum of published operations"},
        "functional units",
    )
    node_nm: Literal[22, 32, 45] = Field(
        default=22, description="technology node [Table 4.1]", json_schema_extra={"unit": "nm"}
    )
    device: Device = choice(
        "itrs-lstp",
        {
            "itrs-hp": "high performance",
            "itrs-lstp": "low standby power",
            "itrs-lop": "low operating power",
        },
        "device type",
        ("itrs-hp", "itrs-lop"),
    )
    longer_channels: LongerChannels = choice(
        "units",
        {
            "units": "in McPAT's functional units, as its template of an ARM A9 was solved",
            "none": "nowhere",
            "all": "everywhere, all of the L2",
        },
        "where devices that need not be fast have longer channels and leak less (McPAT's longer_channel_device)",
    )
    cores: str = choice(
        "apart",
        {
            "apart": "of their own",
            "unified": "the same in the chip that a preset describes; the model has them apart, so that its area is "
            "then not the chip's and is not printed as a sum",
        },
        "cores of vertices and fragments",
    )
    supply_millivolts: int = number(1000, "mV", "supply voltage [Table 4.1]", 400, 1500)
    temperature_kelvin: int = number(340, "K", "temperature that leakage is taken at", 300, 400, (320, 360))
    register_files: str = choice(
        "unified",
        {
            "unified": "one file of `registers_per_thread`, with two reads and a write for each operation",
            "by_name": "constant, input, output and temporal registers in files of their own, each read and written as "
            "instructions name them (DAE 2.2)",
        },
        "register files of a processor",
    )
    registers_per_thread: int = number(
        16, "registers", "registers of 16 bytes that a thread has; unified only", 1, 1024, (8, 32)
    )
    constant_registers: int = number(
        96,
        "registers",
        "constant registers of a processor, which all its warps share; by_name only [DAE Table 1]",
        1,
        4096,
    )
    input_registers: int = number(
        64,
        "registers",
        "input registers of a warp, each of 16 bytes for each thread; by_name only [DAE Table 1]",
        1,
        1024,
    )
    output_registers: int = number(32, "registers", "output registers, likewise [DAE Table 1]", 1, 1024)
    temporal_registers: int = number(48, "registers", "temporal registers, likewise [DAE Table 1]", 1, 1024)
    register_banks: int = number(
        4, "banks", "banks of each file of input, output and temporal registers; by_name only [DAE Table 1]", 1, 64
    )
    dram_currents: str = choice(
        "dramsim3",
        {"dramsim3": "from the currents of its specification (as the thesis)", "lpddr4-micron": "Micron's LPDDR4"},
        "energy of the memory",
    )
    dram_scope: str = choice(
        "core",
        {"core": "not its output drivers", "core+io": "its output drivers too"},
        "what of the memory counts; lpddr4-micron only",
    )

    @model_validator(mode="after")
    def _known(self) -> Energy:
        if self.dram_scope == "core+io" and self.dram_currents != "lpddr4-micron":
            raise UserError("dram_scope core+io needs dram_currents=lpddr4-micron")
        return self
