"""Changes of all textures that a draw samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tilegpu.functional.capture import Call
from tilegpu.functional.gles.textures import Texture

from .captured import Around, CapturedFrame
from .declare import RefusedError
from .texels import Image, Upload, inserted, insertion, replaced, uploaded


class NewLevels(NamedTuple):
    """Levels that a texture gets, how they are uploaded, and its minification filter."""

    levels: list[Image]
    upload: Upload
    min_filter: int


Change = Callable[[Texture, Around], NewLevels]
"""New levels of a texture; RefusedError where it stays as it is."""


def change_textures(frame: CapturedFrame, number: int | None, change: Change) -> list[Call]:
    """Calls with other texels in the textures of a draw.

    Raises
    ------
    RefusedError
        If all of them stay as they are, with the reason of the first.
    """
    draw = frame.draw(number)
    if not draw.textures:
        raise RefusedError("it samples no two-dimensional texture")
    added: dict[int, list[Call]] = {}
    refused: list[RefusedError] = []
    for name in draw.textures:
        try:
            texture = uploaded(frame, draw, name)
            place, around = insertion(frame, draw, name)
            new = change(texture, around)
        except RefusedError as error:
            refused.append(error)
            continue
        calls = replaced(around, texture, new.levels, new.upload, new.min_filter)
        added.setdefault(place, []).extend(calls)
    if not added:
        raise refused[0]
    return inserted(frame.calls, added)
