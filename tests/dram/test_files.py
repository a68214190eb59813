"""Specifications and traces from files, and `tilegpu dram`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from tilegpu.timing.memory.dram.files import SpecificationError, load_specification, preset_names
from tilegpu.timing.memory.dram.simulate import simulate
from tilegpu.timing.memory.dram.traces import StreamError, read_stream
from tilegpu.tools.main import app

INI = """
[dram_structure]
protocol = LPDDR3   ; a comment
bankgroups = 1
banks_per_group = 8
rows = 32768
columns = 1024
device_width = 32
BL = 8

[timing]
tCK = 1.25
CL = 12
tRFC2 = 168
{refresh} = 3120

[power]
IDD0 = 40.0

[system]
channel_size = 2048
bus_width = 64
address_mapping = rochrababgco
enable_self_refresh = true

[other]
epoch_period = 800000
"""


@pytest.mark.parametrize("refresh", ("tREFI", "REFI"))
def test_ini_files_are_read_as_they_are(tmp_path: Path, refresh: str) -> None:
    path = tmp_path / "mine.ini"
    path.write_text(INI.format(refresh=refresh))
    spec = load_specification(path)
    assert (spec.name, spec.timing.tREFI, spec.timing.CL, spec.power.IDD0) == ("mine", 3120, 12, 40.0)
    # What the file leaves out is as in DRAMsim3.
    assert (spec.timing.tRP, spec.power.IDD2N, spec.system.cmd_queue_size) == (10, 34, 16)
    assert spec.system.enable_self_refresh
    # 8 banks of 1024 columns x 4 bytes x 32768 rows, two devices: one rank of 2 GB; requests of 8 bytes x 8.
    assert (spec.ranks, spec.request_bytes, spec.devices_per_rank) == (1, 64, 2)


def test_addresses_are_taken_apart_as_the_mapping_says() -> None:
    spec = load_specification("lpddr4-2400-b32")
    assert spec.field_places() == {
        "co": (0, 6),
        "bg": (6, 1),
        "ba": (7, 2),
        "ra": (9, 1),
        "ch": (10, 0),
        "ro": (10, 16),
    }


@pytest.mark.parametrize("name", preset_names())
def test_presets(name: str) -> None:
    spec = load_specification(name)
    assert spec.ranks >= 1
    assert spec.timing.tRFC < spec.timing.tREFI


@pytest.mark.parametrize(
    ("change", "message"),
    (
        (("BL = 8", "BL = 9"), "dram_structure.BL"),
        (("rows = 32768", "rows = 30000"), "rows must be a power of two"),
        (("rochrababgco", "rochrabababa"), "address_mapping"),
        (("LPDDR3 ", "GDDR5"), "protocol"),
        (("tCK = 1.25", "tCK = soon"), "timing.tCK"),
        (("[timing]", "[timing"), "mine.ini"),
    ),
)
def test_bad_files_are_told_in_one_line(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    path = tmp_path / "mine.ini"
    path.write_text(INI.format(refresh="tREFI").replace(*change))
    with pytest.raises(SpecificationError, match=message) as error:
        load_specification(path)
    assert "\n" not in str(error.value)


def test_toml_files_must_not_hold_what_nobody_knows(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[timing]\ntRCF = 3\n")
    with pytest.raises(SpecificationError, match=r"timing.tRCF: no such field"):
        load_specification(path)
    with pytest.raises(SpecificationError, match="no memory nothing"):
        load_specification("nothing")


def test_text_and_parquet_traces_give_the_same(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    address, write = rng.integers(0, 1 << 30, 500), rng.random(500) < 0.3
    cycle = np.arange(500) * 3
    text = tmp_path / "a.trace"
    lines = [f"{hex(a)} {'WRITE' if w else 'READ'} {c}" for a, w, c in zip(address, write, cycle, strict=True)]
    text.write_text("\n".join(lines) + "\n")
    table = tmp_path / "a.parquet"
    pq.write_table(pa.table({"address": address, "write": write, "cycle": cycle}), table)
    runs = [simulate(load_specification("lpddr4-2400-b32"), read_stream(path)) for path in (text, table)]
    assert runs[0].done.tolist() == runs[1].done.tolist()
    shown = CliRunner().invoke(app, ["dram", str(text), "--json"])
    values = json.loads(shown.stdout)
    assert values["num_cycles"] == runs[0].system.cycle
    assert values["num_reads_done"] + values["num_writes_done"] == 500
    assert values["channels"]["0"]["num_act_cmds"] == values["num_act_cmds"]
    assert values["total_energy"] == pytest.approx(
        sum(values[name] for name in ("act_energy", "read_energy", "write_energy", "ref_energy"))
        + sum(sum(values[name].values()) for name in ("act_stb_energy", "pre_stb_energy"))
    )


@pytest.mark.parametrize(
    "content", ("0x10 READ\n", "0x10 LOOK 3\n", "zebra READ 3\n", "0x10 READ 3\n\xff\n", "0x" + "f" * 30 + " READ 0\n")
)
def test_bad_traces(tmp_path: Path, content: str) -> None:
    path = tmp_path / "bad.trace"
    path.write_text(content, "latin-1")
    with pytest.raises(StreamError, match="bad.trace"):
        read_stream(path)


def test_traces_that_go_back_in_time_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "back.trace"
    path.write_text("0x0 READ 5\n0x0 READ 4\n")
    with pytest.raises(ValueError, match="must not be negative or fall"):
        read_stream(path)


def test_an_empty_trace_is_over_at_once(tmp_path: Path) -> None:
    path = tmp_path / "empty.trace"
    path.write_text("")
    run = simulate(load_specification("lpddr4-2400-b32"), read_stream(path))
    assert run.system.cycle <= 1
