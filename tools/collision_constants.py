"""The page of the constants of the CPU that detects collisions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any

from tilegpu.collisions.core import operation_cycles
from tilegpu.collisions.cpu import Cpu
from tilegpu.collisions.instructions import Operation
from tilegpu.timing.config.choices import meaning
from tilegpu.timing.config.fields import group_fields

COUNTS = [name for name in Operation.model_fields if name != "scale_percent"]


def collision_constants_page() -> str:
    """Every constant, as Markdown."""
    lines = [
        "# Constants of collision detection on the CPU\n",
        "[The model](collisions.md) explains each. `tilegpu collisions --set FIELD=VALUE` changes one.",
        'Where a description ends in "papers silent", what stands in brackets is what hardware or software may',
        "plausibly have; `tilegpu collisions --sensitivity` tries it.\n",
        "| field | unit | value | meaning and source |",
        "| --- | --- | --- | --- |",
        *_constants(Cpu()),
        "\n# Instructions of each operation\n",
        "Fields are `operations.NAME.COUNT`; `operations.NAME.scale_percent` scales all of an operation's instructions",
        "and cycles, and its plausible range stands in the table. A compare is two instructions.\n",
        f"| operation | {' | '.join(name.replace('_', ' ') for name in COUNTS)} | cycles | % | meaning and source |",
        "| --- |" + " --- |" * (len(COUNTS) + 3),
        *_operations(Cpu()),
    ]
    return "\n".join(lines) + "\n"


def _constants(cpu: Cpu) -> Iterator[str]:
    for name, field in group_fields(Cpu):
        if not name.startswith("operations."):
            value: Any = reduce(getattr, name.split("."), cpu)
            unit = (field.json_schema_extra or {}).get("unit", "")
            yield f"| {name} | {unit} | {value} | {meaning(field)} |"


def _operations(cpu: Cpu) -> Iterator[str]:
    for name, field in type(cpu.operations).model_fields.items():
        one = getattr(cpu.operations, name)
        counts = " | ".join(str(getattr(one, count) or "") for count in COUNTS)
        extra: Any = field.json_schema_extra
        low, high = extra["plausible"]
        yield f"| {name} | {counts} | {operation_cycles(one, cpu.core):g} | {low} to {high} | {field.description} |"
