"""Accesses to register files: counts of a small program by hand, and of what is counted in a run."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from test_by_hand import A, one_primitive

from tilegpu.timing.config import load_configuration
from tilegpu.timing.engine import frame as f
from tilegpu.timing.loading import pixel_code as p
from tilegpu.timing.loading.code import Code, read_code
from tilegpu.timing.registry import find_machine

SOURCE = pa.struct([("file", pa.string()), ("index", pa.int32())])
NAMES = f.REGISTER_ACCESSES


def program(stage: str = "fragment", preset: str = "ptr-2022") -> Code:
    """MUL TEMP[0], IN[0], CONST[1]; MAD TEMP[0], TEMP[0], TEMP[0], IMM[0]; ADD OUT[0], TEMP[0], IN[0]."""
    sources = [
        [("IN", 0), ("CONST", 1)],
        [("TEMP", 0), ("TEMP", 0), ("IMM", 0)],
        [("TEMP", 0), ("IN", 0)],
    ]
    instructions = pa.table(
        {
            "program": [1] * 3,
            "stage": [stage] * 3,
            "pc": [0, 1, 2],
            "class": ["alu"] * 3,
            "block": [0, 1, 2],
            "destination_file": ["TEMP", "TEMP", "OUT"],
            "destination_index": [0, 0, 0],
            "write_mask": pa.array([15] * 3, pa.uint8()),
            "sources": pa.array([[{"file": a, "index": i} for a, i in s] for s in sources], pa.list_(SOURCE)),
        }
    )
    runs = [[{"first_pc": 0, "repetitions": 1}, {"first_pc": 1, "repetitions": n}, {"first_pc": 2, "repetitions": 1}]
            for n in (1, 3)]  # fmt: skip
    paths = pa.table({"program": [1, 1], "stage": [stage] * 2, "path": [0, 1], "runs": runs})
    configuration = load_configuration(preset)
    return read_code(instructions, paths, configuration, find_machine(configuration.machine))


def counts(code: Code, row: int) -> dict[str, int]:
    """Accesses of a path that are not 0."""
    path, _ = code.tables()
    return {name: int(path[name][row]) for name in NAMES if path[name][row]}


@pytest.mark.parametrize("stage", ["fragment", "vertex"])
def test_a_program_of_three_instructions(stage: str) -> None:
    code = program(stage)
    one = {"constant_reads": 2, "input_reads": 2, "temporal_reads": 3, "temporal_writes": 2, "output_writes": 1}
    # One input, which is written before; one output, which is read behind.
    one |= {"input_writes": 1, "output_reads": 1}
    assert counts(code, code.row(1, stage, (0, -1, -1, -1))) == one
    assert counts(code, code.row(1, stage, (0, 0, 0, 0))) == {name: 4 * n for name, n in one.items()}
    # One lane executes the second instruction three times.
    longer = one | {"constant_reads": 4, "temporal_reads": 7, "temporal_writes": 4}
    assert counts(code, code.row(1, stage, (0, 1, 0, -1))) == {name: 2 * one[name] + longer[name] for name in one}


def test_accesses_to_pixels_read_and_write_temporal_registers_and_read_outputs() -> None:
    code = program(preset="dae-2012-baseline")
    own = {"constant_reads": 2, "input_reads": 2, "input_writes": 1, "temporal_reads": 3, "temporal_writes": 2}
    own["output_writes"] = 1

    def more(accesses: p.Accesses, **other: int) -> None:
        found = counts(code, code.row(1, "fragment", (0, 0), accesses))
        expected = {name: 2 * (own.get(name, 0) + other.get(name, 0)) for name in NAMES}
        assert found == {name: n for name, n in expected.items() if n}

    # Stores the output as it is.
    more((p.STORE_COLOR,), output_reads=1)
    # Loaded, product, sum; the product reads the output, the sum both, the store the sum.
    more((p.LOAD_COLOR, p.MULTIPLY, p.MULTIPLY_ADD, p.STORE_COLOR), output_reads=1, temporal_writes=3, temporal_reads=3)
    # Loaded, compared, stored.
    more((p.LOAD_DEPTH, p.COMPARE, p.STORE_DEPTH), temporal_writes=2, temporal_reads=2)


def test_processors_count_what_their_quads_and_vertices_access(machine: Any) -> None:
    frame = one_primitive([A, A], quads=3)
    for i, name in enumerate(NAMES):
        frame.shading.path[name] = [10 + i, 100 + i]
    s = machine(compiled=False).run(frame)
    for i, name in enumerate(NAMES):
        assert s[f"fragment.processor.{name}"] == 3 * (10 + i)
        # Two of the three vertices are one.
        assert s[f"geometry.vertex_processor.{name}"] == 2 * (100 + i)
