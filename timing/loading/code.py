"""Code: the instructions of the recording, and the paths executed, as sequences of instructions."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tilegpu.timing.declare.stages import FragmentStage

from ..engine import frame as f
from ..memory.address_map import CODE_REGION, WHOLE, AddressSpace
from ..units.work_groups import shared_in_memory
from .issue.pipes import PIPES
from .issue.times import issue_of
from .issue.varyings import Places
from .memory_code import mark_accesses
from .pixel_code import MULTIPLY, NO_PROGRAM, PIXEL_CODE, Accesses, append_pixel_code, pixel_counts
from .register_accesses import accesses_of_instructions, accesses_of_program
from .shader_code import append_before, registers_of, take_place
from .source import ActivityError, numbers

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..engine.machine import Machine

KINDS = {"alu": f.ALU, "sfu": f.SFU, "tex": f.TEX, "flow": f.FLOW, "mem": f.MEM}
TEMPORARIES, OUTPUTS, ADDRESSES = 52, 8, 3
"""Scoreboard entries per register file: 1-52, 53-60, 61-63. Registers beyond share entries (more hazards,
never fewer)."""
LONGEST_SEQUENCES = 1 << 27
"""Instructions of all paths together that are held at a time."""
COUNTED = (*f.KINDS, *f.REGISTER_ACCESSES)
"""Counts of each lane: columns of the table of paths."""


Executed = tuple[int, str, tuple[int, ...], Accesses, Accesses]
"""Work of a warp: program, stage, paths of its lanes, accesses behind the program and before it."""


@dataclass
class Code:
    """Instructions of all programs, and the paths asked for so far.

    `register` of a path gives the row in the table of paths; rows of both stages are in one table. `behind_rows`,
    `before_rows`: the first of the instructions around a program, where the machine has such. `registers`: what a lane
    of a scalar machine needs for a program.
    """

    instruction: np.ndarray[Any, Any]
    program_rows: dict[tuple[int, str], tuple[int, np.ndarray[Any, Any]]]
    block_counts: dict[tuple[int, str], np.ndarray[Any, Any]]
    beside: dict[tuple[int, str], np.ndarray[Any, Any]]
    runs: dict[tuple[int, str, int], list[tuple[int, int]]]
    behind_rows: dict[tuple[int, str], int] = field(default_factory=dict)
    before_rows: dict[tuple[int, str], int] = field(default_factory=dict)
    registers: dict[tuple[int, str], int] = field(default_factory=dict)
    rows: dict[Executed, int] = field(default_factory=dict)
    row_sequence: list[int] = field(default_factory=list)
    row_counts: list[np.ndarray[Any, Any]] = field(default_factory=list)
    sequence_of: dict[Executed, int] = field(default_factory=dict)
    sequences: list[np.ndarray[Any, Any]] = field(default_factory=list)
    length: int = 0

    def row(
        self, program: int, stage: str, paths: tuple[int, ...], accesses: Accesses = (), before: Accesses = ()
    ) -> int:
        """Row of the path that executes those of a warp's lanes; -1 where none of them is shaded.

        `accesses`: what follows the program, of `pixel_code.PIXEL_CODE`; `before`: what comes before it.
        """
        lanes = tuple(sorted(p for p in paths if p >= 0))
        if not lanes and not accesses and not before:
            return -1
        key = (program, stage, lanes, accesses, before)
        if key not in self.rows:
            self.rows[key] = len(self.row_sequence)
            self.row_sequence.append(self._sequence_row((program, stage, tuple(sorted(set(lanes))), accesses, before)))
            lane_counts = [self._counts(program, stage, path) for path in lanes]
            threads = len(lanes) or len(paths)
            if stage == "vertex":
                around = np.zeros(len(COUNTED), np.int64)
                around[f.MEM] = threads * (len(before) + len(accesses))
            else:
                outputs = self._outputs(program)
                around = pixel_counts(accesses, outputs, threads) + pixel_counts(before, outputs, threads)
            self.row_counts.append(np.sum([*lane_counts, around], 0))
        return self.rows[key]

    def _sequence_row(self, key: Executed) -> int:
        if key not in self.sequence_of:
            program, stage, lanes, accesses, before = key
            sequence = self._sequence(program, stage, lanes) if lanes else np.zeros(0, np.int32)
            if before:
                ahead = self.before_rows[self._around(program, stage)] + np.array(before, np.int32)
                sequence = np.concatenate([ahead.astype(np.int32), sequence])
            if accesses:
                behind = self.behind_rows[self._around(program, stage)] + np.array(accesses, np.int32)
                sequence = np.concatenate([sequence, behind.astype(np.int32)])
            self.length += len(sequence)
            if self.length > LONGEST_SEQUENCES:
                raise ActivityError(f"paths: more than {LONGEST_SEQUENCES} instructions in all paths together")
            self.sequence_of[key] = len(self.sequences)
            self.sequences.append(sequence)
        return self.sequence_of[key]

    def writes_memory(self, program: int, stage: str) -> bool:
        """Whether a program has instructions that write buffers or images, on machines that execute such."""
        first, blocks = self.program_rows.get((program, stage), (0, ()))
        return bool(np.isin(self.instruction["access"][first : first + len(blocks)], (f.GLOBAL_STORE, f.ATOMIC)).any())

    def _around(self, program: int, stage: str) -> tuple[int, str]:
        """Key of the instructions around a program."""
        return (program, stage) if (program, stage) in self.behind_rows else (NO_PROGRAM, stage)

    def _outputs(self, program: int) -> int:
        """Registers with the colours of a fragment program that instructions follow."""
        if not self.behind_rows:
            return 0
        reads = self.instruction[self.behind_rows[self._around(program, "fragment")] + MULTIPLY]
        return sum(int(reads[f"source_{i}"] > 0) for i in range(3))

    def _counts(self, program: int, stage: str, path: int) -> np.ndarray[Any, Any]:
        """Operations of each class that a lane executes on a path, and the registers it reads and writes."""
        of_block = self.block_counts[program, stage]
        blocks = self.blocks(program, stage, path, of_block.shape[1])
        times = np.bincount(blocks, minlength=of_block.shape[1])
        return np.asarray(of_block @ times + self.beside[program, stage], np.int64)

    def _sequence(self, program: int, stage: str, lanes: tuple[int, ...]) -> np.ndarray[Any, Any]:
        if (program, stage) not in self.program_rows:
            raise ActivityError(f"instructions: none for the {stage} shader of program {program}")
        first, block_length = self.program_rows[program, stage]
        blocks = [self.blocks(program, stage, path, len(block_length)) for path in lanes]
        merged = blocks[0] if len(blocks) == 1 else merge(blocks)
        lengths = block_length[merged]
        starts = np.cumsum(lengths) - lengths
        total = int(lengths.sum())
        if total > LONGEST_SEQUENCES:
            raise ActivityError(f"paths: a path of program {program} executes {total} instructions")
        sequence = (np.repeat(merged + first - starts, lengths) + np.arange(total)).astype(np.int32)
        # An instruction without a cycle of its own issues together with another.
        return np.asarray(sequence[self.instruction["cycles"][sequence] > 0])

    def blocks(self, program: int, stage: str, path: int, instructions: int) -> np.ndarray[Any, Any]:
        """First instruction of every block executed, in order."""
        runs = self.runs.get((program, stage, path))
        if runs is None:
            raise ActivityError(f"paths: there is no path {path} of the {stage} shader of program {program}")
        first = np.array([r[0] for r in runs], np.int64)
        repetitions = np.array([r[1] for r in runs], np.int64)
        if len(first) and (
            first.min() < 0
            or first.max() >= instructions
            or repetitions.min() < 0
            or repetitions.sum() > LONGEST_SEQUENCES
        ):
            raise ActivityError(f"paths: path {path} of the {stage} shader of program {program} leaves the code")
        return np.repeat(first, repetitions)

    def tables(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Paths and sequence as the machine reads them."""
        path = np.zeros(len(self.row_sequence), f.ShaderPath.dtype)
        lengths = np.array([len(s) for s in self.sequences], np.int64)
        last, which = np.cumsum(lengths), np.array(self.row_sequence, np.int64)
        path["last"], path["first"] = last[which], (last - lengths)[which]
        for name, counts in zip(COUNTED, np.array(self.row_counts, np.int64).reshape(-1, len(COUNTED)).T, strict=True):
            path[name] = counts
        return path, np.concatenate([*self.sequences, np.zeros(0, np.int32)])


