"""Contents of planes after each operation of a frame, put together from what each changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from .listener import FrameListener
from .operations import Operation
from .planes import Delta, Plane, PlaneKey


def contents(followed: FrameListener) -> Iterator[tuple[Operation, Mapping[PlaneKey, Plane]]]:
    """Each operation, and what planes hold after it; the arrays change with the next one."""
    planes = {key: content.copy() for key, content in followed.first.items()}
    for operation in followed.operations:
        for key, delta in operation.changes:
            seen = followed.planes[key]
            _apply(planes.setdefault(key, np.zeros((seen.height, seen.width), np.uint32)), delta)
        yield operation, planes


def _apply(content: Plane, delta: Delta) -> None:
    width, height = delta.size
    words = np.ascontiguousarray(delta.pixels).view("<u4")[..., 0]
    box = content[delta.y : delta.y + height, delta.x : delta.x + width]
    np.copyto(box, words & 0xFFFFFF, where=words >> 24 != 0)


def picture(content: Plane) -> NDArray[np.uint8]:
    """Colours of a plane, uint8 (height, width, 3), row 0 at the top."""
    return content.astype("<u4").view(np.uint8).reshape(*content.shape, 4)[..., :3]
