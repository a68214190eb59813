"""The data of the page about a frame."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from tilegpu.functional.frame_view.follow import FollowedFrame
from tilegpu.functional.frame_view.geometry import SUBPIXELS, Mesh
from tilegpu.functional.frame_view.operations import DrawDetail, Operation, SeenPlane
from tilegpu.functional.frame_view.outcomes import NAMES
from tilegpu.functional.frame_view.planes import DEPTH_MAX, Plane, PlaneKey, changed
from tilegpu.functional.frame_view.state_text import state_groups
from tilegpu.functional.frame_view.textures import SeenTexture
from tilegpu.functional.text import legible

from .blobs import Blobs


def page_data(frame: FollowedFrame, blobs: Blobs, progress: Callable[[float], None]) -> dict[str, Any]:
    """Data for the script of the page.

    Parameters
    ----------
    frame
        The frame.
    blobs
        Takes pictures and other binary parts, which the data name by their numbers.
    progress
        Is given the share of the operations that are done.
    """
    followed = frame.followed
    used = {key for operation in followed.operations for key, _ in operation.changes}
    keys = [key for key in followed.planes if key in used or key.kind in ("color", "depth")]
    places = {key: place for place, key in enumerate(keys)}
    first_call, operations = 0, []
    numbers = {call.number: place for place, call in enumerate(frame.calls)}
    for place, operation in enumerate(followed.operations):
        last_call = numbers.get(operation.call, first_call - 1)
        operations.append(_operation(operation, places, blobs) | _calls(frame, first_call, last_call))
        first_call = max(first_call, last_call + 1)
        progress((place + 1) / len(followed.operations))
    return {
        "frame": frame.number,
        "format": blobs.format,
        "outcomes": NAMES,
        "subpixels": SUBPIXELS,
        "depth_max": DEPTH_MAX,
        "planes": [
            _plane(followed.planes[key], followed.first.get(key), followed.latest.get(key), blobs) for key in keys
        ],
        "operations": operations,
        "calls": [[call.number, call.text] for call in frame.calls],
        "first_call_after": first_call,
        "textures": [_texture(texture, followed.planes, blobs) for texture in followed.textures.seen],
        "programs": [
            {
                "name": p.name,
                "sources": [
                    [stage, text, p.instructions.get(stage), digest_of(text)] for stage, text in p.sources.items()
                ],
            }
            for p in followed.programs
        ],
        "warnings": frame.warnings,
    }


def digest_of(source: str) -> str:
    """Digest of a shader's text, by which results find it: bytes that are not UTF-8 make no difference."""
    return sha256(legible(source).encode()).hexdigest()


def _calls(frame: FollowedFrame, first: int, last: int) -> dict[str, Any]:
    between = frame.calls[first : last + 1]
    return {
        "calls": [first, max(first, last + 1)],
        "groups": list(frame.calls[last].groups) if last >= 0 else [],
        "function": frame.calls[last].text.partition("(")[0] if last >= 0 else "",
        "markers": [call.marker for call in between if call.marker],
    }


def _plane(seen: SeenPlane, first: Plane | None, last: Plane | None, blobs: Blobs) -> dict[str, Any]:
    """A plane, with what it held before the frame and, to show that at once, after it."""
    color = seen.key.kind == "color"
    return {
        "label": seen.label,
        "kind": seen.key.kind,
        "surface": seen.key.surface,
        "width": seen.width,
        "height": seen.height,
        "base": None if first is None else _whole(first, blobs),
        "last": _whole(last, blobs) if color and last is not None else None,
    }


def _whole(content: Plane, blobs: Blobs) -> int:
    delta = changed(None, content)
    assert delta is not None
    return blobs.picture(delta.pixels)


def _operation(operation: Operation, places: dict[PlaneKey, int], blobs: Blobs) -> dict[str, Any]:
    changes = []
    for key, delta in operation.changes:
        changes.append([places[key], delta.x, delta.y, *delta.size, blobs.picture(delta.pixels)])
    return {
        "kind": operation.kind,
        "call": operation.call,
        "number": operation.number,
        "name": operation.name,
        "title": operation.title,
        "pass": operation.pass_number,
        "planes": [places[key] for key in operation.planes if key in places],
        "changes": changes,
        "facts": operation.facts,
        "draw": None if operation.detail is None else _draw(operation.detail, blobs),
    }


def _draw(detail: DrawDetail, blobs: Blobs) -> dict[str, Any]:
    outcomes = detail.outcomes
    table = detail.vertices
    return {
        "program": detail.program,
        "label": detail.label,
        "collisionable": detail.collisionable,
        "state": state_groups(detail.row),
        "uniforms": detail.uniforms,
        "samplers": detail.samplers,
        "ways": detail.ways,
        "covered": detail.covered,
        "fragments": detail.fragments,
        "vertices": None if table is None else table._asdict(),
        "mesh": None if detail.mesh is None else _mesh(detail.mesh, blobs),
        "outcomes": None
        if outcomes is None
        else [outcomes.x, outcomes.y, *outcomes.packed.shape[::-1], blobs.deflated(outcomes.flags)],
    }


def _mesh(mesh: Mesh, blobs: Blobs) -> dict[str, Any]:
    return {
        "corners": mesh.corners,
        "places": blobs.deflated(mesh.places),
        "primitives": blobs.deflated(mesh.primitives),
        "shown": len(mesh.primitives),
        "total": mesh.total,
        "culled": mesh.culled,
    }


def _texture(texture: SeenTexture, planes: dict[PlaneKey, Any], blobs: Blobs) -> dict[str, Any]:
    # Images that were drawn have their first row below, others that were uploaded mostly above.
    turned = any(key.surface == texture.surface for key in planes)
    return {
        "name": texture.name,
        "surface": texture.surface,
        "target": texture.target,
        "layers": texture.layers,
        "turned": turned,
        "levels": [
            [v.level, v.layer, v.width, v.height, blobs.picture(v.picture[::-1] if turned else v.picture)]
            for v in texture.levels
        ],
    }
