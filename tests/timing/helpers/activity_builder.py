"""Small activities for tests: rectangles of two triangles each, shaded by a hand-written program, drawn in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from activity_rows import columns, draw_row, recording_tables

from tilegpu.functional.activity.kernels.depth import depth_at, quantize_depth
from tilegpu.functional.activity.manifest import Manifest
from tilegpu.functional.activity.schema import FORMAT_VERSION, TABLES
from tilegpu.functional.activity.writer import ActivityWriter

COMPARE = {
    "LESS": np.less,
    "LEQUAL": np.less_equal,
    "ALWAYS": lambda a, b: np.full(a.shape, True),
    "GREATER": np.greater,
    "EQUAL": np.equal,
}


@dataclass
class Rectangle:
    """Draw of one rectangle (pixels), at a depth, tilted by `slope` per pixel to the right."""

    x: int
    y: int
    width: int
    height: int
    depth: float = 0.5
    slope: float = 0.0
    discards: int = 0
    """Lanes that every quad discards; makes the program one that discards."""
    textured: bool = True
    function: str = "LESS"
    write: bool = True
    cull: bool = False


@dataclass
class Clear:
    """Clear of depth between draws."""

    depth: float


@dataclass
class Scene:
    """Frames of items; all frames share surfaces and programs."""

    width: int = 64
    height: int = 64
    frames: list[list[Rectangle | Clear]] = field(default_factory=list)
    texture_size: int = 64
    wrap: str = "REPEAT"
    load_depth_from_second: bool = False
    varyings: int = 2
    tables: dict[str, list[list[dict[str, Any]]]] = field(default_factory=dict)

    def write(self, folder: Path) -> Path:
        """Write the activity."""
        self.tables = {name: [] for name, table in TABLES.items() if table.scope == "frame"}
        self.buffer = np.zeros((self.height, self.width), np.int64)
        self.draw = self.event = 0
        for number, items in enumerate(self.frames):
            for rows in self.tables.values():
                rows.append([])
            self._frame(number, items)
        numbers = tuple(range(len(self.frames)))
        with ActivityWriter(folder) as writer:
            for name, groups in self.tables.items():
                for rows in groups:
                    writer.write(name, columns(name, rows))
            for name, rows in recording_tables(self.width, self.height, self.texture_size).items():
                writer.write(name, columns(name, rows))
            writer.finish(
                Manifest(
                    format_version=FORMAT_VERSION,
                    tool_version="0",
                    source_name="synthetic",
                    source_sha256="0" * 64,
                    level="visible",
                    back_end="numpy",
                    snap="8",
                    frames=numbers,
                    row_groups=(1,) * len(numbers),
                    rows=writer.rows,
                )
            )
        return folder

    def _add(self, name: str, **row: Any) -> None:
        self.tables[name][-1].append(row)

    def _frame(self, number: int, items: list[Rectangle | Clear]) -> None:
        first = self.event
        loaded = self.load_depth_from_second and number > 0
        drawn = False
        if not loaded:
            self._clear(number, 1.0)
        for item in items:
            if isinstance(item, Clear):
                self._clear(number, item.depth)
                continue
            drawn = True
            self._rectangle(number, item)
        assert drawn or not items
        self._add("events", frame=number, event=self.event, call=self.event, kind="swap")
        self.event += 1
        self._add(
            "frames",
            frame=number,
            first_event=first,
            last_event=self.event - 1,
            width=self.width,
            height=self.height,
            format="RGBA8",
        )
        load, store = ("load", "store") if self.load_depth_from_second else ("clear", "discard")
        self._add(
            "passes",
            frame=number,
            first_event=first,
            last_event=self.event - 1,
            width=self.width,
            height=self.height,
            samples=1,
            attachments=[
                dict(slot="color0", surface=0, level=0, layer=0, format="RGBA8", load="clear", store="store"),
                dict(
                    slot="depth",
                    surface=1,
                    level=0,
                    layer=0,
                    format="DEPTH24_STENCIL8",
                    load=load if loaded else "clear",
                    store=store,
                ),
            ],
            **{"pass": number},
        )

    def _clear(self, number: int, depth: float) -> None:
        self.buffer[:] = quantize_depth(depth, 1)
        self._add(
            "events",
            frame=number,
            event=self.event,
            call=self.event,
            kind="clear",
            x=0,
            y=0,
            width=self.width,
            height=self.height,
            color_mask=15,
            depth_mask=True,
            stencil_mask=0,
            clear_color=[0.0] * 4,
            srgb_encoding=True,
            clear_depth=depth,
            clear_stencil=0,
            **{"pass": number},
        )
        self.event += 1

    def _rectangle(self, number: int, r: Rectangle) -> None:
        program = 1 if r.discards else 0
        vertex = len(self.tables["vertices"][-1])
        self._add(
            "draws",
            **draw_row(
                number,
                self.draw,
                len(self.tables["draws"][-1]),
                self.event,
                program,
                self.width,
                self.height,
                self.wrap,
                r.function,
                r.write,
                not r.discards,
            ),
        )
        self._add(
            "events", frame=number, event=self.event, call=self.event, kind="draw", draw=self.draw, **{"pass": number}
        )
        corners = [(r.x, r.y), (r.x + r.width, r.y), (r.x, r.y + r.height), (r.x + r.width, r.y + r.height)]
        for i in range(4):
            self._add(
                "vertices",
                frame=number,
                vertex=vertex + i,
                draw=self.draw,
                instance=0,
                index=i,
                path=0,
                clip_x=2.0 * corners[i][0] / self.width - 1.0,
                clip_y=2.0 * corners[i][1] / self.height - 1.0,
                clip_z=2.0 * r.depth - 1.0,
                clip_w=1.0,
                outputs=[0.0] * (4 * self.varyings),
                parent_0=-1,
                parent_1=-1,
                weight=0.0,
            )
        for half, triple in enumerate(((0, 1, 2), (2, 1, 3))):
            primitive = len(self.tables["primitives"][-1])
            xy = {
                f"{axis}_{i}": corners[corner]["xy".index(axis)] * 256
                for i, corner in enumerate(triple)
                for axis in "xy"
            }
            self._add(
                "primitives",
                frame=number,
                primitive=primitive,
                draw=self.draw,
                instance=0,
                source=half,
                **{f"vertex_{i}": vertex + corner for i, corner in enumerate(triple)},
                **xy,
                depth=r.depth,
                depth_dx=r.slope,
                depth_dy=0.0,
                front_facing=True,
                culled="face" if r.cull else "none",
                point_size=0.0,
                line_width=0.0,
            )
            if not r.cull:
                self._quads(number, r, primitive, half)
        self.draw += 1
        self.event += 1

    def _quads(self, number: int, r: Rectangle, primitive: int, half: int) -> None:
        """Quads of the lower left or the upper right half; pixels on the diagonal belong to the lower left one."""
        y, x = np.mgrid[r.y : r.y + r.height, r.x : r.x + r.width]
        below = (x + 0.5 - r.x) / r.width + (y + 0.5 - r.y) / r.height <= 1
        mask = np.zeros((self.height + 2, self.width + 2), bool)
        mask[r.y : r.y + r.height, r.x : r.x + r.width] = below if half == 0 else ~below
        for quad_y in range(self.height // 2 + 1):
            for quad_x in range(self.width // 2 + 1):
                lanes = [mask[2 * quad_y + (i >> 1), 2 * quad_x + (i & 1)] for i in range(4)]
                if any(lanes):
                    self._quad(number, r, primitive, quad_x, quad_y, lanes)

    def _quad(self, number: int, r: Rectangle, primitive: int, x: int, y: int, lanes: list[bool]) -> None:
        passed = 0
        for i in range(4):
            px, py = 2 * x + (i & 1), 2 * y + (i >> 1)
            if not lanes[i] or r.discards >> i & 1:
                continue
            z = depth_at(r.depth, r.slope, 0.0, px, py, 1)
            if COMPARE[r.function](np.array(z), self.buffer[py, px]):
                passed |= 1 << i
                if r.write:
                    self.buffer[py, px] = z
        coverage = sum(1 << i for i in range(4) if lanes[i])
        shaded = passed != 0 or r.discards != 0
        path = (0 if r.textured else 1) if shaded else -1
        quad = len(self.tables["quads"][-1])
        self._add(
            "quads",
            frame=number,
            primitive=primitive,
            x=x,
            y=y,
            coverage=coverage,
            depth_pass=passed,
            discarded=coverage & r.discards,
            path_0=path,
            path_1=path,
            path_2=path,
            path_3=path,
        )
        if shaded and r.textured:
            self._add(
                "texture_reads",
                frame=number,
                quad=quad,
                pc=1,
                sampler=0,
                probe=0,
                linear=True,
                level=0,
                layer=0,
                lanes=coverage | (15 & ~coverage) << 4,
                x=2 * x,
                y=2 * y,
                dx_1=1,
                dy_1=0,
                dx_2=0,
                dy_2=1,
                dx_3=1,
                dy_3=1,
            )
