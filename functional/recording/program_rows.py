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
from ..text import legible, octets
from .rows import Rows

STAGES: tuple[Stage, ...] = ("vertex", "fragment", "compute")
_CLASSES = ("alu", "sfu", "tex", "mem", "flow")


def program_rows(rows: Rows, number: int, linked: LinkedProgram, sources: tuple[str, ...]) -> None:
    """Add the row of a program; `sources` are those of its shaders, in their order."""
    texts = dict(zip(linked.shaders, sources, strict=True))
    columns: dict[str, Any] = {}
    for stage in STAGES:
        shader = linked.shaders.get(stage)
        counts = analysis.count_by_class(shader) if shader is not None else {}
        columns |= {f"{stage}_{kind}": counts.get(kind, 0) for kind in _CLASSES}
        columns[f"{stage}_sha256"] = _hash(texts[stage]) if stage in texts else ""
        columns[f"{stage}_source"] = legible(texts.get(stage, ""))
        columns[f"{stage}_ir"] = "" if shader is None else print_shader(shader)
    fragment, compute = linked.shaders.get("fragment"), linked.shaders.get("compute")
    size = (1, 1, 1) if compute is None else compute.local_size
    rows.add(
        program=number,
        **columns,
        varyings=[
            dict(name=v.name, slot=v.slot, components=v.components, interpolation=v.interpolation)
            for v in linked.varyings
        ],
        attributes=[dict(name=a.name, type=f"{a.gl_type:#06x}", location=a.location) for a in linked.attributes],
        uniforms=_uniforms(linked),
        discards=fragment is not None and fragment.discards,
        writes_depth=fragment is not None and fragment.writes_depth,
        reads_derivatives=fragment is not None and fragment.reads_derivatives,
        writes_memory=any(shader.writes_memory for shader in linked.shaders.values()),
        **dict(zip(("local_size_x", "local_size_y", "local_size_z"), size, strict=True)),
        shared_bytes=0 if compute is None else compute.shared_bytes,
    )


def _hash(source: str) -> str:
    return hashlib.sha256(octets(source)).hexdigest()


def _uniforms(linked: LinkedProgram) -> list[dict[str, Any]]:
    """Active uniforms of both stages except samplers, then members of uniform blocks."""
    columns = []
    for stage in linked.shaders:
        for uniform in linked.uniforms:
            if stage in uniform.slots:
                columns.append(dict(stage=stage, block="", **_default_uniform(uniform, uniform.slots[stage])))
        for block in linked.blocks:
            if stage in block.slots:
                members = [_member(member, block.slots[stage]) for member in block.members]
                columns += [dict(stage=stage, block=block.name, **member) for member in members]
    return columns


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
            memory=None if instruction.memory is None else instruction.memory[0].value,
            memory_index=None if instruction.memory is None else instruction.memory[1],
            stored=instruction.stored if instruction.info.shape == "store" else None,
            flow_target=instruction.flow_target,
            block=blocks[pc],
            coord_origin=origins.get(pc),
            in_position_slice=pc in sliced,
            line=next(iter(shader.lines[pc]), 0),
            calls=list(shader.lines[pc][1:]),
            half=instruction.half,
        )
