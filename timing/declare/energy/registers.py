"""Register files of programmable processors: one for all registers, or one for each kind of operand.

By name (Decoupled Access/Execute, 2.2 and Table 1) a processor has constant registers, which its warps share, and
input, output and temporal registers of each warp. A register of a warp holds 16 bytes of each of its threads. Registers
are stored in banks in turn, so that an access touches one bank, and in it the columns of the threads that take part.
Banks are what lets several operands be read at a time: each has one port to read and one to write.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tilegpu.timing.declare.structures import Structure, Values, stat

from .geometry import Ram

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

REGISTER_BITS = 128
FILES = ("input", "temporal", "output")
Count = Callable[["Hardware"], int]


def register_files(
    name: str,
    unit: str,
    processors: Count,
    warps: Count,
    threads: Count,
    stage: str,
    threads_per_warp: Callable[[Values], float],
    unified: Structure,
) -> tuple[Structure, ...]:
    """Structures of a kind of processors, of which a configuration has the unified one, or all others.

    Parameters
    ----------
    name, unit
        As of `Structure`.
    processors, warps, threads
        Processors, warps of a processor, threads of a warp.
    stage
        What the statistics of the registers are named after.
    threads_per_warp
        Threads that a warp has on average: a constant is read for all of them at once.
    unified
        The file of all registers.
    """

    def rows(c: Hardware, file: str) -> int:
        return -(-warps(c) * int(getattr(c.energy, f"{file}_registers")) // c.energy.register_banks)

    def of_warps(file: str) -> Structure:
        return Structure(
            f"{name}.{file}_registers",
            unit,
            lambda c: processors(c) * threads(c) * c.energy.register_banks,
            lambda c: Ram(rows(c, file), REGISTER_BITS),
            stat(f"{stage}.{file}_reads"),
            stat(f"{stage}.{file}_writes"),
            by_name,
        )

    constant = Structure(
        f"{name}.constant_registers",
        unit,
        processors,
        lambda c: Ram(c.energy.constant_registers, REGISTER_BITS),
        lambda v: v[f"{stage}.constant_reads"] / max(1.0, threads_per_warp(v)),
        exists=by_name,
    )
    return (unified, constant, *(of_warps(file) for file in FILES))


def by_name(c: Hardware) -> bool:
    """Whether registers of each kind have a file of their own."""
    return c.energy.register_files == "by_name"


def unified(c: Hardware) -> bool:
    """Whether one file holds all registers."""
    return not by_name(c)