def merge(lanes: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    """Blocks a warp executes when its lanes take different ones: always the lowest address that a lane has reached.

    Lanes that wait there go together; so branches join again where the code does.
    """
    at = [0] * len(lanes)
    merged: list[int] = []
    while True:
        reached = [int(lane[i]) for lane, i in zip(lanes, at, strict=True) if i < len(lane)]
        if not reached:
            return np.array(merged, np.int64)
        lowest = min(reached)
        merged.append(lowest)
        at = [i + (i < len(lane) and lane[i] == lowest) for lane, i in zip(lanes, at, strict=True)]


def read_code(
    instructions: pa.Table,
    paths: pa.Table,
    configuration: Hardware,
    machine: Machine,
    space: AddressSpace = WHOLE,
    places: Places = MappingProxyType({}),
) -> Code:
    """Decode the instructions of all programs and give them addresses; ActivityError where they make no sense.

    Parameters
    ----------
    instructions, paths
        Tables of the activity.
    configuration
        Hardware.
    machine
        Its declaration, which says what programs do in addition to what is recorded.
    space
        Addresses of the application.
    places
        Inputs of programs that are the place of the fragment.
    """
    table = np.zeros(len(instructions), f.Instruction.dtype)
    kinds = instructions["class"].to_pylist()
    unknown = set(kinds) - set(KINDS)
    if unknown:
        raise ActivityError(f"instructions: unknown class {sorted(map(str, unknown))[0]}")
    table["kind"] = [KINDS[k] for k in kinds]
    mark_accesses(table, instructions, machine.computes, shared_in_memory(configuration))
    table["pc"] = numbers(instructions, "pc")
    files, indices = instructions["destination_file"].to_pylist(), numbers(instructions, "destination_index")
    table["destination"] = [scoreboard_entry(a, int(b)) for a, b in zip(files, indices, strict=True)]
    for i, sources in enumerate(instructions["sources"].to_pylist()):
        read = [entry for entry in (scoreboard_entry(s["file"], s["index"]) for s in sources or ()) if entry][:3]
        for name, entry in zip(("source_0", "source_1", "source_2"), read, strict=False):
            table[name][i] = entry
    program, stage = numbers(instructions, "program"), instructions["stage"].to_pylist()
    block = numbers(instructions, "block")
    issue = issue_of(instructions, configuration, machine.scalar, places)
    table["cycles"], table["channels"] = issue.cycles, issue.channels
    for i, pipe in enumerate(PIPES):
        table[pipe] = issue.pipes[:, i]
    operations, registers = _operations(instructions, table["kind"]), accesses_of_instructions(instructions)
    program_rows, block_counts, beside = {}, {}, {}
    region = space.region(CODE_REGION)
    blends = machine.blends_in_shader
    starts = [i for i in range(len(table)) if i == 0 or (program[i], stage[i]) != (program[i - 1], stage[i - 1])]
    for first, last in zip(starts, [*starts[1:], len(table)], strict=False):
        n = last - first
        if (
            (table["pc"][first:last] != np.arange(n)).any()
            or block[first:last].min() < 0
            or block[first:last].max() >= n
        ):
            raise ActivityError(f"instructions: those of program {program[first]} are not in order")
        follows = len(PIXEL_CODE) if blends and stage[first] == "fragment" else 0
        key = int(program[first]), stage[first]
        if machine.tests_in_shader:
            take_place(table[first:last], stage[first], region, configuration)
        else:
            address = region.take((n + follows) * configuration.of(FragmentStage).instruction_bytes)
            table["address"][first:last] = address + np.arange(n) * configuration.of(FragmentStage).instruction_bytes
        program_rows[key] = first, np.bincount(block[first:last], minlength=n)
        block_counts[key] = np.zeros((len(COUNTED), n), np.int64)
        np.add.at(block_counts[key], (table["kind"][first:last], block[first:last]), operations[first:last])
        for row, accesses in zip(block_counts[key][len(f.KINDS) :], registers[:, first:last], strict=True):
            np.add.at(row, block[first:last], accesses)
        beside[key] = np.zeros(len(COUNTED), np.int64)
        beside[key][len(f.KINDS) :] = accesses_of_program(instructions[first:last], not follows)
    runs = {
        (row["program"], row["stage"], row["path"]): [(r["first_pc"], r["repetitions"]) for r in row["runs"] or ()]
        for row in paths.to_pylist()
    }
    ranges = {key: (first, first + len(n)) for key, (first, n) in program_rows.items()}
    needed: dict[tuple[int, str], int] = {}
    if machine.scalar:
        needed = {key: registers_of(instructions[first:last]) for key, (first, last) in ranges.items()}
    if not blends:
        return Code(table, program_rows, block_counts, beside, runs, registers=needed)
    fragment = {p: (first, first + len(n)) for (p, of), (first, n) in program_rows.items() if of == "fragment"}
    table, behind = append_pixel_code(table, fragment, region, configuration, machine.scalar)
    behind_rows = {(p, "fragment"): row for p, row in behind.items()}
    before_rows: dict[tuple[int, str], int] = {}
    if machine.tests_in_shader:
        table, before_rows, stores = append_before(table, ranges, configuration)
        behind_rows |= stores
    return Code(table, program_rows, block_counts, beside, runs, behind_rows, before_rows, needed)


def _operations(instructions: pa.Table, kind: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Operations of a lane in each instruction: the components it writes, one where it is no vector operation."""
    components = np.array([bin(mask).count("1") for mask in range(16)])[numbers(instructions, "write_mask") & 15]
    return np.where((kind == f.ALU) | (kind == f.TEX), components, 1)


def scoreboard_entry(file: str | None, index: int) -> int:
    """Entry of a register on the scoreboard; 0 for what is always ready."""
    if file == "TEMP":
        return 1 + index % TEMPORARIES
    if file == "OUT":
        return 1 + TEMPORARIES + index % OUTPUTS
    if file == "ADDR":
        return 1 + TEMPORARIES + OUTPUTS + index % ADDRESSES
    return 0
