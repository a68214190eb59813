"""INI files as DRAMsim3 reads them: its INIReader takes numbers by C's strtol and strtod, and joins values by name."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from tilegpu.timing.config import load_configuration
from tilegpu.timing.memory.dram.files import SpecificationError, load_specification, read_specification
from tilegpu.timing.memory.dram.ini import IniError, read_ini
from tilegpu.timing.memory.dram.specification import Specification, Structure, System, Timing
from tilegpu.tools.main import app

SECTIONS = {"dram_structure": Structure, "timing": Timing, "system": System}

LIBC = ctypes.CDLL(None)
LIBC.strtol.restype, LIBC.strtod.restype = ctypes.c_long, ctypes.c_double


def c_number(text: str, real: bool) -> float | None:
    """The number that C's library takes from the beginning of a text; None if there is none."""
    buffer, end = ctypes.create_string_buffer(text.encode()), ctypes.c_char_p()
    value = LIBC.strtod(buffer, ctypes.byref(end)) if real else LIBC.strtol(buffer, ctypes.byref(end), 0)
    return None if end.value == buffer.value else value


def read(path: Path, text: str) -> tuple[Specification, list[str]]:
    path.write_text(text)
    spec, warnings = read_specification(path)
    assert all(line.startswith(f"{path}:") for line in warnings)
    return spec, [line.removeprefix(f"{path}:") for line in warnings]


@settings(max_examples=400)
@given(st.text("0123456789aFxX.eEp+-;#_ ", min_size=1, max_size=12), st.booleans())
def test_numbers_are_those_of_the_c_library(text: str, real: bool) -> None:
    name, kind = ("tCK", float) if real else ("tRFC", int)
    # What is left of a value before a comment and white space.
    value = text.strip().partition(" ;")[0].strip()
    wanted = c_number(value, real) if value else None
    try:
        values, _ = read_ini(f"[timing]\n{name} ={text}\n", SECTIONS)
    except IniError as error:
        assert (error.line, wanted) == (2, None)
        return
    if wanted is None:
        assert name not in values["timing"]
        assert not value or value[0] == ";"
    else:
        assert values["timing"][name] == pytest.approx(wanted, rel=1e-15)
        assert type(values["timing"][name]) is kind


@pytest.mark.parametrize(
    ("line", "name", "value", "warned"),
    (
        ("tCK = 1.25;", "tCK", 1.25, ""),
        ("tCK = 1.25; of the data sheet", "tCK", 1.25, ""),
        ("tCK = 1.25 ; of the data sheet", "tCK", 1.25, ""),
        ("tCK=1.25# of the data sheet", "tCK", 1.25, ""),
        ("TCK : 1.25", "tCK", 1.25, ""),
        ("tCK = 1.25ns", "tCK", 1.25, "2: timing.tCK: '1.25ns' is read as 1.25"),
        ("tWR = 08", "tWR", 0, "2: timing.tWR: '08' is read as 0"),
        ("tWR = 010", "tWR", 8, ""),
        ("tWR = 12.5", "tWR", 12, "2: timing.tWR: '12.5' is read as 12"),
        ("tWR = ; silent", "tWR", 10, ""),
        ("tWR = 14\ntRP = 9\ntWR = 20", "tWR", 14, "4: timing.tWR is given again: 14 of line 2 holds"),
        ("tWR =\ntWR = 20", "tWR", 20, ""),
        ("tWR = 14\n tRP = 9", "tRP", 10, "3: not read: it is indented"),
        ("tWR =\n 9", "tWR", 9, ""),
        ("REFI = 3120\ntREFI = 3900", "tREFI", 3900, "2: timing.REFI is not read"),
    ),
)
def test_values_are_read_as_dramsim3_reads_them(
    tmp_path: Path, line: str, name: str, value: float, warned: str
) -> None:
    spec, warnings = read(tmp_path / "mine.ini", f"[timing]\n{line}\n")
    assert getattr(spec.timing, name) == value
    assert len(warnings) == (1 if warned else 0)
    assert all(told.startswith(warned) for told in warnings)


def test_a_truth_given_twice_is_none() -> None:
    """The reader joins the two, finds neither true nor false, and takes the default."""
    values, warnings = read_ini("[system]\nunified_queue = true\nunified_queue = true\n", SECTIONS)
    assert "unified_queue" not in values["system"]
    assert [line for line, _ in warnings] == [3]


