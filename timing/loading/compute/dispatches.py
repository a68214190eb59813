"""Dispatches of a frame, for machines whose cores execute compute programs: their warps, and what each access to memory
of a warp touches.

Warps take the invocations of a group in the order of their local indices. Lanes that take different paths are executed
as `units.simt_warps` says, so the order of a warp's accesses is known when the frame is loaded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from tilegpu.functional.activity.accesses import AccessRow, LocalSize

from ...engine import frame as f
from ...engine.dispatch_tables import Compute, ComputeWarp, DispatchRow, MemoryLine, MemoryOperation, no_dispatches
from ...units.simt_core import SimtCoreParameters
from ...units.work_groups import WorkGroupParameters, shared_in_memory
from ..code import Code
from ..resources import Resources
from ..source import Activity, ActivityError
from ..textures.grids import Textures, bind, make_textures
from .access_lines import Touched, bank_cycles
from .bound_memory import bound_by, in_order, lines_of, local_lines, written_by
from .compute_texels import BoundTextures, Sampled, read_sampled, sampled_lines
from .dispatch_order import waiting_dispatches
from .warp_accesses import TEXELS, Elements, Kind, Shape, accesses_memory, group_elements, warp_elements, warp_shape

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

Array = np.ndarray[Any, Any]
_TABLES = "invocations", "memory_accesses", "compute_texture_reads"


class _Program(NamedTuple):
    """A compute program: its instructions on memory and textures by pc, how many it has of any kind, the size of its
    groups."""

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


class _Dispatch(NamedTuple):
    """Place of a dispatch in the frame, and its row."""

    place: int
    row: dict[str, Any]


class _SampledGroup(NamedTuple):
    """Texels that a dispatch samples, None for none, and the number of a group."""

    sampled: Sampled | None
    group: int


class _Accesses(NamedTuple):
    """Operations of a group, `MemoryOperation`, and the lines that some of them touch, to fill."""

    operations: Array
    lines: list[tuple[Array, Touched]]


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

    def __init__(self, activity: Activity, code: Code, resources: Resources, configuration: Hardware) -> None:
        self.activity, self.code, self.resources, self.configuration = activity, code, resources, configuration
        self._warp_threads = configuration.of(SimtCoreParameters).warp_threads
        self._made = _Warps()
        self._shapes: dict[tuple[int, tuple[int, ...]], Shape] = {}
        self._textures: Textures

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
        waits = waiting_dispatches(self.activity.frame("events", frame, ["kind", "dispatch"]))
        tables = {name: self.activity.frame(name, frame) for name in _TABLES}
        bindings = bind(rows, self.resources, "compute")
        self._textures = make_textures(bindings, self.resources, self.configuration)
        dispatches, written = np.zeros(len(rows), DispatchRow.dtype), list[tuple[int, int]]()
        for i, row in enumerate(rows):
            program = programs[row["program"]]
            own = {name: _of_dispatch(table, row["dispatch"]) for name, table in tables.items()}
            first_warp, first_written = len(self._made.warps), len(written)
            groups = row["groups_x"] * row["groups_y"] * row["groups_z"]
            self._groups(_Dispatch(i, row), program, groups, own)
            written += written_by(program.instructions.values(), bound_by(row), self.resources)
            lanes = prod(program.size)
            dispatches[i] = (
                row["dispatch"],
                program.number,
                groups,
                -(-lanes // self._warp_threads),
                first_warp,
                self.code.registers.get((program.number, "compute"), 0),
                program.shared_bytes,
                waits[row["dispatch"]],
                first_written,
                len(written),
                0,
                0,
                0,
                0,
            )
            self._check(row, dispatches[i])
        made = self._made
        return Compute(
            dispatches,
            np.array(made.warps, ComputeWarp.dtype),
            np.array(made.lanes, np.int32),
            np.concatenate([*made.operations, np.zeros(0, MemoryOperation.dtype)]),
            np.concatenate([*made.lines, np.zeros(0, MemoryLine.dtype)]),
            np.array(written, f.Written.dtype),
            np.zeros(0, np.int32),
            np.zeros(0, np.int32),
        )

    def _programs(self, numbers: set[int]) -> dict[int, _Program]:
        names = ["program", "local_size_x", "local_size_y", "local_size_z", "shared_bytes"]
        rows = {row["program"]: row for row in self.activity.table("programs", names).to_pylist()}
        instructions: dict[int, list[dict[str, Any]]] = {number: [] for number in numbers}
        for row in self.activity.table("instructions").to_pylist():
            if row["program"] in numbers and row["stage"] == "compute":
                instructions[row["program"]].append(row)
        return {
            number: _Program(
                number,
                {row["pc"]: row for row in instructions[number] if accesses_memory(row) or row["class"] == "tex"},
                len(instructions[number]),
                (rows[number]["local_size_x"], rows[number]["local_size_y"], rows[number]["local_size_z"]),
                rows[number]["shared_bytes"],
            )
            for number in numbers
        }

    def _check(self, dispatch: dict[str, Any], row: Any) -> None:
        """ActivityError where no core can hold a group, for that would wait for ever."""
        core, groups = self.configuration.of(SimtCoreParameters), self.configuration.of(WorkGroupParameters)
        threads, needed = int(row["group_warps"]) * self._warp_threads, int(row["shared_bytes"])
        for amount, room, what in (
            (threads, core.max_threads, "threads: raise simt_core.max_threads"),
            (threads * int(row["registers"]), core.registers, "registers: raise simt_core.registers"),
            (needed, groups.shared_bytes, "bytes of shared memory: raise work_groups.shared_bytes"),
        ):
            if amount > room:
                raise ActivityError(f"dispatches: a group of dispatch {dispatch['dispatch']} needs {amount:,} {what}")

    def _groups(self, dispatch: _Dispatch, program: _Program, groups: int, own: dict[str, pa.Table]) -> None:
        """Warps of a dispatch, its place in the frame and its row."""
        (number, row), lanes = dispatch, prod(program.size)
        paths = _paths(own["invocations"], groups * lanes, row["dispatch"]).reshape(groups, lanes)
        accesses = _by_group(own["memory_accesses"])
        sampling, sampled = {pc: i for pc, i in program.instructions.items() if i["class"] == "tex"}, None
        if sampling:
            place, of = BoundTextures(self._textures, number), (program.number, program.blocks)
            sampled = read_sampled(own["compute_texture_reads"], paths, of, sampling, place, self.code)
        rows = {path: self.code.row(program.number, "compute", (path,)) for path in np.unique(paths).tolist()}
        for group in range(groups):
            own_paths = paths[group].tolist()
            elements = group_elements(accesses.get(group, []), program.size)
            self._group(row, program, own_paths, elements, _SampledGroup(sampled, group))
            self._made.lanes += [rows[path] for path in own_paths]

    def _group(
        self,
        row: dict[str, Any],
        program: _Program,
        paths: list[int],
        elements: Elements,
        texels: _SampledGroup,
    ) -> None:
        """The warps of a group with the paths of its lanes, the elements that they access, and its texels."""
        made, alike, count = self._made, dict[tuple[int, ...], list[tuple[int, int]]](), 0
        for first in range(0, len(paths), self._warp_threads):
            own = tuple(paths[first : first + self._warp_threads])
            lane = len(made.lanes) + first
            made.warps.append((lane, lane + len(own), made.operation_count + count))
            alike.setdefault(own, []).append((first, count))
            count += len(self._shape(program, own).pc)
        operations, parts = np.zeros(count, MemoryOperation.dtype), list[tuple[Array, Touched]]()
        for own, places in alike.items():
            shape = self._shape(program, own)
            first_lane, first_operation = np.array(places).T
            for kind, which in shape.kinds.items():
                numbers = (first_operation[:, None] + which).reshape(-1)
                if kind == TEXELS:
                    sampled, group = texels
                    assert sampled is not None
                    lines = sampled_lines(sampled, group, shape, first_lane)
                    operations["lines"][numbers] = lines.counts
                    parts.append((numbers, lines))
                    continue
                try:
                    elements_of_warps = warp_elements(elements, shape, which, first_lane)
                except LookupError:
                    raise ActivityError(
                        f"memory_accesses: dispatch {row['dispatch']} lacks some that it executes"
                    ) from None
                self._operations(
                    row, kind, elements_of_warps.reshape(-1, len(own)), numbers, _Accesses(operations, parts)
                )
        ordered = in_order(operations, parts)
        operations["first_line"] += made.line_count
        made.operations.append(operations)
        made.lines.append(ordered)
        made.operation_count += len(operations)
        made.line_count += len(ordered)

    def _operations(
        self,
        row: dict[str, Any],
        kind: Kind,
        elements: Array,
        which: Array,
        accesses: _Accesses,
    ) -> None:
        """Fill in accesses of one kind: elements of lanes, (accesses, lanes), -1 for none."""
        operations, parts = accesses
        if kind.memory == "SHARED" and shared_in_memory(self.configuration):
            lines = local_lines(kind, elements, self.configuration)
            operations["lines"][which] = lines.counts
            if kind.atomic:
                operations["cycles"][which] = (elements >= 0).sum(1)
            parts.append((which, lines))
            return
        if kind.memory == "SHARED":
            banks = self.configuration.of(WorkGroupParameters).banks
            operations["cycles"][which] = bank_cycles(elements, kind.words, banks, kind.atomic)
            return
        if kind.atomic:
            operations["cycles"][which] = (elements >= 0).sum(1)
        lines = lines_of(kind, elements, bound_by(row), self.resources, self.configuration)
        operations["lines"][which] = lines.counts
        parts.append((which, lines))

    def _shape(self, program: _Program, paths: tuple[int, ...]) -> Shape:
        """Accesses of a warp in order."""
        key = program.number, paths
        if key not in self._shapes:
            blocks = {p: self.code.blocks(program.number, "compute", p, program.blocks) for p in set(paths)}
            self._shapes[key] = warp_shape(program.instructions, blocks, paths)
        return self._shapes[key]


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
    by_group: dict[int, list[AccessRow]] = {}
    for values in zip(*(table[name].to_pylist() for name in AccessRow._fields), strict=True):
        by_group.setdefault(values[0], []).append(AccessRow(*values))
    return by_group
