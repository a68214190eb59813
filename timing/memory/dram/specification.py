"""Specification of a memory: structure, timing, currents and controller, in the terms and defaults of DRAMsim3's INI
files."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tilegpu.functional.errors import UserError

from .policies import check_policy
from .state import MAX_BANKS, MAX_CHANNELS, MAX_COMMANDS, MAX_GROUPS, MAX_RANKS, MAX_TRANSACTIONS

FIELDS = ("ch", "ra", "bg", "ba", "ro", "co")
Count = Annotated[int, Field(ge=1, le=1 << 30)]
Cycles = Annotated[int, Field(ge=0, le=1 << 30)]
Current = Annotated[float, Field(ge=0, le=100_000)]


class Part(BaseModel):
    """Section of a specification: frozen, and no unknown names."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Structure(Part):
    """One device; without `bankgroup_enable` all of its banks are one group."""

    protocol: Literal["DDR3", "DDR4", "LPDDR", "LPDDR3", "LPDDR4"] = "DDR3"
    bankgroups: Count = 2
    banks_per_group: Count = 2
    bankgroup_enable: bool = True
    rows: Count = 1 << 16
    columns: Count = 1 << 10
    device_width: Literal[4, 8, 16, 32, 64] = 8
    BL: Literal[2, 4, 8, 16, 32] = 8

    @model_validator(mode="before")
    @classmethod
    def _one_group(cls, values: Any) -> Any:
        if not isinstance(values, dict) or values.get("bankgroup_enable") is not False:
            return values
        fields = ("bankgroups", "banks_per_group")
        groups, banks = (values.get(name, cls.model_fields[name].default) for name in fields)
        if not (isinstance(groups, int) and isinstance(banks, int) and groups > 0):
            return values
        return values | {"bankgroups": 1, "banks_per_group": groups * banks}


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
    stripe_bytes: Cycles = 0
    queue_structure: Literal["PER_BANK", "PER_RANK"] = "PER_BANK"
    refresh_policy: Literal["RANK_LEVEL_STAGGERED", "RANK_LEVEL_SIMULTANEOUS", "BANK_LEVEL_STAGGERED"] = (
        "RANK_LEVEL_STAGGERED"
    )
    row_buf_policy: Literal["OPEN_PAGE", "CLOSE_PAGE"] = "OPEN_PAGE"
    scheduling: str = "fr_fcfs"
    row_accesses: Count = 4
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
            raise UserError(f"address_mapping: {mapping!r} must name each of {', '.join(FIELDS)} once")
        check_policy(self.scheduling)
        return self


class Specification(Part):
    """A memory system.

    Raises
    ------
    UserError
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
            raise UserError(f"bus_width {system.bus_width} must be a multiple of device_width")
        for name in ("bankgroups", "banks_per_group", "rows", "columns"):
            value = getattr(structure, name)
            if value & (value - 1):
                raise UserError(f"{name} must be a power of two, not {value}")
        if system.channels & (system.channels - 1):
            raise UserError(f"channels must be a power of two, not {system.channels}")
        if not self.rank_megabytes:
            raise UserError("rows must make a rank of at least 1 MB: more rows or columns")
        if structure.columns < structure.BL:
            raise UserError(f"columns must be at least BL, {structure.BL}, not {structure.columns}")
        if self.ranks > MAX_RANKS or self.banks > MAX_BANKS or self.ranks * structure.bankgroups > MAX_GROUPS:
            raise UserError(
                f"channel_size makes more than {MAX_RANKS} ranks, {MAX_GROUPS} bank groups or {MAX_BANKS} banks"
            )
        if self.queues * system.cmd_queue_size > MAX_COMMANDS:
            raise UserError(f"cmd_queue_size makes more than {MAX_COMMANDS} entries in all queues of a channel")
        stripe, row_bytes = system.stripe_bytes, structure.columns * system.bus_width // 8
        if stripe & (stripe - 1) or (stripe and not self.request_bytes <= stripe <= row_bytes):
            raise UserError(
                f"stripe_bytes must be 0, or a power of two from a burst's {self.request_bytes} bytes to a row's "
                f"{row_bytes}, not {stripe}"
            )
        self._refreshes_fit()
        return self

    def _refreshes_fit(self) -> None:
        name = "tREFIb" if self.system.refresh_policy == "BANK_LEVEL_STAGGERED" else "tREFI"
        given, least = getattr(self.timing, name), self.least_refresh_interval_cycles
        if given < least:
            raise UserError(f"{name} must be at least {least} cycles for refreshes and accesses to rows, not {given}")

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

    @property
    def access_cycles(self) -> int:
        """From opening a row to when it can be opened again, after one access of the longer kind."""
        t = self.timing
        last = max(t.AL + t.tRTP, self.write_delay_cycles + t.tWR)
        return max(t.tRAS, max(0, t.tRCD - t.AL) + last) + t.tRP

    @property
    def refresh_interval_cycles(self) -> int:
        """Cycles from one refresh (of all ranks, of a rank, of a bank) to the next."""
        t, policy = self.timing, self.system.refresh_policy
        if policy == "RANK_LEVEL_SIMULTANEOUS":
            return t.tREFI
        return max(1, (t.tREFI if policy == "RANK_LEVEL_STAGGERED" else t.tREFIb) // self.ranks)

    @property
    def least_refresh_interval_cycles(self) -> int:
        """The least tREFI, or tREFIb where banks are refreshed, that leaves time for an access between two refreshes.

        With refreshes of ranks: a refresh, the access that it finds under way, the one after it, the precharges of all
        banks, and waking up. With refreshes of banks, in each rank's part of it: an activate and an access after one,
        in parallel with the refresh or, where its queue is that of the whole rank, after it.
        """
        t, system = self.timing, self.system
        precharge = max(1, t.tPPD) if self.dram_structure.protocol == "LPDDR4" else 1
        if system.refresh_policy == "BANK_LEVEL_STAGGERED":
            after = max(t.tRRD_S, t.tRRD_L) + self.access_cycles + 2 * precharge
            return (max(t.tRFCb, after) if system.queue_structure == "PER_BANK" else t.tRFCb + after) * self.ranks
        waking = max(t.tXS * system.enable_self_refresh, t.tXP * (system.power_down_threshold > 0))
        return t.tRFC + 2 * self.access_cycles + self.banks * precharge + waking

    @property
    def stripe_bursts(self) -> int:
        """Bursts that lie side by side in a row, whatever the mapping of addresses: one, or those of a stripe."""
        return max(1, self.system.stripe_bytes // self.request_bytes)

    def field_places(self) -> dict[str, tuple[int, int]]:
        """Shift (above the bits of a stripe) and width of each field of an address; of the column, above these bits."""
        structure = self.dram_structure
        sizes = {
            "ch": self.system.channels,
            "ra": self.ranks,
            "bg": structure.bankgroups,
            "ba": structure.banks_per_group,
            "ro": structure.rows,
            "co": max(1, structure.columns // structure.BL // self.stripe_bursts),
        }
        places, shift = {}, 0
        for i in range(10, -2, -2):
            name = self.system.address_mapping[i : i + 2]
            width = sizes[name].bit_length() - 1
            places[name] = (shift, width)
            shift += width
        return places
