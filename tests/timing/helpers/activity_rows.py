"""Rows of the tables that tests fill the same way every time."""

from __future__ import annotations

from typing import Any

from tilegpu.functional.activity.schema import TABLES

STAGES = ("vertex", "fragment", "compute")


def draw_row(
    frame: int,
    draw: int,
    number: int,
    event: int,
    program: int,
    width: int,
    height: int,
    wrap: str,
    function: str,
    write: bool,
    early: bool,
) -> dict[str, Any]:
    """Draw of two indexed triangles, with depth test."""
    stencil = None
    return dict(
        frame=frame,
        draw=draw,
        number=number,
        event=event,
        object=draw,
        collisionable=False,
        program=program,
        topology="TRIANGLES",
        first=0,
        count=6,
        index_bytes=2,
        index_buffer=1,
        index_offset_bytes=0,
        index_stream=[0, 1, 2, 2, 1, 3],
        instances=1,
        viewport=[0, 0, width, height],
        depth_range=[0.0, 1.0],
        attributes=[
            dict(
                location=0,
                buffer=0,
                version=0,
                offset_bytes=0,
                stride_bytes=24,
                format="FLOAT",
                components=3,
                normalized=False,
                divisor=0,
                constant=None,
            )
        ],
        bindings=[
            dict(
                stage="fragment",
                sampler=0,
                surface=2,
                version=0,
                min_filter="LINEAR",
                mag_filter="LINEAR",
                wrap_s=wrap,
                wrap_t=wrap,
                wrap_r=wrap,
                lod_bias=0.0,
                min_lod=-1000.0,
                max_lod=1000.0,
                base_level=0,
                max_level=1000,
                anisotropy=1.0,
                compare=None,
            )
        ],
        scissor=[0, 0, width, height],
        cull="NONE",
        front_face="CCW",
        polygon_offset=[0.0, 0.0],
        depth_test=True,
        depth_function=function,
        depth_write=write,
        depth_format="DEPTH24_STENCIL8",
        stencil_test=False,
        stencil_front=stencil,
        stencil_back=stencil,
        blend_enabled=False,
        blend=None,
        color_masks=[15],
        srgb_encoding=False,
        alpha_to_coverage=False,
        sample_coverage=1.0,
        line_width=1.0,
        early_depth=early,
        constants_version=0,
        uploads=[],
        **{"pass": frame},
    )


def recording_tables(width: int, height: int, texture_size: int) -> dict[str, list[dict[str, Any]]]:
    def surface(number: int, kind: str, format_: str, width: int, height: int) -> dict[str, Any]:
        return dict(
            surface=number,
            kind=kind,
            label="",
            format=format_,
            samples=1,
            block_width=1,
            block_height=1,
            block_bytes=4,
            levels=[dict(width=width, height=height, depth=1)],
            layers=1,
            first_event=0,
            last_event=0,
        )

    instructions, programs, paths = [], [], []
    for p in range(2):
        programs.append(
            dict(
                program=p,
                vertex_sha256="",
                fragment_sha256="",
                compute_sha256="",
                vertex_source="a;\nb;\nc;\nd;\n",
                fragment_source="a;\nb;\nc;\n",
                compute_source="",
                vertex_ir="",
                fragment_ir="",
                compute_ir="",
                varyings=[],
                attributes=[],
                discards=p == 1,
                writes_depth=False,
                reads_derivatives=False,
                writes_memory=False,
                local_size_x=1,
                local_size_y=1,
                local_size_z=1,
                shared_bytes=0,
                **{f"{stage}_{kind}": 0 for stage in STAGES for kind in ("alu", "sfu", "tex", "mem", "flow")},
            )
        )
        for pc in range(4):
            instructions.append(instruction(p, "vertex", pc, "alu", pc, pc - 1 if pc else None))
        instructions.append(instruction(p, "fragment", 0, "alu", 0, None))
        instructions.append(instruction(p, "fragment", 1, "tex", 1, 0) | {"block": 1})
        instructions.append(instruction(p, "fragment", 2, "alu", 2, 1) | {"block": 2})
        paths += [
            dict(program=p, stage="vertex", path=0, runs=[dict(first_pc=0, repetitions=1)]),
            dict(program=p, stage="fragment", path=0, runs=[dict(first_pc=i, repetitions=1) for i in range(3)]),
            dict(
                program=p,
                stage="fragment",
                path=1,
                runs=[dict(first_pc=0, repetitions=1), dict(first_pc=2, repetitions=1)],
            ),
        ]
    return {
        "surfaces": [
            surface(0, "default_color", "RGBA8", width, height),
            surface(1, "default_depth_stencil", "DEPTH24_STENCIL8", width, height),
            surface(2, "texture_2d", "RGBA8", texture_size, texture_size),
        ],
        "buffers": [
            dict(buffer=b, label="", size_bytes=4096, usage="STATIC_DRAW", first_event=-1, last_event=0)
            for b in range(2)
        ],
        "programs": programs,
        "instructions": instructions,
        "paths": paths,
    }


def instruction(program: int, stage: str, pc: int, kind: str, destination: int, source: int | None) -> dict[str, Any]:
    """Row of the instructions table; registers are TEMPs."""
    sources = [] if source is None else [dict(file="TEMP", index=source, swizzle="xyzw")]
    return {
        "program": program,
        "stage": stage,
        "pc": pc,
        "opcode": "MOV",
        "class": kind,
        "destination_file": "TEMP",
        "destination_index": destination,
        "write_mask": 15,
        "sources": sources,
        "block": 0,
        "in_position_slice": False,
        "half": False,
        "line": pc + 1,
        "calls": [],
        "sampler": 0 if kind == "tex" else None,
        "coord_origin": "varying" if kind == "tex" else None,
    }


def columns(name: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Rows as columns."""
    return {c.name: [row.get(c.name) for row in rows] for c in TABLES[name].columns} if rows else {}
