"""Rows of programs: their inputs and varyings, uniforms, and instructions."""

from __future__ import annotations

import hashlib
from typing import Any

from ..gles.uniforms import MATRIX_COLUMNS
from ..glsl import BlockMember, LinkedProgram, Uniform
from ..glsl.block_layout import SLOT_BYTES
from ..glsl.gl_types import gl_type
from ..glsl.ir import analysis
from ..glsl.ir.program import Stage
from ..glsl.ir.text import print_shader
from ..glsl.types import ArrayType
from .rows import Rows


def program_rows(rows: Rows, number: int, linked: LinkedProgram, sources: tuple[str, str]) -> None:
    """Add the row of a program; `sources` are those of its vertex and fragment shader."""
    counts: dict[str, int] = {}
    for stage, shader in (("vertex", linked.vertex), ("fragment", linked.fragment)):
        found = analysis.count_by_class(shader)
        counts |= {f"{stage}_{kind}": found.get(kind, 0) for kind in ("alu", "sfu", "tex", "flow")}
    rows.add(
        program=number,
        vertex_sha256=hashlib.sha256(sources[0].encode("utf-8", "surrogateescape")).hexdigest(),
        fragment_sha256=hashlib.sha256(sources[1].encode("utf-8", "surrogateescape")).hexdigest(),
        vertex_ir=print_shader(linked.vertex),
        fragment_ir=print_shader(linked.fragment),
        **counts,
        varyings=[
            dict(name=v.name, slot=v.slot, components=v.components, interpolation=v.interpolation)
            for v in linked.varyings
        ],
        attributes=[dict(name=a.name, type=f"{a.gl_type:#06x}", location=a.location) for a in linked.attributes],
        uniforms=_uniforms(linked),
        discards=linked.fragment.discards,
        writes_depth=linked.fragment.writes_depth,
        reads_derivatives=linked.fragment.reads_derivatives,
    )


def _uniforms(linked: LinkedProgram) -> list[dict[str, Any]]:
    """Active uniforms of both stages except samplers, then members of uniform blocks."""
    found = []
    for stage in linked.shaders:
        for uniform in linked.uniforms:
            if stage in uniform.slots:
                found.append(dict(stage=stage, block="", **_default_uniform(uniform, uniform.slots[stage])))
        for block in linked.blocks:
            if stage in block.slots:
                members = [_member(member, block.slots[stage]) for member in block.members]
                found += [dict(stage=stage, block=block.name, **member) for member in members]
    return found


def _default_uniform(uniform: Uniform, slot: int) -> dict[str, Any]:
    columns = MATRIX_COLUMNS.get(uniform.gl_type, 1)
    return dict(
        name=uniform.name,
        offset_bytes=SLOT_BYTES * slot,
        type=f"{uniform.gl_type:#06x}",
        array_size=uniform.array_size,
        array_stride_bytes=SLOT_BYTES * columns if uniform.array_size else 0,
        matrix_stride_bytes=SLOT_BYTES if columns > 1 else 0,
        row_major=False,
    )


def _member(member: BlockMember, slot: int) -> dict[str, Any]:
    return dict(
        name=member.name,
        offset_bytes=SLOT_BYTES * slot + member.offset_bytes,
        type=f"{gl_type(member.type):#06x}",
        array_size=member.type.size if isinstance(member.type, ArrayType) else 0,
        array_stride_bytes=member.array_stride_bytes,
        matrix_stride_bytes=member.matrix_stride_bytes,
        row_major=member.row_major,
    )


def instruction_rows(rows: Rows, number: int, stage: Stage, linked: LinkedProgram) -> None:
    """Add the rows of the instructions of a stage."""
    shader = linked.shaders[stage]
    blocks = {pc: block.first for block in analysis.blocks(shader) for pc in range(block.first, block.last + 1)}
    origins = analysis.coordinate_origins(shader)
    sliced = analysis.position_slice(shader) if stage == "vertex" else frozenset()
    for pc, instruction in enumerate(shader.instructions):
        destination = instruction.destination
        rows.add(
            program=number,
            stage=stage,
            pc=pc,
            opcode=instruction.opcode,
            **{"class": instruction.info.operation_class},
            destination_file=destination.file.value if destination else None,
            destination_index=destination.index if destination else None,
            write_mask=destination.write_mask if destination else 0,
            sources=[
                dict(file=s.file.value, index=s.index, swizzle="".join("xyzw"[c] for c in s.swizzle))
                for s in instruction.sources
            ],
            sampler=instruction.sampler,
            flow_target=instruction.flow_target,
            block=blocks[pc],
            coord_origin=origins.get(pc),
            in_position_slice=pc in sliced,
        )
