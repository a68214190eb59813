"""Fields of `[technique.fragment_memoization]`."""

from __future__ import annotations

from pydantic import model_validator

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.parameters import Group, number


class Parameters(Group, section="technique.fragment_memoization"):
    """Look-up table of fragments."""

    entries: int = number(
        2048,
        "entries",
        "fragments that the table holds; 512 by default of its authors; 0: it never forgets one, whatever its ways",
        0,
        1 << 20,
    )
    ways: int = number(4, "entries", "entries per set (RE V-A)", 1, 64)

    @model_validator(mode="after")
    def _fits(self) -> Parameters:
        sets, rest = divmod(self.entries, self.ways)
        if rest or sets & (sets - 1):
            raise UserError(f"entries / ways must be a power of two, not {self.entries} / {self.ways}")
        return self
