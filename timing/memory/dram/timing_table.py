"""The timing table: how long each command makes others wait, by the relation of their banks.

BL/2 is the burst in cycles, RL = AL + CL, WL = AL + CWL; `_L` holds inside a bank group, `_S` across. A device with one
bank group uses `_S` everywhere. Sources: JESD209-3 and -4 (LPDDR3, LPDDR4), DRAMsim3 for the bus.
"""

from __future__ import annotations

from . import commands as c
from .commands import OTHER_RANK, SAME_BANK, SAME_GROUP, SAME_RANK
from .specification import Specification

Row = tuple[int, int, int, int]


def rows(spec: Specification) -> list[Row]:
    """All distances of a memory: command, relation, command that waits, cycles."""
    t = spec.timing
    burst = spec.burst_cycles
    read_latency, write_latency = t.AL + t.CL, t.AL + t.CWL
    one_group = spec.dram_structure.bankgroups == 1
    ccd_l, wtr_l = (t.tCCD_S, t.tWTR_S) if one_group else (t.tCCD_L, t.tWTR_L)
    rrd_l = t.tRRD_S if one_group else t.tRRD_L
    read_to_write = read_latency + burst - write_latency + t.tRTRS
    read_to_write_other = read_latency + burst - write_latency + t.tRTRS
    write_to_read_other = write_latency + burst + t.tRTRS - read_latency
    table: list[Row] = []
    for read in (c.READ, c.READ_PRECHARGE):
        table += [
            (read, SAME_GROUP, c.READ, max(burst, ccd_l)),
            (read, SAME_RANK, c.READ, max(burst, t.tCCD_S)),
            (read, OTHER_RANK, c.READ, burst + t.tRTRS),
            (read, SAME_GROUP, c.WRITE, read_to_write),
            (read, SAME_RANK, c.WRITE, read_to_write),
            (read, OTHER_RANK, c.WRITE, read_to_write_other),
        ]
    for write in (c.WRITE, c.WRITE_PRECHARGE):
        table += [
            (write, SAME_GROUP, c.READ, write_latency + burst + wtr_l),
            (write, SAME_RANK, c.READ, write_latency + burst + t.tWTR_S),
            (write, OTHER_RANK, c.READ, write_to_read_other),
            (write, SAME_GROUP, c.WRITE, max(burst, ccd_l)),
            (write, SAME_RANK, c.WRITE, max(burst, t.tCCD_S)),
            (write, OTHER_RANK, c.WRITE, burst),
        ]
    table += [
        (c.READ, SAME_BANK, c.READ, max(burst, ccd_l)),
        (c.READ, SAME_BANK, c.WRITE, read_to_write),
        (c.READ, SAME_BANK, c.PRECHARGE, t.AL + t.tRTP),
        (c.WRITE, SAME_BANK, c.READ, write_latency + burst + wtr_l),
        (c.WRITE, SAME_BANK, c.WRITE, max(burst, ccd_l)),
        (c.WRITE, SAME_BANK, c.PRECHARGE, write_latency + burst + t.tWR),
        (c.ACTIVATE, SAME_BANK, c.ACTIVATE, t.tRAS + t.tRP),
        (c.ACTIVATE, SAME_BANK, c.READ, t.tRCD - t.AL),
        (c.ACTIVATE, SAME_BANK, c.WRITE, t.tRCD - t.AL),
        (c.ACTIVATE, SAME_BANK, c.PRECHARGE, t.tRAS),
        (c.ACTIVATE, SAME_GROUP, c.ACTIVATE, rrd_l),
        (c.ACTIVATE, SAME_RANK, c.ACTIVATE, t.tRRD_S),
        (c.ACTIVATE, SAME_GROUP, c.REFRESH_BANK, rrd_l),
        (c.ACTIVATE, SAME_RANK, c.REFRESH_BANK, t.tRRD_S),
        (c.READ_PRECHARGE, SAME_BANK, c.ACTIVATE, t.AL + burst + t.tRTP + t.tRP),
        (c.PRECHARGE, SAME_BANK, c.ACTIVATE, t.tRP),
        (c.WRITE_PRECHARGE, SAME_BANK, c.ACTIVATE, write_latency + burst + t.tWR + t.tRP),
    ]
    for following in (c.REFRESH, c.REFRESH_BANK, c.SELF_REFRESH_ENTER):
        table += [
            (c.PRECHARGE, SAME_BANK, following, t.tRP),
            (c.READ_PRECHARGE, SAME_BANK, following, t.AL + t.tRTP + t.tRP),
            (c.WRITE_PRECHARGE, SAME_BANK, following, write_latency + burst + t.tWR + t.tRP),
        ]
    if spec.dram_structure.protocol == "LPDDR4":
        table += [(c.PRECHARGE, relation, c.PRECHARGE, t.tPPD) for relation in (SAME_GROUP, SAME_RANK)]
    return table + _refreshes(spec)


def _refreshes(spec: Specification) -> list[Row]:
    """Refreshes, and self-refresh."""
    t = spec.timing
    whole = (SAME_BANK, SAME_GROUP, SAME_RANK)
    table: list[Row] = []
    for relation in whole:
        for following in (c.ACTIVATE, c.REFRESH, c.REFRESH_BANK, c.SELF_REFRESH_ENTER):
            table += [
                (c.REFRESH, relation, following, t.tRFC),
                (c.SELF_REFRESH_EXIT, relation, following, t.tXS),
            ]
        table.append((c.SELF_REFRESH_ENTER, relation, c.SELF_REFRESH_EXIT, t.tCKESR))
        # A refresh of one bank leaves the others usable, but none of them can be refreshed meanwhile.
        for following in (c.REFRESH, c.REFRESH_BANK, c.SELF_REFRESH_ENTER):
            table.append((c.REFRESH_BANK, relation, following, t.tRFCb))
    table += [
        (c.REFRESH_BANK, SAME_BANK, c.ACTIVATE, t.tRFCb),
        (c.REFRESH_BANK, SAME_GROUP, c.ACTIVATE, t.tRRD_L),
        (c.REFRESH_BANK, SAME_RANK, c.ACTIVATE, t.tRRD_S),
    ]
    return table


def rules(spec: Specification) -> list[list[tuple[int, int, int]]]:
    """The table as a channel holds it: per command, relation, following command and cycles.

    What holds for a bank group holds for the bank of the command too, which has the longer distances of its own.
    """
    longest: dict[Row, int] = {}
    for command, relation, following, cycles in rows(spec):
        key = (command, relation, following, 0)
        longest[key] = max(cycles, longest.get(key, 0))
    table: list[list[tuple[int, int, int]]] = [[] for _ in c.COMMANDS]
    for (command, relation, following, _), cycles in longest.items():
        covered = relation == SAME_BANK and longest.get((command, SAME_GROUP, following, 0), -1) >= cycles
        useless = relation == SAME_RANK and spec.dram_structure.bankgroups == 1
        useless = useless or (relation == OTHER_RANK and spec.ranks == 1)
        if cycles > 0 and not covered and not useless:
            table[command].append((relation, following, cycles))
    return table
