"""Operating points of a GPU, and what it does between frames."""

from __future__ import annotations

from pydantic import Field, model_validator

from tilegpu.functional.errors import UserError

from .parameters import Group, choice, number

MOST_MHZ, LEAST_MILLIVOLTS, MOST_MILLIVOLTS = 100_000, 400, 1500


class Power(Group, section="power"):
    """Operating points and idle states, for `tilegpu power`; replays take `clocks` and `energy` as they are."""

    operating_mhz: tuple[int, ...] = Field(
        default=(),
        description="GPU clocks that it can run at, ascending",
        json_schema_extra={"unit": "MHz"},
        strict=False,
    )
    operating_millivolts: tuple[int, ...] = Field(
        default=(),
        description="supply voltage at each of these clocks",
        json_schema_extra={"unit": "mV"},
        strict=False,
    )
    idle: str = choice(
        "clock_gated",
        {
            "clock_gated": "its clock stands, and it leaks",
            "power_gated": "it is switched off, and takes `wake_up_microseconds` before the next frame",
        },
        "GPU between frames; assumed",
    )
    wake_up_microseconds: int = number(
        100,
        "us",
        "from being switched off to the first command, leaking meanwhile; power_gated only; assumed (10 to 1000)",
        0,
        100_000,
    )
    memory_idle: str = choice(
        "power_down",
        {
            "standby": "it stands by, as without any requests",
            "power_down": "its ranks are powered down, all rows closed",
            "self_refresh": "it refreshes itself",
        },
        "main memory between frames; assumed",
    )

    @model_validator(mode="after")
    def _points(self) -> Power:
        if len(self.operating_mhz) != len(self.operating_millivolts):
            raise UserError(
                f"power.operating_mhz has {len(self.operating_mhz)} clocks and power.operating_millivolts has "
                f"{len(self.operating_millivolts)} voltages: give each clock one"
            )
        ascending = list(self.operating_mhz) == sorted(set(self.operating_mhz))
        if not ascending or not all(0 < mhz <= MOST_MHZ for mhz in self.operating_mhz):
            raise UserError(f"power.operating_mhz must be ascending clocks of 1 to {MOST_MHZ:,} MHz")
        if not all(LEAST_MILLIVOLTS <= each <= MOST_MILLIVOLTS for each in self.operating_millivolts):
            raise UserError(f"power.operating_millivolts must be {LEAST_MILLIVOLTS} to {MOST_MILLIVOLTS} mV")
        return self
