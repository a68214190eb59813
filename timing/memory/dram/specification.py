"""What a memory is: structure, timing, currents and controller, in the terms and defaults of DRAMsim3's INI files."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from .state import MAX_BANKS, MAX_CHANNELS, MAX_COMMANDS, MAX_GROUPS, MAX_RANKS, MAX_TRANSACTIONS

FIELDS = ("ch", "ra", "bg", "ba", "ro", "co")
Count = Annotated[int, Field(ge=1, le=1 << 30)]
Cycles = Annotated[int, Field(ge=0, le=1 << 30)]
Current = Annotated[float, Field(ge=0, le=100_000)]


class Part(BaseModel):
    """Section of a specification: frozen, and no unknown names."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Structure(Part):
    """One device."""

    protocol: Literal["DDR3", "DDR4", "LPDDR", "LPDDR3", "LPDDR4"] = "DDR3"
    bankgroups: Count = 2
    banks_per_group: Count = 2
    rows: Count = 1 << 16
    columns: Count = 1 << 10
    device_width: Literal[4, 8, 16, 32, 64] = 8
    BL: Literal[2, 4, 8, 16, 32] = 8


class Timing(Part):
    """Distances in clock cycles; tCK in nanoseconds."""

    tCK: float = Field(default=1.0, gt=0.01, le=1000)
    AL: Cycles = 0
    CL: Cycles = 12
    CWL: Cycles = 12
    tCCD_L: Cycles = 6
    tCCD_S: Cycles = 4
    tRTRS: Cycles = 2
    tRTP: Cycles = 5
    tWTR_L: Cycles = 5
    tWTR_S: Cycles = 5
    tWR: Cycles = 10
    tRP: Cycles = 10
    tRRD_L: Cycles = 4
    tRRD_S: Cycles = 4
    tRAS: Cycles = 24
    tRCD: Cycles = 10
    tRFC: Cycles = 74
    tCKE: Cycles = 6
    tCKESR: Cycles = 12
    tXS: Cycles = 432
    tXP: Cycles = 8
    tRFCb: Cycles = 20
    tREFI: Count = 7800
    tREFIb: Count = 1950
    tFAW: Cycles = 50
    tPPD: Cycles = 0


class Power(Part):
    """Supply in volts and currents in milliamperes, of one device."""

    VDD: float = Field(default=1.2, gt=0, le=10)
    IDD0: Current = 48
    IDD2P: Current = 25
    IDD2N: Current = 34
    IDD3P: Current = 37
    IDD3N: Current = 43
    IDD4W: Current = 123
    IDD4R: Current = 135
    IDD5AB: Current = 250
    IDD5PB: Current = 5
    IDD6x: Current = 31


class System(Part):
    """Channels and their controller; `channel_size` in MB, `bus_width` in bits."""

    channel_size: Count = 1024
    channels: Annotated[int, Field(ge=1, le=MAX_CHANNELS)] = 1
    bus_width: Literal[8, 16, 32, 64, 128] = 64
    address_mapping: str = "chrobabgraco"
    queue_structure: Literal["PER_BANK", "PER_RANK"] = "PER_BANK"
    refresh_policy: Literal["RANK_LEVEL_STAGGERED", "RANK_LEVEL_SIMULTANEOUS", "BANK_LEVEL_STAGGERED"] = (
        "RANK_LEVEL_STAGGERED"
    )
    row_buf_policy: Literal["OPEN_PAGE", "CLOSE_PAGE"] = "OPEN_PAGE"
    scheduling: Literal["fr_fcfs", "fcfs"] = "fr_fcfs"
    cmd_queue_size: Annotated[int, Field(ge=1, le=MAX_COMMANDS)] = 16
    trans_queue_size: Annotated[int, Field(ge=1, le=MAX_TRANSACTIONS)] = 32
    unified_queue: bool = False
    enable_self_refresh: bool = False
    sref_threshold: Count = 1000
    power_down_threshold: Cycles = 0

    @model_validator(mode="after")
    def _mapping(self) -> System:
        mapping = self.address_mapping
        if len(mapping) != 12 or {mapping[i : i + 2] for i in range(0, 12, 2)} != set(FIELDS):
            raise ValueError(f"address_mapping: {mapping!r} must name each of {', '.join(FIELDS)} once")
        return self