def test_banks_are_one_group_without_bank_groups(tmp_path: Path) -> None:
    text = "[dram_structure]\nprotocol = LPDDR4\nbankgroups = 4\nbanks_per_group = 4\nbankgroup_enable = {}\n"
    path = tmp_path / "mine.ini"
    on, off = (read(path, text.format(word))[0] for word in ("true", "false"))
    assert (on.dram_structure.bankgroups, on.dram_structure.banks_per_group) == (4, 4)
    assert (off.dram_structure.bankgroups, off.dram_structure.banks_per_group) == (1, 16)
    # The bits of an address that chose the group choose the bank, and a copy is the same memory.
    assert (off.field_places()["bg"][1], off.field_places()["ba"][1]) == (0, 4)
    assert Specification.model_validate(off.model_dump()) == off
    toml = tmp_path / "mine.toml"
    toml.write_text("[dram_structure]\nbankgroups = 4\nbanks_per_group = 2\nbankgroup_enable = false\n")
    assert load_specification(toml).dram_structure.banks_per_group == 8


@pytest.mark.parametrize(
    ("text", "where", "message"),
    (
        ("[timing]\n\ntCK = soon\n", ":3", "timing.tCK"),
        ("[timing]\ntCK = 0.001\n", ":2", "timing.tCK"),
        ("[timing]\ntRFC = " + "9" * 5000, ":2", "timing.tRFC"),
        ("[timing]\ntRFC 74\n", ":2", "expected `name = value`"),
        ("[timing\ntRFC = 74\n", ":1", r"no \]"),
        ("[system]\nchannels = 1\nunified_queue = maybe\n", ":3", "system.unified_queue"),
        ("[system]\naddress_mapping = rochrabababa\n", ":2", "address_mapping"),
        ("[system]\nrow_buf_policy = OPEN_PAGE\nrow_buf_policy = OPEN_PAGE\n", ":3", "again; it is given in line 2"),
        ("[dram_structure]\nprotocol = LPDDR4;\n", ":2", "dram_structure.protocol"),
        ("[dram_structure]\nrows = 30000\n", ":2", "rows must be a power of two"),
        ("[dram_structure]\nrows = 512\n", ":2", "rows must make a rank"),
        ("[dram_structure]\nBL = 16\ncolumns = 8\nrows = 4194304\n", ":3", "columns must be at least BL"),
        ("[dram_structure]\nbankgroups = -2\nbanks_per_group = -2\nbankgroup_enable = no\n", ":2", "bankgroups"),
        ("[timing]\ntRFC = 9000\n", "", "tREFI must be at least"),
        ("[timing]\ntRFC = 9000\nREFI = 8000\n", ":3", "tREFI must be at least"),
        # A refresh of 7700, two accesses of tRCD 10 + CWL 12 + BL/2 4 + tWR 100 + tRP 10, four banks to close.
        ("[timing]\ntREFI = 7975\ntRFC = 7700\ntWR = 100\n", ":2", "at least 7976 cycles .* not 7975"),
        (
            "[timing]\ntRFCb = 90\ntREFIb = 80\n[system]\nrefresh_policy = BANK_LEVEL_STAGGERED\n",
            ":3",
            "tREFIb must be at least",
        ),
    ),
)
def test_errors_name_file_line_and_field(tmp_path: Path, text: str, where: str, message: str) -> None:
    path = tmp_path / "mine.ini"
    path.write_text(text)
    with pytest.raises(SpecificationError, match=message) as error:
        load_specification(path)
    told = str(error.value)
    assert told.startswith(f"{path}{where}: ")
    assert "\n" not in told
    assert len(told) < 300


def test_toml_errors_name_the_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[timing]\ntCK = 1.0\n\ntRFC = "long"\n')
    with pytest.raises(SpecificationError, match=r"mine.toml:4: timing.tRFC"):
        load_specification(path)


def test_comments_may_be_of_any_encoding(tmp_path: Path) -> None:
    path = tmp_path / "mine.ini"
    path.write_bytes(b"\xef\xbb\xbf; 8 \xb5s\n[timing] ; in \xb5s\r\ntWR = 14 ; \xb5s\r\n")
    assert load_specification(path).timing.tWR == 14


def test_the_commands_warn(tmp_path: Path) -> None:
    path, trace = tmp_path / "mine.ini", tmp_path / "one.trace"
    path.write_text("[timing]\ntWR = 14\ntWR = 15\n")
    trace.write_text("0x0 READ 0\n")
    result = CliRunner().invoke(app, ["dram", str(trace), "--memory", str(path)])
    assert result.exit_code == 0
    assert f"{path}:3: timing.tWR is given again" in result.output
    configuration = load_configuration("ptr-2022", [f"dram={path}"])
    assert [line.partition(": ")[0] for line in configuration.dram.warnings] == [f"{path}:3"]
