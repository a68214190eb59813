"""State of a draw as names and texts, in groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..call_text import float_text
from ..glsl.compatibility import ATTRIBUTES, POINT_SIZE

Group = tuple[str, list[tuple[str, str]]]
"""Title of a group, and its rows."""


def state_groups(row: Mapping[str, Any]) -> list[Group]:
    """Everything that decides how a draw's fragments are made and written, except for program and textures.

    Parameters
    ----------
    row
        See `DrawDetail.row`.
    """
    return [
        ("Vertex arrays", [_array(one) for one in row["attributes"]]),
        (
            "Rasterization",
            [
                ("viewport", _box(row["viewport"])),
                ("scissor", _box(row["scissor"])),
                ("depth range", _numbers(row["depth_range"])),
                ("culled faces", row["cull"]),
                ("front faces", row["front_face"]),
                ("polygon offset", _numbers(row["polygon_offset"])),
                ("line width", float_text(row["line_width"])),
            ],
        ),
        (
            "Depth",
            [
                ("test", row["depth_function"] if row["depth_test"] else "off"),
                ("write", _switch(row["depth_write"])),
                ("format", row["depth_format"] or "none"),
                ("tested", "before shading" if row["early_depth"] else "after shading"),
            ],
        ),
        ("Stencil", _stencil(row)),
        ("Blending", _blending(row)),
    ]


def _switch(on: bool) -> str:
    return "on" if on else "off"


def _numbers(values: list[float]) -> str:
    return ", ".join(float_text(float(value)) for value in values)


def _box(box: list[int]) -> str:
    x, y, width, height = box
    return f"{width}x{height} at {x}, {y}"


_NAMES = {location: name for name, location in ATTRIBUTES.items()} | {POINT_SIZE: "point size"}
"""Attributes of fixed functions by location."""


def _array(array: dict[str, Any]) -> tuple[str, str]:
    name = _NAMES.get(array["location"], f"location {array['location']}")
    if array["constant"] is not None:
        return name, f"constant {_numbers(array['constant'])}"
    parts = [
        f"{array['components']} x {array['format']}{' normalized' if array['normalized'] else ''}",
        f"buffer {array['buffer']} at {array['offset_bytes']}",
        f"stride {array['stride_bytes']}",
        *([f"divisor {array['divisor']}"] if array["divisor"] else []),
    ]
    return name, ", ".join(parts)


def _stencil(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    if not row["stencil_test"]:
        return [("test", "off")]
    return [(side, _face(row[f"stencil_{side}"])) for side in ("front", "back")]


def _face(face: dict[str, Any]) -> str:
    operations = "/".join(face[name] for name in ("fail", "depth_fail", "depth_pass"))
    reference = f"{face['function']} {face['reference']} & {face['mask'] & 0xFF:#x}"
    return f"{reference}, {operations}, write {face['write_mask'] & 0xFF:#x}"


def _blending(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    blend = row["blend"] if row["blend_enabled"] else None
    rows = [("blending", _switch(blend is not None))]
    if blend is not None and row["logic_operation"] is None:
        for name in ("rgb", "alpha"):
            factors = f"{blend[f'source_{name}']}, {blend[f'destination_{name}']}"
            rows.append((name, f"{blend[f'equation_{name}']} {factors}"))
        rows.append(("constant", _numbers(blend["constant"])))
    if row["logic_operation"] is not None:
        rows.append(("logic operation", row["logic_operation"]))
    masks = ["".join(c for i, c in enumerate("RGBA") if mask >> i & 1) or "none" for mask in row["color_masks"]]
    rows.append(("colours written", ", ".join(masks)))
    rows += [(name.replace("_", " "), "on") for name in ("alpha_to_coverage", "srgb_encoding") if row[name]]
    if row["sample_coverage"] != 1:
        rows.append(("sample coverage", float_text(row["sample_coverage"])))
    return rows
