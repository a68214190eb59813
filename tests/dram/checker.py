"""An independent look at a command log: states of banks, and the distance of every pair of commands close in time.

Written from the standard's rules, pair by pair, without the controller's timing table.
"""

from __future__ import annotations

from typing import Any

from tilegpu.timing.memory.dram.commands import COMMANDS
from tilegpu.timing.memory.dram.specification import Specification

READS, WRITES = ("READ", "READ_PRECHARGE"), ("WRITE", "WRITE_PRECHARGE")
ACCESSES = READS + WRITES


def least_distance(spec: Specification, a: str, b: str, rank: bool, group: bool, bank: bool) -> int:
    """Cycles from command a to command b, on the same rank, bank group, bank or not."""
    t, burst = spec.timing, spec.dram_structure.BL // 2
    rl, wl = t.AL + t.CL, t.AL + t.CWL
    several = spec.dram_structure.bankgroups > 1
    long = group and several
    if a in ACCESSES and b in ACCESSES:
        return _between_accesses(spec, a in READS, b in READS, rank, long, rl, wl, burst)
    if not rank:
        return 0
    if a == "REFRESH" and b in ("ACTIVATE", "REFRESH", "REFRESH_BANK"):
        return t.tRFC
    if a == "REFRESH_BANK":
        return t.tRFCb if (bank and b == "ACTIVATE") or b in ("REFRESH", "REFRESH_BANK") else 0
    if a == "SELF_REFRESH_EXIT":
        return t.tXS
    if a == "SELF_REFRESH_ENTER":
        return t.tCKESR
    if a == "POWER_DOWN_EXIT" and b != "POWER_DOWN_ENTER":
        return t.tXP
    if a == "POWER_DOWN_ENTER":
        return t.tCKE
    if a == "ACTIVATE" and b == "ACTIVATE":
        return t.tRAS + t.tRP if bank else (t.tRRD_L if long else t.tRRD_S)
    if a == "PRECHARGE" and b == "PRECHARGE" and not bank:
        return t.tPPD if spec.dram_structure.protocol == "LPDDR4" else 0
    if b in ("REFRESH", "SELF_REFRESH_ENTER", "REFRESH_BANK") and not bank and b == "REFRESH_BANK":
        return 0
    closing = b in ("REFRESH", "SELF_REFRESH_ENTER", "REFRESH_BANK", "ACTIVATE")
    if a == "PRECHARGE" and closing and (bank or b != "ACTIVATE"):
        return t.tRP
    if a in ("READ_PRECHARGE", "WRITE_PRECHARGE") and closing and (bank or b != "ACTIVATE"):
        if a == "WRITE_PRECHARGE":
            return wl + burst + t.tWR + t.tRP
        return t.AL + t.tRTP + t.tRP + (burst if b == "ACTIVATE" else 0)
    if not bank:
        return 0
    if a == "ACTIVATE" and b in ACCESSES:
        return t.tRCD - t.AL
    if b == "PRECHARGE":
        return {"ACTIVATE": t.tRAS, "READ": t.AL + t.tRTP, "WRITE": wl + burst + t.tWR}.get(a, 0)
    return 0


def _between_accesses(
    spec: Specification, read_first: bool, read_second: bool, rank: bool, long: bool, rl: int, wl: int, burst: int
) -> int:
    t = spec.timing
    ccd, wtr = (t.tCCD_L, t.tWTR_L) if long else (t.tCCD_S, t.tWTR_S)
    if read_first and read_second:
        return max(burst, ccd) if rank else burst + t.tRTRS
    if read_first:
        return rl + burst - wl + t.tRTRS
    if read_second:
        return wl + burst + wtr if rank else wl + burst + t.tRTRS - rl
    return max(burst, ccd) if rank else burst


def check(spec: Specification, log: Any) -> None:
    """AssertionError where a command comes too early or finds its bank in the wrong state."""
    per_rank = spec.banks_per_rank
    horizon = 2 * max(spec.timing.tRFC, spec.timing.tXS, 200)
    for channel in range(spec.system.channels):
        entries = [
            (int(r["cycle"]), COMMANDS[r["command"]], int(r["bank"]), int(r["row"]))
            for r in log
            if r["channel"] == channel
        ]
        _check_states(spec, entries)
        start = 0
        bus = [cycle for cycle, command, _, _ in entries if not command.startswith("POWER")]
        assert len(bus) == len(set(bus)), "two commands in one cycle"
        for i, (cycle, b, bank, _) in enumerate(entries):
            while entries[start][0] < cycle - horizon:
                start += 1
            for other, a, before, _ in entries[start:i]:
                rank = before // per_rank == bank // per_rank
                group = before // spec.dram_structure.banks_per_group == bank // spec.dram_structure.banks_per_group
                need = least_distance(spec, a, b, rank, group, before == bank)
                assert cycle - other >= need, f"{a} {before} at {other}, {b} {bank} at {cycle}: {need} needed"
            if b == "ACTIVATE":
                acts = [o for o, a, k, _ in entries[start:i] if a == "ACTIVATE" and k // per_rank == bank // per_rank]
                assert len(acts) < 4 or cycle - acts[-4] >= spec.timing.tFAW, f"five activates in tFAW at {cycle}"


def _check_states(spec: Specification, entries: list[tuple[int, str, int, int]]) -> None:
    rows: dict[int, int] = {}
    asleep: set[int] = set()
    for cycle, command, bank, row in entries:
        rank = bank // spec.banks_per_rank
        of_rank = range(rank * spec.banks_per_rank, (rank + 1) * spec.banks_per_rank)
        where = f"{command} {bank} at {cycle}"
        if command.endswith("EXIT"):
            assert rank in asleep, where
            asleep.remove(rank)
            continue
        assert rank not in asleep, where
        if command == "ACTIVATE":
            assert bank not in rows, where
            rows[bank] = row
        elif command == "PRECHARGE":
            assert bank in rows, where
            del rows[bank]
        elif command in ACCESSES:
            assert rows.get(bank) == row, where
            if command.endswith("PRECHARGE"):
                del rows[bank]
        elif command == "REFRESH_BANK":
            assert bank not in rows, where
        elif command in ("REFRESH", "SELF_REFRESH_ENTER"):
            assert not any(k in rows for k in of_rank), where
        if command.endswith("ENTER"):
            asleep.add(rank)