class Specification(Part):
    """A memory system.

    Raises
    ------
    ValueError
        Where sizes do not fit together or exceed what a channel's registers hold.
    """

    name: str = ""
    dram_structure: Structure = Structure()
    timing: Timing = Timing()
    power: Power = Power()
    system: System = System()

    @model_validator(mode="after")
    def _fits(self) -> Specification:
        structure, system = self.dram_structure, self.system
        if system.bus_width % structure.device_width:
            raise ValueError("bus_width must be a multiple of device_width")
        for name in ("bankgroups", "banks_per_group", "rows", "columns"):
            value = getattr(structure, name)
            if value & (value - 1):
                raise ValueError(f"{name} must be a power of two, not {value}")
        if system.channels & (system.channels - 1):
            raise ValueError(f"channels must be a power of two, not {system.channels}")
        if not self.rank_megabytes:
            raise ValueError("a rank must hold at least 1 MB: more rows or columns")
        if self.ranks > MAX_RANKS or self.banks > MAX_BANKS or self.ranks * structure.bankgroups > MAX_GROUPS:
            raise ValueError(
                f"a channel has at most {MAX_RANKS} ranks, {MAX_GROUPS} bank groups and {MAX_BANKS} banks in all"
            )
        if self.queues * system.cmd_queue_size > MAX_COMMANDS:
            raise ValueError(f"the command queues of a channel hold at most {MAX_COMMANDS} entries in all")
        return self

    @property
    def burst_cycles(self) -> int:
        """Clock cycles of a burst on the data bus: two transfers per cycle."""
        return self.dram_structure.BL // 2

    @property
    def request_bytes(self) -> int:
        """Bytes of a burst, the unit of access."""
        return self.system.bus_width // 8 * self.dram_structure.BL

    @property
    def devices_per_rank(self) -> int:
        return self.system.bus_width // self.dram_structure.device_width

    @property
    def banks_per_rank(self) -> int:
        return self.dram_structure.bankgroups * self.dram_structure.banks_per_group

    @property
    def rank_megabytes(self) -> int:
        """Size of a rank, rounded bank by bank as DRAMsim3 does."""
        structure = self.dram_structure
        page_bytes = structure.columns * structure.device_width // 8
        return page_bytes * (structure.rows // 1024) // 1024 * self.banks_per_rank * self.devices_per_rank

    @property
    def ranks(self) -> int:
        """Ranks of a channel: as many as its size makes, at least one."""
        return max(1, self.system.channel_size // self.rank_megabytes)

    @property
    def banks(self) -> int:
        """Banks of all ranks of a channel."""
        return self.ranks * self.banks_per_rank

    @property
    def queues(self) -> int:
        """Command queues of a channel."""
        return self.banks if self.system.queue_structure == "PER_BANK" else self.ranks

    @property
    def read_delay_cycles(self) -> int:
        """From a read command to the end of its data."""
        return self.timing.AL + self.timing.CL + self.burst_cycles

    @property
    def write_delay_cycles(self) -> int:
        """From a write command to the end of its data."""
        return self.timing.AL + self.timing.CWL + self.burst_cycles

    def field_places(self) -> dict[str, tuple[int, int]]:
        """Shift (above the bits of a request) and width of each field of an address."""
        structure = self.dram_structure
        sizes = {
            "ch": self.system.channels,
            "ra": self.ranks,
            "bg": structure.bankgroups,
            "ba": structure.banks_per_group,
            "ro": structure.rows,
            "co": max(1, structure.columns // structure.BL),
        }
        places, shift = {}, 0
        for i in range(10, -2, -2):
            name = self.system.address_mapping[i : i + 2]
            width = sizes[name].bit_length() - 1
            places[name] = (shift, width)
            shift += width
        return places
