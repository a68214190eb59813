"""A report on a program's shaders, under the names that Arm's Mali Offline Compiler gives them.

That tool counts cycles of a GPU's pipelines, for which a GPU has to be named (`tools.shader_cycles`); this report
counts instructions. The keys ``instructions``, ``texture_operations`` and ``varyings`` exist only in tilegpu.
"""

from collections import Counter
from typing import Any

from .ir.analysis import coordinate_origins, count_by_class
from .ir.flow import longest_path, shortest_path
from .ir.program import Shader
from .link import LinkedProgram

CLASSES = ("arithmetic", "special", "memory", "texture", "flow")
"""Of instructions; special ones are arithmetic, too."""


def program_report(program: LinkedProgram, filenames: tuple[str, ...]) -> dict[str, Any]:
    """The shaders of a program with the names of their files, ready for JSON."""
    stages = zip(program.shaders.values(), filenames, strict=True)
    return {
        "schema": {"name": "performance", "version": 0},
        "producer": {"name": "tilegpu"},
        "shaders": [_shader(shader, name, program) for shader, name in stages],
    }


def _counts(counts: dict[str, int] | None) -> list[int | None]:
    """Counts in the order of the classes; all null if the path is unknown."""
    if counts is None:
        return [None] * len(CLASSES)
    return [counts["alu"] + counts["sfu"], counts["sfu"], counts["mem"], counts["tex"], counts["flow"]]


def _shader(shader: Shader, filename: str, program: LinkedProgram) -> dict[str, Any]:
    instructions = {
        "classes": list(CLASSES),
        "total": _counts(count_by_class(shader)),
        "shortest_path": _counts(shortest_path(shader)),
        "longest_path": _counts(longest_path(shader)),
    }
    variant = {
        "name": "Main",
        "instructions": instructions,
        "properties": [
            property_of("work_registers_used", "Work registers", shader.temporary_count),
            property_of("uniform_registers_used", "Uniform registers", shader.constant_count),
            property_of("has_stack_spilling", "Stack spilling", False),
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
            property_of("has_side_effects", "Has side-effects", shader.writes_memory),
            property_of("modifies_coverage", "Modifies coverage", shader.discards),
            property_of("uses_late_zs_test", "Uses late ZS test", shader.writes_depth),
            property_of("uses_late_zs_update", "Uses late ZS update", shader.writes_depth or shader.discards),
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
    sizes = [property_of(f"work_group_size_{axis}", f"Work group size {axis}", value) for axis, value in size]
    return [*sizes, property_of("shared_storage_used", "Shared storage used (bytes)", shader.shared_bytes)]


def property_of(name: str, display_name: str, value: float | bool) -> dict[str, Any]:
    """A property in malioc's form."""
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
