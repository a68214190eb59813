"""Specifications and traces from files, and `tilegpu dram`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from tilegpu.timing.assembly.dram import MAX_ARRIVAL, Stream, StreamError, simulate
from tilegpu.timing.assembly.dram_traces import read_stream
from tilegpu.timing.memory.dram.files import SpecificationError, load_specification, preset_names
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
    ("content", "line", "message"),
    (
        ("0x10 READ\n", 1, "expected"),
        ("0x10 LOOK 3\n", 1, "expected"),
        ("zebra READ 3\n", 1, "expected"),
        ("0x10 READ 3\n\xff\n", 2, "expected"),
        ("0x0 READ 0\n\n0x" + "f" * 30 + " READ 0\n", 3, "more than 63 bits"),
        (f"0x0 READ 0\n0x0 READ {1 << 63}\n", 2, "more than 63 bits"),
        ("0x0 READ 5\n\n0x0 READ 4\n", 3, "must not be negative or fall, not 4"),
        ("0x0 READ -1\n", 1, "must not be negative or fall, not -1"),
        ("0x0 READ 0\n-0x40 READ 1\n", 2, "addresses must be from 0"),
        (f"0x0 READ 0\n0x0 READ {10**12 + 1}\n", 2, "cycles must be at most 1,000,000,000,000"),
        (f"0x0 READ {10**18}\n", 1, "cycles must be at most"),
    ),
)
def test_bad_traces(tmp_path: Path, content: str, line: int, message: str) -> None:
    path = tmp_path / "bad.trace"
    path.write_text(content, "latin-1")
    with pytest.raises(StreamError, match=message) as error:
        read_stream(path)
    assert str(error.value).startswith(f"{path}:{line}: ")


@pytest.mark.parametrize(
    ("columns", "message"),
    (
        ({"address": [0, 64], "write": [0, 0], "cycle": [5, 4]}, "row 1: .*must not be negative or fall"),
        ({"address": [0, 64], "write": [0, 1], "cycle": [0, 10**13]}, "row 1: .*at most"),
        ({"address": [0, None], "write": [0, 1]}, "row 1: column address is empty"),
        ({"address": [0], "cycle": [0]}, "expected the columns"),
        ({"address": [0], "write": [0], "cycle": [0.5]}, "column cycle: .*truncated"),
    ),
)
def test_bad_tables(tmp_path: Path, columns: dict[str, list[int | None]], message: str) -> None:
    path = tmp_path / "bad.parquet"
    pq.write_table(pa.table(columns), path)
    with pytest.raises(StreamError, match=f"bad.parquet: {message}"):
        read_stream(path)


def test_a_stream_may_wait_as_long_as_it_says() -> None:
    late = np.array([MAX_ARRIVAL])
    assert Stream(np.zeros(1, np.int64), np.zeros(1, np.int64), late).arrival[0] == 10**12
    with pytest.raises(StreamError, match="at most"):
        Stream(np.zeros(1, np.int64), np.zeros(1, np.int64), late + 1)


def test_an_empty_trace_is_over_at_once(tmp_path: Path) -> None:
    path = tmp_path / "empty.trace"
    path.write_text("")
    run = simulate(load_specification("lpddr4-2400-b32"), read_stream(path))
    assert run.system.cycle <= 1
