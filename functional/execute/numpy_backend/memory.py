"""Instructions on memory: loads, stores and atomic operations of all lanes, which act in the order of the lanes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...glsl.ir.program import COORDINATES, Instruction, Space
from ..memory import Access, ImageMemory
from .atomics import apply_atomic
from .image_formats import loaded_texels, stored_texels
from .kernels import Operation
from .registers import Registers

Place = tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.bool_]]
"""Words, and per lane the index of one and whether the lane may access it."""


def _lanes(s: Registers, row: int) -> NDArray[np.int32]:
    return np.broadcast_to(s.ints[row], s.lanes)


def _words(s: Registers, instruction: Instruction, address: int) -> Place:
    """The first word that each lane accesses."""
    assert instruction.memory is not None
    space, number = instruction.memory
    index = (_lanes(s, address).view(np.uint32) >> 2).astype(np.int64)
    if space is Space.SHARED:
        shared = s.memory.shared
        inside = index < shared.shape[1]
        return shared.reshape(-1), index + s.lane_numbers // s.memory.group_lanes * shared.shape[1], inside
    words = s.memory.buffers[number].words
    return words, index, index < len(words)


def _executing(s: Registers, inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return inside if s.mask is None else inside & s.mask


def _changing(s: Registers, inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Lanes that may write: neither helpers nor discarded fragments (ESSL 3.10, 7.1.5 and 6.4)."""
    executing = _executing(s, inside)
    if s.memory.live is not None:
        executing = executing & s.memory.live
    return executing if s.killed is None else executing & ~s.killed


def _room(s: Registers, instruction: Instruction, place: Place, offset: int) -> NDArray[np.bool_]:
    """Lanes whose word at a distance from the first one exists."""
    words, index, inside = place
    if offset == 0:
        return inside
    assert instruction.memory is not None
    if instruction.memory[0] is Space.SHARED:
        width = s.memory.shared.shape[1]
        return np.asarray(inside & (index % max(1, width) + offset < width))
    return np.asarray(inside & (index + offset < len(words)))


def _note(s: Registers, pc: int, elements: NDArray[np.int64], inside: NDArray[np.bool_]) -> None:
    """Note what an instruction accesses."""
    if s.memory.noted is not None:
        helpers = None if s.memory.live is None else ~s.memory.live
        if s.killed is not None:
            helpers = s.killed.copy() if helpers is None else helpers | s.killed
        s.memory.noted.append(Access(pc, np.where(inside, elements, -1), s.mask, helpers))


def _note_words(s: Registers, pc: int, instruction: Instruction, place: Place) -> None:
    """The same for words, which count from the start of their buffer's range or group's memory."""
    _, index, inside = place
    assert instruction.memory is not None
    if s.memory.noted is not None and instruction.memory[0] is Space.SHARED:
        index = index % max(1, s.memory.shared.shape[1])
    _note(s, pc, index, inside)


def load(
    pc: int, instruction: Instruction, operands: Sequence[int], rows: Sequence[int], components: Sequence[int]
) -> Operation:
    """Words from an address on, or a texel; what is outside reads as 0."""

    def run(s: Registers) -> None:
        place = _words(s, instruction, operands[0])
        words, index, _ = place
        _note_words(s, pc, instruction, place)
        for row, component in zip(rows, components, strict=True):
            inside = _executing(s, _room(s, instruction, place, component))
            loaded = np.zeros(s.lanes, np.uint32)
            loaded[inside] = words[index[inside] + component]
            np.copyto(s.ints[row], loaded.view(np.int32))

    def run_image(s: Registers) -> None:
        image, at, inside = _texels(s, instruction, operands)
        _note(s, pc, at, inside)
        texels = np.zeros((4, s.lanes), np.int32)
        inside = _executing(s, inside)
        texels[:, inside] = loaded_texels(image, image.rows[at[inside]])
        for row, component in zip(rows, components, strict=True):
            np.copyto(s.ints[row], texels[component])

    return run_image if _is_image(instruction) else run


def store(pc: int, instruction: Instruction, operands: Sequence[int]) -> Operation:
    """Write words from an address on, or a texel; nothing outside."""

    def run(s: Registers) -> None:
        place = _words(s, instruction, operands[0])
        words, index, _ = place
        _note_words(s, pc, instruction, place)
        for component in range(instruction.stored):
            inside = _changing(s, _room(s, instruction, place, component))
            values = _lanes(s, operands[4 + component]).view(np.uint32)
            words[index[inside] + component] = values[inside]

    def run_image(s: Registers) -> None:
        image, at, inside = _texels(s, instruction, operands)
        _note(s, pc, at, inside)
        inside = _changing(s, inside)
        values = np.stack([_lanes(s, operands[4 + c])[inside] for c in range(4)])
        image.rows[at[inside]] = stored_texels(image, values)

    return run_image if _is_image(instruction) else run


def atomic(pc: int, instruction: Instruction, operands: Sequence[int], rows: Sequence[int]) -> Operation:
    """Replace a word, one lane after the other; the result is the word before."""

    def run(s: Registers) -> None:
        if _is_image(instruction):
            image, index, inside = _texels(s, instruction, operands)
            _note(s, pc, index, inside)
            words, index = image.rows.reshape(-1).view(np.uint32), index * 4
        else:
            place = _words(s, instruction, operands[0])
            _note_words(s, pc, instruction, place)
            words, index, inside = place
        inside = _changing(s, inside)
        values = [_lanes(s, operands[4 * i]).view(np.uint32)[inside] for i in range(1, len(instruction.sources))]
        before = apply_atomic(instruction.opcode, words, index[inside], values, bool(rows))
        for row in rows:
            previous = np.zeros(s.lanes, np.uint32)
            previous[inside] = before
            np.copyto(s.ints[row], previous.view(np.int32))

    return run


def size(instruction: Instruction, rows: Sequence[int], components: Sequence[int]) -> Operation:
    """Bytes of a buffer, or width, height and layers of an image; of an array of cubes, its faces count."""

    def run(s: Registers) -> None:
        assert instruction.memory is not None
        space, number = instruction.memory
        values: Sequence[int] = (s.memory.buffers[number].size_bytes,) if space is Space.BUFFER else ()
        values = values or s.memory.images[number].size
        for row, component in zip(rows, components, strict=True):
            s.ints[row].fill(values[component])

    return run


def nothing(_: Registers) -> None:
    """A barrier: all lanes execute an instruction before any executes the next."""


def _is_image(instruction: Instruction) -> bool:
    return instruction.memory is not None and instruction.memory[0] is Space.IMAGE


def _texels(
    s: Registers, instruction: Instruction, operands: Sequence[int]
) -> tuple[ImageMemory, NDArray[np.int64], NDArray[np.bool_]]:
    """The image, the texel of each lane and whether the lane may access it."""
    assert instruction.memory is not None
    number = instruction.memory[1]
    image, target = s.memory.images[number], s.layout.shader.images[number].target
    place = [_lanes(s, operands[c]).astype(np.int64) for c in range(COORDINATES[target])]
    if len(place) == 2:
        place.append(np.zeros(s.lanes, np.int64))
    inside = np.ones(s.lanes, np.bool_)
    for coordinate, extent in zip(place, image.size, strict=True):
        inside &= (coordinate >= 0) & (coordinate < extent)
    width, height, _ = image.size
    return image, (place[2] * height + place[1]) * width + place[0], inside
