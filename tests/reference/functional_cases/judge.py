"""Plays a capture and compares every frame, read and mapping with Mesa's.

Pictures hold if at most 1 % of the pixels differ by more than 2/255 or, for small ones, if their PSNR is 46 dB;
floats hold to the same, integers exactly. Buffers that pixels were packed into are pictures; other mappings hold if
their bytes are equal, or close as floats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilegpu.functional.capture import Call, Trace
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.gles import enums as gl
from tilegpu.functional.gles.display import Display
from tilegpu.functional.gles.listener import Listener
from tilegpu.functional.gles.pixels import CHANNELS, COMPONENTS, PACKED
from tilegpu.functional.gles.surfaces import Picture
from tilegpu.functional.pipeline.draw import Renderer
from tilegpu.functional.player import window_pixels

from .answers import Answer, Answers

CASE_MARK = 0x7FFFFFF1
"""A call glIsTexture of this name begins a case."""
MAX_SHARE, MAX_STEPS, MIN_PSNR_DB = 0.01, 2.0, 46.0
Pixels = NDArray[np.float64]


def components(data: bytes, parameters: tuple[int, ...]) -> NDArray[Any]:
    """Pixels of a read, (height, width, channels), in their own type; packed ones as fractions of 255."""
    _, _, width, height, pixel_format, kind, alignment, row_length, skip_rows, skip_pixels, _ = parameters
    fields = PACKED[kind][1] if kind in PACKED else ()
    dtype = np.dtype(PACKED[kind][0] if kind in PACKED else COMPONENTS[kind])
    count = 1 if kind in PACKED else CHANNELS[pixel_format]
    pixel = dtype.itemsize * count
    stride = -(-(row_length or width) * pixel // alignment) * alignment
    start = skip_rows * stride + skip_pixels * pixel
    words = np.ndarray((height, width, count), dtype, data, start, (stride, pixel, dtype.itemsize))
    if not fields:
        return words
    parts = [(words[..., 0] >> shift & ((1 << bits) - 1)) * (255 / ((1 << bits) - 1)) for shift, bits in fields]
    return np.stack(parts, -1)


def picture_fault(ours: NDArray[Any], theirs: NDArray[Any], one: float) -> str:
    """How much two pictures differ, if more than allowed; `one` is the value of 1, or 0 for exact numbers."""
    if ours.shape != theirs.shape:
        return f"size {ours.shape} instead of {theirs.shape}"
    if not ours.size:
        return ""
    if not one:
        wrong = (ours != theirs).any(-1)
        return f"{wrong.mean():.2%} of the pixels" if wrong.any() else ""
    with np.errstate(all="ignore"):
        apart = np.abs(ours.astype(np.float64) - theirs) / one * 255
    apart[(ours == theirs) | (np.isnan(ours) & np.isnan(theirs))] = 0
    apart = np.nan_to_num(apart, nan=1e9, posinf=1e9) / np.maximum(1, np.abs(np.nan_to_num(theirs)) / one)
    share, error = (apart > MAX_STEPS).any(-1).mean(), np.mean(np.minimum(apart, 255) ** 2)
    psnr = 10 * np.log10(255**2 / error) if error else np.inf
    if share <= MAX_SHARE or (psnr >= MIN_PSNR_DB and ours.shape[0] * ours.shape[1] < 1024):
        return ""
    return f"{share:.2%} of the pixels, {psnr:.1f} dB"


def read_fault(ours: bytes | None, answer: Answer) -> str:
    """Difference of pixels that a program read."""
    if not isinstance(ours, bytes):
        return "nothing could be read"
    kind, pixel_format = answer.parameters[5], answer.parameters[4]
    integer = pixel_format in (gl.RED_INTEGER, gl.RG_INTEGER, gl.RGB_INTEGER, gl.RGBA_INTEGER)
    one = 0.0 if integer else 1.0 if kind in (gl.FLOAT, gl.HALF_FLOAT, gl.HALF_FLOAT_OES) else 255.0
    return picture_fault(components(ours, answer.parameters), components(answer.content, answer.parameters), one)


def mapping_fault(ours: bytes, answer: Answer) -> str:
    """Difference of a mapped range."""
    theirs = answer.content
    if ours == theirs:
        return ""
    if len(ours) != len(theirs):
        return f"{len(ours)} bytes instead of {len(theirs)}"
    if answer.parameters[0] == gl.PIXEL_PACK_BUFFER:
        shape = (1, -1, 4) if len(ours) % 4 == 0 else (1, -1, 1)
        return picture_fault(
            np.frombuffer(ours, np.uint8).reshape(shape), np.frombuffer(theirs, np.uint8).reshape(shape), 255.0
        )
    whole = len(ours) // 4 * 4
    with np.errstate(all="ignore"):
        close = np.isclose(
            np.frombuffer(ours[:whole], "<f4"),
            np.frombuffer(theirs[:whole], "<f4"),
            rtol=1e-4,
            atol=1e-5,
            equal_nan=True,
        )
    return "" if close.all() else f"{(~close).sum()} of {close.size} words"


class Judge:
    """Plays a capture, and notes by case what differs.

    Attributes
    ----------
    faults
        Number of the case and what is wrong, in order; case -1 is before the first.
    compared
        Frames, reads and mappings that were compared.
    """

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.faults: list[tuple[int, str]] = []
        self.compared = 0
        self.case = -1
        self._streams = {name: iter(getattr(answers, name)) for name in ("reads", "mappings", "frames")}
        self._answered: Any = None
        self._finished: list[Picture] = []

    def play(self, trace: Path) -> None:
        """Execute all calls."""
        display = Display(
            Renderer(choose_backend()[0]).run,
            Listener(),
            lambda picture, call: self._finished.append(picture),
            None,
            self._note_answer,
            joins_draws=True,
        )
        for call in Trace(trace):
            if call.name == "glIsTexture" and call.arguments[:1] == [CASE_MARK]:
                self.case += 1
                continue
            self._answered = None
            display.execute(call)
            self._compare(display, call)

    def _note_answer(self, call: Call, value: Any) -> None:
        self._answered = value

    def _next(self, kind: str) -> Answer | None:
        answer = next(self._streams[kind], None)
        return answer if answer is not None and answer.content else None

    def _judge(self, answer: Answer | None, what: str, fault: Callable[[Answer], str]) -> None:
        if answer is None:
            return
        self.compared += 1
        found = fault(answer)
        if found:
            self.faults.append((answer.case, f"{what}: {found}"))

    def _compare(self, display: Display, call: Call) -> None:
        where = f"call {call.number} {call.name}"
        if call.name == "glReadPixels" and not call.fake:
            answer, ours = self._next("reads"), self._answered
            # Pixels that went into a buffer are compared when it is mapped.
            if answer is not None and not answer.parameters[10]:
                self._judge(answer, where, lambda a: read_fault(ours, a))
        elif call.name == "glMapBufferRange":
            self._judge(self._next("mappings"), where, lambda a: mapping_fault(_mapped(display, call, a), a))
        for picture in self._finished:
            self._judge(self._next("frames"), where, lambda a, p=picture: _frame_fault(p, a))
        self._finished.clear()

    def wrong_cases(self) -> Iterator[tuple[str, str]]:
        """Name of each case that Mesa passes and that differs here, with its first fault."""
        seen: set[int] = set()
        for number, fault in self.faults:
            name, verdict = self.answers.cases[number] if number >= 0 else ("before the first case", "Pass")
            if number not in seen and verdict == "Pass":
                seen.add(number)
                yield name, fault


def _mapped(display: Display, call: Call, answer: Answer) -> bytes:
    target, offset, size = answer.parameters[:3]
    state = display.current[call.thread].state
    buffer = state.vertex_array.element_buffer if target == gl.ELEMENT_ARRAY_BUFFER else state.buffers.get(target)
    return bytes(buffer.data[offset : offset + size]) if buffer is not None else b""


def _frame_fault(picture: Picture, answer: Answer) -> str:
    width, height = answer.parameters[:2]
    theirs = np.frombuffer(answer.content, np.uint8).reshape(height, width, 4)[::-1, :, :3]
    return picture_fault(window_pixels(picture), theirs, 255.0)
