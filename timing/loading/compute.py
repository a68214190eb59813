"""Dispatches of a frame, for machines whose cores execute compute programs: their warps, and what each access to memory
of a warp touches.

Warps take the invocations of a group in the order of their local indices. Lanes that take different paths are executed
as `units.simt_warps` says, so the order of a warp's accesses is known when the frame is loaded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from tilegpu.functional.activity.accesses import AccessRow, LocalSize, elements_of, lanes_of
from tilegpu.timing.declare.records import MAX_SIMT_THREADS, Record, i4, i8

from ..engine import frame as f
from ..units.simt_core import SimtCoreParameters
from ..units.work_groups import WorkGroupParameters
from .access_lines import Touched, bank_cycles, texel_addresses, touched
from .code import Code, merge
from .resources import Resources
from .source import Activity, ActivityError

if TYPE_CHECKING:
    from ..config.schema import Configuration

Array = np.ndarray[Any, Any]
WORD_BYTES = 4
NO_LANE = -1


class DispatchRow(Record):
    """Dispatch. `group_warps`: warps of a group, those of group g beginning at `first_warp` + g times as many;
    `registers`: of a lane; `waits`: whether a memory barrier lies between it and the dispatch before. The machine fills
    in when its first group may begin and its last one ends, and counts the groups that are `left`."""

    number: i4
    program: i4
    groups: i4
    group_warps: i4
    first_warp: i4
    registers: i4
    shared_bytes: i4
    waits: i4
    first_written: i4
    last_written: i4
    first_cycle: i8
    last_cycle: i8
    left: i8


class ComputeWarp(Record):
    """Warp of a group: rows of the paths of its lanes; the first of its accesses to memory."""

    first_lane: i4
    last_lane: i4
    first_operation: i4


class MemoryOperation(Record):
    """Access of a warp to memory: lines that it touches; `cycles`: that shared memory takes for it, or atomic
    operations that it consists of."""

    first_line: i8
    lines: i4
    cycles: i4


class MemoryLine(Record):
    """Line that an access touches; `bytes`: of the sectors of 32 bytes in it that the access touches."""

    address: i8
    bytes: i4


class Written(Record):
    """Range of memory that a dispatch may write."""

    address: i8
    size_bytes: i8


class Compute(NamedTuple):
    """Tables of dispatches."""

    dispatch: Array
    compute_warp: Array
    compute_lane: Array
    memory_operation: Array
    memory_line: Array
    written: Array


def no_dispatches() -> Compute:
    """Tables without rows."""
    kinds = (DispatchRow.dtype, ComputeWarp.dtype, np.int32, MemoryOperation.dtype, MemoryLine.dtype, Written.dtype)
    return Compute(*(np.zeros(0, kind) for kind in kinds))


class _Shape(NamedTuple):
    """Accesses of a warp by the paths of its lanes: instruction of each, (n,), and how often each lane has executed it
    before, (n, lanes), `NO_LANE` for lanes that do not execute it."""

    pc: Array
    execution: Array


class _Program(NamedTuple):
    """A compute program: its instructions on memory by pc, the size of its groups, and its rows in the activity."""

    number: int
    instructions: dict[int, dict[str, Any]]
    blocks: int
    size: LocalSize
    shared_bytes: int


@dataclass
class _Warps:
    """Warps so far."""

    warps: list[tuple[int, int, int]] = field(default_factory=list)
    lanes: list[int] = field(default_factory=list)
    operations: list[Array] = field(default_factory=list)
    lines: list[Array] = field(default_factory=list)
    operation_count: int = 0
    line_count: int = 0


class ComputeReader:
    """Reads dispatches.

    Parameters
    ----------
    activity
        What was recorded.
    code, resources
        As loaded.
    configuration
        Hardware.
    """

    def __init__(self, activity: Activity, code: Code, resources: Resources, configuration: Configuration) -> None:
        self.activity, self.code, self.resources, self.configuration = activity, code, resources, configuration
        self._made = _Warps()
        self._shapes: dict[tuple[int, tuple[int, ...]], _Shape] = {}

    def read(self, frame: int) -> Compute:
        """Tables of a frame.

        Raises
        ------
        ActivityError
            If the tables contradict each other, or a core has no room for a group.
        """
        rows = self.activity.frame("dispatches", frame).to_pylist()
        if not rows:
            return no_dispatches()
        programs = self._programs({row["program"] for row in rows})
        waits = _waits(self.activity.frame("events", frame, ["kind", "dispatch"]))
        tables = {name: self.activity.frame(name, frame) for name in ("invocations", "memory_accesses")}
        found, written = np.zeros(len(rows), DispatchRow.dtype), list[tuple[int, int]]()
        for i, row in enumerate(rows):
            program = programs[row["program"]]
            own = {name: _of_dispatch(table, row["dispatch"]) for name, table in tables.items()}
            first_warp, first_written = len(self._made.warps), len(written)
            groups = row["groups_x"] * row["groups_y"] * row["groups_z"]
            self._groups(row, program, groups, own)
            written += self._written(row, program)
            lanes = int(np.prod(program.size))
            found[i] = (
                row["dispatch"],
                program.number,
                groups,
                -(-lanes // MAX_SIMT_THREADS),
                first_warp,
                self.code.registers.get((program.number, "compute"), 0),
                program.shared_bytes,
                waits[row["dispatch"]],
                first_written,
                len(written),
                0,
                0,
                groups,
            )
            self._check(row, found[i])
        made = self._made
        return Compute(
            found,
            np.array(made.warps, ComputeWarp.dtype),
            np.array(made.lanes, np.int32),
            np.concatenate([*made.operations, np.zeros(0, MemoryOperation.dtype)]),
            np.concatenate([*made.lines, np.zeros(0, MemoryLine.dtype)]),
            np.array(written, Written.dtype),
        )

    def _programs(self, numbers: set[int]) -> dict[int, _Program]:
        rows = {row["program"]: row for row in self.activity.table("programs").to_pylist()}
        instructions: dict[int, list[dict[str, Any]]] = {number: [] for number in numbers}
        for row in self.activity.table("instructions").to_pylist():
            if row["program"] in numbers and row["stage"] == "compute":
                instructions[row["program"]].append(row)
        return {
            number: _Program(
                number,
                {row["pc"]: row for row in instructions[number] if accesses_memory(row)},
                len(instructions[number]),
                (rows[number]["local_size_x"], rows[number]["local_size_y"], rows[number]["local_size_z"]),
                rows[number]["shared_bytes"],
            )
            for number in numbers
        }

    def _check(self, dispatch: dict[str, Any], row: Any) -> None:
        """ActivityError where no core can hold a group, for that would wait for ever."""
        core, groups = self.configuration.of(SimtCoreParameters), self.configuration.of(WorkGroupParameters)
        threads, needed = int(row["group_warps"]) * MAX_SIMT_THREADS, int(row["shared_bytes"])
        for amount, room, what in (
            (threads, core.max_threads, "threads: raise simt_core.max_threads"),
            (threads * int(row["registers"]), core.registers, "registers: raise simt_core.registers"),
            (needed, groups.shared_bytes, "bytes of shared memory: raise work_groups.shared_bytes"),
        ):
            if amount > room:
                raise ActivityError(f"dispatches: a group of dispatch {dispatch['dispatch']} needs {amount:,} {what}")

    def _groups(self, row: dict[str, Any], program: _Program, groups: int, own: dict[str, pa.Table]) -> None:
        lanes = int(np.prod(program.size))
        paths = _paths(own["invocations"], groups * lanes, row["dispatch"]).reshape(groups, lanes)
        accesses = _by_group(own["memory_accesses"])
        rows = {path: self.code.row(program.number, "compute", (path,)) for path in np.unique(paths).tolist()}
        for group in range(groups):
            elements = _elements(accesses.get(group, []), program.size)
            for first in range(0, lanes, MAX_SIMT_THREADS):
                own_paths = paths[group, first : first + MAX_SIMT_THREADS].tolist()
                self._warp(row, program, own_paths, {pc: e[:, first : first + 32] for pc, e in elements.items()})
                self._made.lanes += [rows[path] for path in own_paths]

    def _warp(self, row: dict[str, Any], program: _Program, paths: list[int], elements: dict[int, Array]) -> None:
        """A warp with the paths of its lanes, and the elements they access by instruction."""
        made, shape = self._made, self._shape(program, tuple(paths))
        first_lane = len(made.lanes)
        made.warps.append((first_lane, first_lane + len(paths), made.operation_count))
        operations = np.zeros(len(shape.pc), MemoryOperation.dtype)
        parts: list[tuple[Array, Touched]] = []
        for pc in np.unique(shape.pc).tolist():
            which = np.flatnonzero(shape.pc == pc)
            execution = shape.execution[which]
            if pc not in elements or execution.max(initial=0) >= len(elements[pc]):
                raise ActivityError(f"memory_accesses: dispatch {row['dispatch']} lacks executions of instruction {pc}")
            found = elements[pc][execution, np.arange(len(paths))]
            self._operations(
                row, program.instructions[pc], np.where(execution == NO_LANE, -1, found), which, operations, parts
            )
        lines = _in_order(operations, parts)
        operations["first_line"] += made.line_count
        made.operations.append(operations)
        made.lines.append(lines)
        made.operation_count += len(operations)
        made.line_count += len(lines)

    def _operations(
        self,
        row: dict[str, Any],
        instruction: dict[str, Any],
        elements: Array,
        which: Array,
        operations: Array,
        parts: list[tuple[Array, Touched]],
    ) -> None:
        """Fill in the accesses of one instruction: elements of lanes, (n, lanes), -1 for none."""
        words = words_of(instruction)
        if instruction["memory"] == "SHARED":
            atomic = instruction["opcode"].startswith("ATOM")
            banks = self.configuration.of(WorkGroupParameters).banks
            operations["cycles"][which] = bank_cycles(elements, words, banks, atomic)
            return
        if instruction["memory"] == "BUFFER":
            bound = row["buffers"][instruction["memory_index"]]
            base = self.resources.buffer_address.get(bound["buffer"], 0) + bound["offset_bytes"]
            addresses, size = np.where(elements < 0, -1, base + WORD_BYTES * elements), WORD_BYTES * words
        else:
            addresses, size = self._texels(row["images"][instruction["memory_index"]], elements)
        if instruction["opcode"].startswith("ATOM"):
            operations["cycles"][which] = (elements >= 0).sum(1)
        lines = touched(addresses, size, self.configuration.memory.line_bytes)
        operations["lines"][which] = lines.counts
        parts.append((which, lines))

    def _texels(self, image: dict[str, Any], elements: Array) -> tuple[Array, int]:
        if image["surface"] < 0:
            return np.full_like(elements, -1), 1
        level = self.resources.level_of(image["surface"], image["level"])
        surface = self.resources.surface[self.resources.surface_row[image["surface"]]]
        address = int(level["address"]) + image["first_layer"] * int(level["layer_bytes"])
        return texel_addresses(elements, image, surface, (address, int(level["layer_bytes"])), self.configuration)

    def _shape(self, program: _Program, paths: tuple[int, ...]) -> _Shape:
        """Accesses of a warp in order."""
        key = program.number, paths
        if key not in self._shapes:
            distinct = sorted(set(paths))
            blocks = [self.code.blocks_of(program.number, "compute", path, program.blocks) for path in distinct]
            order = blocks[0] if len(blocks) == 1 else merge(blocks)
            self._shapes[key] = _shape(program, paths, distinct, blocks, order)
        return self._shapes[key]

    def _written(self, row: dict[str, Any], program: _Program) -> list[tuple[int, int]]:
        changing = [i for i in program.instructions.values() if i["opcode"] != "LOAD" and i["memory"] != "SHARED"]
        found = set()
        for instruction in changing:
            if instruction["memory"] == "BUFFER":
                bound = row["buffers"][instruction["memory_index"]]
                address = self.resources.buffer_address.get(bound["buffer"], 0) + bound["offset_bytes"]
                found.add((address, max(0, bound["size_bytes"])))
            elif (image := row["images"][instruction["memory_index"]])["surface"] >= 0:
                level = self.resources.level_of(image["surface"], image["level"])
                found.add((int(level["address"]), int(level["layer_bytes"]) * (image["first_layer"] + image["layers"])))
        return sorted(found)


def accesses_memory(row: dict[str, Any]) -> bool:
    """Whether an instruction, a row of the activity, accesses memory; queries of sizes do not."""
    return row["memory"] is not None and row["opcode"] != "RESQ"


def words_of(row: dict[str, Any]) -> int:
    """Words that each lane accesses, one after the other."""
    if row["opcode"] == "STORE":
        return max(1, row["stored"] or 0)
    return max(1, row["write_mask"].bit_length()) if row["opcode"] == "LOAD" else 1


def _waits(events: pa.Table) -> dict[int, bool]:
    """Whether a barrier lies between each dispatch and what comes before."""
    found, waits = {}, True
    for kind, dispatch in zip(events["kind"].to_pylist(), events["dispatch"].to_pylist(), strict=True):
        if kind == "dispatch":
            found[dispatch], waits = waits, False
        waits |= kind == "barrier"
    return found


def _of_dispatch(table: pa.Table, dispatch: int) -> pa.Table:
    numbers = table["dispatch"].to_numpy()
    first, last = np.searchsorted(numbers, (dispatch, dispatch + 1))
    return table.slice(first, last - first)


def _paths(table: pa.Table, invocations: int, dispatch: int) -> Array:
    """Path of each invocation."""
    paths = np.full(invocations, -1, np.int64)
    for first, count, path in zip(*(table[name].to_pylist() for name in ("first", "count", "path")), strict=True):
        paths[max(0, first) : first + count] = path
    if (paths < 0).any():
        raise ActivityError(f"invocations: dispatch {dispatch} has {invocations} of them, not all of which have a path")
    return paths


def _by_group(table: pa.Table) -> dict[int, list[AccessRow]]:
    found: dict[int, list[AccessRow]] = {}
    for values in zip(*(table[name].to_pylist() for name in AccessRow._fields), strict=True):
        found.setdefault(values[0], []).append(AccessRow(*values))
    return found


def _elements(rows: list[AccessRow], size: LocalSize) -> dict[int, Array]:
    """Elements that lanes access, by instruction: (executions, lanes), -1 beyond the executions of a lane."""
    lanes, found = int(np.prod(size)), dict[int, list[tuple[Array, Array]]]()
    for row in rows:
        found.setdefault(row.pc, []).append((lanes_of(row, size), elements_of(row, size)))
    tables: dict[int, Array] = {}
    for pc, parts in found.items():
        counts = np.sum([executing * len(elements) for executing, elements in parts], 0)
        table, at = np.full((int(counts.max()), lanes), -1, np.int64), np.zeros(lanes, np.int64)
        for executing, elements in parts:
            which = np.flatnonzero(executing)
            table[at[which] + np.arange(len(elements))[:, None], which] = np.where(elements < 0, -1, elements)
            at[which] += len(elements)
        tables[pc] = table
    return tables


def _shape(program: _Program, paths: tuple[int, ...], distinct: list[int], blocks: list[Array], order: Array) -> _Shape:
    """Accesses of lanes that take paths, of which the blocks are given, and the order in which a warp takes these."""
    starts = sorted({int(b) for own in blocks for b in own})
    inside = {
        start: [pc for pc, row in sorted(program.instructions.items()) if row["block"] == start] for start in starts
    }
    lane_of = np.array([distinct.index(path) for path in paths])
    at, done = [0] * len(blocks), [dict.fromkeys(program.instructions, 0) for _ in blocks]
    pcs, executions = list[int](), list[list[int]]()
    for block in order.tolist():
        going = [i < len(own) and int(own[i]) == block for own, i in zip(blocks, at, strict=True)]
        for pc in inside[block]:
            pcs.append(pc)
            executions.append([done[p][pc] if goes else NO_LANE for p, goes in enumerate(going)])
            for p, goes in enumerate(going):
                done[p][pc] += goes
        at = [i + goes for i, goes in zip(at, going, strict=True)]
    table = np.array(executions, np.int64).reshape(-1, len(blocks))
    return _Shape(np.array(pcs, np.int64), table[:, lane_of])


def _in_order(operations: Array, parts: list[tuple[Array, Touched]]) -> Array:
    """Lines of all accesses in their order; the first of each access is filled in."""
    ends = np.cumsum(operations["lines"])
    operations["first_line"] = ends - operations["lines"]
    lines = np.zeros(int(ends[-1]) if len(ends) else 0, MemoryLine.dtype)
    for which, part in parts:
        first = np.repeat(operations["first_line"][which], part.counts)
        within = np.arange(len(part.address)) - np.repeat(np.cumsum(part.counts) - part.counts, part.counts)
        lines["address"][first + within], lines["bytes"][first + within] = part.address, part.bytes
    return lines


def place_dispatches(events: pa.Table, ends: list[int], render_pass: Array) -> Array:
    """The passes with the dispatches that come before each: those before the end of a pass and after that of the one
    before; what comes after the last pass gets a pass without draws."""
    chosen = events.filter(pa.compute.equal(events["kind"], "dispatch"))
    before = np.searchsorted(ends, chosen["event"].to_numpy())
    if len(before) and len(render_pass) == len(ends) and before.max() == len(ends):
        render_pass = np.concatenate([render_pass, f.empty_pass(render_pass)])
    counts = np.bincount(before, minlength=len(render_pass))
    render_pass["last_dispatch"] = np.cumsum(counts)
    render_pass["first_dispatch"] = render_pass["last_dispatch"] - counts
    return render_pass
