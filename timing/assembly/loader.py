"""A frame of an activity as the machine reads it."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tilegpu.functional.activity.errors import contradictions

from ..config.schema import Configuration
from ..engine import frame as f
from ..engine.dispatch_tables import Compute, no_dispatches
from ..loading.code import Code, read_code
from ..loading.compute.dispatch_order import place_dispatches
from ..loading.compute.dispatches import ComputeReader
from ..loading.compute.draw_accesses import DrawAccesses, Instructions, accessing_instructions
from ..loading.draws import Draws, read_draws
from ..loading.issue.varyings import places_of
from ..loading.loaded import Carried, Loaded
from ..loading.moves import read_moves
from ..loading.open_passes import frame_passes, kept_open
from ..loading.own import Source
from ..loading.passes import Passes, plan_saved, read_passes
from ..loading.primitives import read_primitives
from ..loading.quads import read_quads
from ..loading.resources import place_resources
from ..loading.source import ActivityError, RecordedFrame, numbers, open_activity
from ..loading.textures.operations import read_textures, read_vertex_textures
from ..loading.textures.read_lines import Reads
from ..loading.work import Accounts, number_work
from ..memory.address_map import PARAMETER_BUFFER_BYTES, PARAMETER_REGION, WHOLE, AddressSpace
from ..registry import components
from ..units.command_processor import CommandProcessorParameters


class Loader:
    """Loads frames of an activity for one configuration; what outlives frames (addresses, code, saved depth) is kept.

    Parameters
    ----------
    folder
        Activity.
    configuration
        Hardware: tile size, layouts, sizes in the Parameter Buffer.
    draws_only
        Whether dispatches are left out.
    space
        Addresses of the application.

    Attributes
    ----------
    accounts
        Those of the draws of the frame that was loaded last.

    Raises
    ------
    ActivityError
        Where the activity is damaged or needs what the simulator does not have.
    """

    def __init__(
        self, folder: Path, configuration: Configuration, draws_only: bool = False, space: AddressSpace = WHOLE
    ) -> None:
        self.configuration, self.draws_only, self.space = configuration, draws_only, space
        self.source = open_activity(folder)
        self.frames = list(self.source.frames)
        self.machine = components(configuration)[0]
        self.sorts = self.machine.sorts
        with contradictions(str(folder)):
            surfaces = self.source.table("surfaces")
            self.resources = place_resources(surfaces, self.source.table("buffers"), configuration, space)
            self._window = kept_open(surfaces, configuration, self.sorts)
            self.saved = plan_saved(self.source.table("passes"), in_memory=not self.sorts)
        self._instructions = self.source.table("instructions")
        self._paths = self.source.table("paths")
        self._places = places_of(self.source.table("programs"))
        self._carried = Carried()
        self._passes = 0
        self.accounts: Accounts | None = None

    def load(self, frame: int) -> f.Frame:
        """Tables of one frame."""
        if frame not in self.frames:
            raise ActivityError(f"{self.source.folder} has no frame {frame}")
        with contradictions(f"{self.source.folder}: frame {frame}"):
            return self._load(frame)

    def _load(self, frame: int) -> f.Frame:
        _, techniques = components(self.configuration)
        self._refuse_side_effects(frame, [technique.name for technique in techniques if technique.changes_shading])
        tables, loaded = self.read(frame)
        for technique in techniques:
            if technique.rewrite is not None:
                tables = technique.rewrite(loaded, self.configuration, tables)
        extra = tuple(t.load(loaded, self.configuration, tables) for t in techniques if t.load is not None)
        return f.with_extra(tables, extra) if extra else tables

    def _refuse_side_effects(self, frame: int, techniques: list[str]) -> None:
        """ActivityError where techniques would change what the programs of draws write to memory."""
        if not techniques:
            return
        for row in self.source.frame("draws", frame, ["number", "program"]).to_pylist():
            if row["program"] in self._writing:
                raise ActivityError(
                    f"frame {frame}: the program of draw {row['number']} writes to buffers or images, and "
                    f"{techniques[0]} shades other fragments than are drawn: replay it without"
                )

    @cached_property
    def _writing(self) -> frozenset[int]:
        """Programs that write to buffers, images or shared memory."""
        rows = self.source.table("programs", ["program", "writes_memory"]).to_pylist()
        return frozenset(row["program"] for row in rows if row["writes_memory"])

    def _recorded(self, frame: int) -> RecordedFrame:
        """Recorded tables of a frame, as amended by techniques."""
        tables = (self.source.frame(name, frame) for name in ("passes", "draws", "primitives", "quads"))
        recorded = RecordedFrame(self.source, frame, *tables)
        for technique in components(self.configuration)[1]:
            if technique.amend is not None:
                recorded = technique.amend(recorded, self.configuration)
        return recorded

    def _parameter_buffers(self, passes: int) -> tuple[int, ...]:
        """Start addresses of the Parameter Buffers of the next passes: the two that overlap needs take turns."""
        first, self._passes = self._passes, self._passes + passes
        two = self.configuration.of(CommandProcessorParameters).overlap != "none"
        own = PARAMETER_REGION + self.space.offset_bytes
        return tuple(own + two * (p % 2) * PARAMETER_BUFFER_BYTES for p in range(first, self._passes))

    def _compute(
        self, frame: int, code: Code, events: pa.Table, passes: Passes, render_pass: f.Table
    ) -> tuple[Compute, f.Table]:
        """Dispatches of a frame, and the passes with those before them."""
        if self.machine.computes:
            compute = ComputeReader(self.source, code, self.resources, self.configuration).read(frame)
            rows = self.source.frame("dispatches", frame, ["event", "bindings", "images"]).to_pylist()
            return compute, place_dispatches(events, rows, passes.rows, render_pass, self.configuration)
        if not self.draws_only and len(self.source.frame("dispatches", frame, ["dispatch"])):
            raise self._beyond_cores(frame, "dispatches compute programs")
        return no_dispatches(), render_pass

    def _beyond_cores(self, frame: int, what: str) -> ActivityError:
        """Error where a frame does what cores of the machine do not execute."""
        return ActivityError(
            f"frame {frame} {what}, which cores of the {self.machine.name} machine do not execute: choose one whose "
            "cores do, such as emerald-case2 or mali-g52-mc1"
        )

    def _draw_accesses(self, recorded: RecordedFrame, draws: Draws, code: Code) -> DrawAccesses | None:
        """Reader of accesses of draws to buffers and images, if there are any."""
        programs = {program for program, _ in self._accessing}
        first = next((row["number"] for row in draws.rows if row["program"] in programs), None)
        if first is None:
            return None
        if self.machine.computes:
            return DrawAccesses(recorded, self._accessing, code, self.resources, draws, self.configuration)
        if not self.draws_only:
            raise self._beyond_cores(recorded.frame, f"has draw {first}, whose program accesses buffers or images")
        return None

    @cached_property
    def _accessing(self) -> Instructions:
        """Instructions of the programs of draws that access buffers or images."""
        return accessing_instructions(self._instructions)

    def read(self, frame: int) -> tuple[f.Frame, Loaded]:
        """Tables of a frame without those of techniques, and what these are made from."""
        c = self.configuration
        code = read_code(self._instructions, self._paths, c, self.machine, self.space, self._places)
        events = self.source.frame("events", frame)
        recorded = self._recorded(frame)
        rows = frame_passes(recorded.passes, events, self._window)
        passes = read_passes(rows, events, self.resources, self.saved, c, self.sorts)
        passes = replace(passes, region=self._parameter_buffers(len(rows)))
        vertices = self.source.frame("vertices", frame)
        draws = read_draws(recorded.draws, vertices, self.resources, code, c)
        quads = recorded.quads
        primitives = read_primitives(recorded.primitives, vertices, quads, draws, passes, c)
        _batches(draws, passes)
        quad, order, shader_depth = read_quads(quads, primitives, passes, draws, code, c, self.machine.raster_tile)
        draw_of_quad = primitives.table["state"][quad["primitive"]].astype(np.int64)
        operation, line = read_textures(
            self.source.frame("texture_reads", frame, ["quad", *Reads._fields]),
            quad,
            order,
            draw_of_quad,
            draws,
            code,
            self.resources,
            c,
        )
        vertex_reads = self.source.frame("vertex_texture_reads", frame)
        operation, line = read_vertex_textures(vertex_reads, vertices, draws, code, self.resources, c, operation, line)
        _reading_passes(vertex_reads, vertices, draws, passes)
        accesses = self._draw_accesses(recorded, draws, code)
        written = np.zeros(0, f.Written.dtype) if accesses is None else accesses.written(passes)
        render_pass, move = read_moves(events, passes, self.resources, c)
        compute, render_pass = self._compute(frame, code, events, passes, render_pass)
        if accesses is not None:
            compute = accesses.behind(compute, order, draw_of_quad, vertices)
        place = self.accounts.place + 1 if self.accounts is not None else 0
        self.accounts = Accounts(frame, place, self.source, draws.rows, len(compute.dispatch))
        number_work(self.accounts, draws, primitives, compute)
        machine_tables = (
            ()
            if self.machine.load is None
            else self.machine.load(Source(recorded.primitives, draws, primitives, passes, code, quad, compute), c)
        )
        path, sequence = code.tables()
        tables = f.Tables(
            render_pass=render_pass,
            target=passes.target,
            tile=passes.tile,
            batch=draws.batch,
            attribute=draws.attribute,
            stream=draws.stream,
            primitive=primitives.table,
            bin=primitives.bins,
            entry=primitives.entry,
            state=draws.state,
            clear=passes.clear,
            quad=quad,
            shader_depth=shader_depth,
            saved=self.saved.values,
            path=path,
            sequence=sequence,
            instruction=code.instruction,
            operation=operation,
            line=line,
            move=move,
            written=written,
        ).frame(self.sorts)
        tables.depth.blended["row"] = order
        tables = tables._replace(machine=machine_tables)
        return tables, Loaded(recorded, draws, primitives, passes, self._carried, self.resources)


def _reading_passes(reads: pa.Table, vertices: pa.Table, draws: Draws, passes: Passes) -> None:
    """Mark passes whose vertices read textures: what the pass before draws, perhaps."""
    drawn = set(np.unique(numbers(vertices, "draw")[numbers(reads, "vertex").astype(np.int64)]).tolist())
    reading = {row["pass"] for row in draws.rows if row["draw"] in drawn}
    passes.render_pass["reads_textures"] = [row["pass"] in reading for row in passes.rows]


def _batches(draws: Draws, passes: Passes) -> None:
    """Assign the batches to the passes."""
    numbers: Any = [row["pass"] for row in passes.rows]
    passes.render_pass["first_batch"] = np.searchsorted(draws.batch_pass, numbers, side="left")
    passes.render_pass["last_batch"] = np.searchsorted(draws.batch_pass, numbers, side="right")
