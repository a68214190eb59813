"""The controller against DRAMsim3's results on the same streams: equal to the last count."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilegpu.timing.assembly.dram import Stream, simulate
from tilegpu.timing.memory.dram.files import load_specification
from tilegpu.timing.results.dram import statistics

REFERENCE = Path(__file__).parent / "reference"
ENERGIES = ("act_energy", "read_energy", "write_energy", "ref_energy", "refb_energy", "total_energy")
ENERGIES_PER_RANK = ("act_stb_energy", "pre_stb_energy")
NOT_OURS = ("write_latency", "epoch_num", "hbm_dual_cmds", "channel")


def reference_stream(name: str, spacing_cycles: int) -> Stream:
    with np.load(REFERENCE / f"{name}.npz") as file:
        address, write = file["addr"].astype(np.int64), file["is_write"]
    return Stream(address, write, spacing_cycles * np.arange(len(address)))


@pytest.mark.parametrize("name", ("seq", "rand", "mixed"))
@pytest.mark.parametrize(("mode", "spacing_cycles"), (("sat", 0), ("pace16", 16)))
def test_equal_to_dramsim3(name: str, mode: str, spacing_cycles: int) -> None:
    wanted: dict[str, Any] = json.loads((REFERENCE / "lpddr4_2400_b32.json").read_text())[f"{name}_{mode}"]
    spec = load_specification("lpddr4-2400-b32")
    got = statistics(simulate(spec, reference_stream(name, spacing_cycles)))
    clock_ns = 0.83
    for key, value in wanted.items():
        if key in ENERGIES:
            assert got[key] == pytest.approx(value * clock_ns, rel=1e-9), key
        elif key in ENERGIES_PER_RANK:
            assert got[key] == pytest.approx({r: v * clock_ns for r, v in value.items()}, rel=1e-9), key
        elif key not in NOT_OURS:
            assert got[key] == pytest.approx(value, rel=1e-12), key
