"""A report on a program's shaders, under the names that Arm's Mali Offline Compiler gives them.

That tool counts cycles of a pipeline; this one counts instructions, one per cycle and pipeline. ``flow`` and the keys
``instructions``, ``texture_operations`` and ``varyings`` exist only in tilegpu.
"""

from collections import Counter
from typing import Any

from .ir.analysis import coordinate_origins, count_by_class
from .ir.flow import longest_path, shortest_path
from .ir.program import Shader
from .link import LinkedProgram

PIPELINES = ("arith_total", "arith_sfu", "load_store", "texture", "flow")


def program_report(program: LinkedProgram, filenames: tuple[str, ...]) -> dict[str, Any]:
    """The shaders of a program with the names of their files, ready for JSON."""
    stages = zip(program.shaders.values(), filenames, strict=True)
    return {
        "schema": {"name": "performance", "version": 0},
        "producer": {"name": "tilegpu"},
        "shaders": [_shader(shader, name, program) for shader, name in stages],
    }


def _cycles(counts: dict[str, int] | None) -> dict[str, Any]:
    """Counts by class as a malioc record; all null if the path is unknown."""
    if counts is None:
        return {"bound_pipelines": [None], "cycle_count": [None] * len(PIPELINES)}
    values = [counts["alu"] + counts["sfu"], counts["sfu"], counts["mem"], counts["tex"], counts["flow"]]
    most = max(values)
    bound = [name for name, value in zip(PIPELINES, values, strict=True) if value == most]
    return {"bound_pipelines": bound, "cycle_count": values}


def _shader(shader: Shader, filename: str, program: LinkedProgram) -> dict[str, Any]:
    performance = {
        "pipelines": list(PIPELINES),
        "total_cycles": _cycles(count_by_class(shader)),
        "shortest_path_cycles": _cycles(shortest_path(shader)),
        "longest_path_cycles": _cycles(longest_path(shader)),
    }
    variant = {
        "name": "Main",
        "performance": performance,
        "properties": [
            _property("work_registers_used", "Work registers", shader.temporary_count),
            _property("uniform_registers_used", "Uniform registers", shader.constant_count),
            _property("has_stack_spilling", "Stack spilling", False),
            *_work_group(shader),
        ],
    }
    return {
        "filename": filename,
        "shader": {"api": "OpenGL ES", "type": shader.stage.capitalize()},
        "driver": "tilegpu",
        "errors": [],
        "warnings": [],
        "properties": [
            _property("has_side_effects", "Has side-effects", shader.writes_memory),
            _property("modifies_coverage", "Modifies coverage", shader.discards),
            _property("uses_late_zs_test", "Uses late ZS test", shader.writes_depth),
            _property("uses_late_zs_update", "Uses late ZS update", shader.writes_depth or shader.discards),
        ],
        "variants": [variant],
        "instructions": {"total": len(shader.instructions), **count_by_class(shader)},
        "texture_operations": _texture_operations(shader),
        "varyings": [
            {"name": v.name, "slot": v.slot, "components": v.components, "interpolation": v.interpolation}
            for v in program.varyings
        ],
    }


def _work_group(shader: Shader) -> list[dict[str, Any]]:
    """Size and shared memory of a work group."""
    if shader.stage != "compute":
        return []
    size = zip("xyz", shader.local_size, strict=True)
    sizes = [_property(f"work_group_size_{axis}", f"Work group size {axis}", value) for axis, value in size]
    return [*sizes, _property("shared_storage_used", "Shared storage used (bytes)", shader.shared_bytes)]


def _property(name: str, display_name: str, value: int | bool) -> dict[str, Any]:
    return {"name": name, "display_name": display_name, "value": value}


def _texture_operations(shader: Shader) -> list[dict[str, Any]]:
    """Texture instructions by sampler, opcode and origin of their coordinates."""
    origins = coordinate_origins(shader)
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for pc, instruction in enumerate(shader.instructions):
        if instruction.sampler is not None:
            sampler = shader.samplers[instruction.sampler]
            counts[sampler.name, sampler.target, instruction.opcode, origins[pc]] += 1
    return [
        {"sampler": sampler, "target": target, "opcode": opcode, "coordinates": origin, "count": count}
        for (sampler, target, opcode, origin), count in counts.items()
    ]
