"""Plays a capture and compares every frame, read, mapping and answer with Mesa's, case by case."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tilegpu.functional.capture import Call, Trace
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.gles.context import Report
from tilegpu.functional.gles.display import Display
from tilegpu.functional.gles.listener import Listener
from tilegpu.functional.gles.surfaces import Picture
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.draw import Renderer
from tilegpu.functional.pipeline.fused.workers import Workers

from .answers import Answer, Answers
from .pictures import LOOSE, Difference, Tolerance, frame_difference, mapping_difference, read_difference
from .resources import QUERIES, Resources
from .values import alike, flat, is_compared, recorded_answer

CASE_MARK = 0x7FFFFFF1
"""A call glIsTexture of this name begins a case."""
MOST_FAULTS, MOST_NOTES = 60, 40
_ONLY_MESAS = ("0x9102 is not", "0x9009 is not", "0x8c2a is not", "0x1004", "0x826d")
"""Parameters that only extensions of the recorder's context have: errors about them are not the program's."""


@dataclass
class Verdict:
    """What was compared in a case and what differs, as the report has it."""

    name: str
    verdict: str
    frames: int = 0
    reads: int = 0
    maps: int = 0
    answers: int = 0
    faults: list[dict[str, Any]] = field(default_factory=list)
    secs: float = 0
    notes: list[str] = field(default_factory=list)

    @property
    def compared(self) -> int:
        """Comparisons of all kinds."""
        return self.frames + self.reads + self.maps + self.answers


class _NotingReport(Report):
    """A report that hands every note on."""

    def __init__(self, noted: Callable[[str, Call, str], None]) -> None:
        super().__init__()
        self._noted = noted

    def note(self, counter: Any, kind: str, call: Call, message: str) -> None:
        super().note(counter, kind, call, message)
        which = {id(self.unsupported): "unsupported", id(self.tolerated): "tolerated"}.get(id(counter), "error")
        self._noted(which, call, f"{kind}: {message}")


class Judge:
    """Plays a capture and judges it.

    Attributes
    ----------
    verdicts
        Of what comes before the first case, then of each case.
    """

    def __init__(self, answers: Answers, snaps: bool = True, allowed: Tolerance = LOOSE) -> None:
        self.answers, self._allowed = answers, allowed
        self.verdicts = [Verdict("(before)", ""), *(Verdict(name, verdict) for name, verdict in answers.cases)]
        self._streams = {name: iter(getattr(answers, name)) for name in ("reads", "mappings", "frames")}
        self._resources, self._case, self._pixels = Resources(), 0, b""
        self._finished: list[Picture] = []
        self._listens = True
        renderer = Renderer(choose_backend()[0], snaps, workers=Workers(1))
        self._display = Display(
            renderer.run,
            Listener(),
            lambda picture, call: self._finished.append(picture),
            None,
            self._judge_answer,
            joins_draws=True,
            dispatch=renderer.dispatch,
        )
        self._display.report = _NotingReport(self._note)

    @property
    def _now(self) -> Verdict:
        return self.verdicts[min(self._case, len(self.verdicts) - 1)]

    def play(self, trace: Path) -> None:
        """Execute all calls."""
        begun = time.process_time()
        for call in Trace(trace):
            if call.name == "glIsTexture" and call.arguments[:1] == [CASE_MARK]:
                self._now.secs, begun = round(time.process_time() - begun, 2), time.process_time()
                self._case += 1
                continue
            self._pixels = b""
            judged = self._judge_resource(call) if call.name in QUERIES else None
            self._listens = judged is None
            self._execute(call)
            self._compare(call)
        self._now.secs = round(time.process_time() - begun, 2)
        for name in ("reads", "frames"):
            left = sum(1 for _ in self._streams[name])
            if left:
                self.verdicts[0].faults.append({"kind": "sync", "what": f"{left} {name} of Mesa's are left"})

    def _execute(self, call: Call) -> None:
        try:
            self._display.execute(call)
        except Exception as error:
            inner = error.__cause__ or error
            frame = traceback.extract_tb(inner.__traceback__)[-1]
            message = f"{type(inner).__name__}: {inner}"[:300]
            self._fault("CRASH", call, {"message": message, "where": f"{frame.filename}:{frame.lineno}"})
            self._display.waiting = None

    def _fault(self, kind: str, call: Call, found: dict[str, Any]) -> None:
        if len(self._now.faults) < MOST_FAULTS:
            self._now.faults.append({"kind": kind, "call": call.number, "fn": call.name} | found)

    def _note(self, which: str, call: Call, text: str) -> None:
        if which == "unsupported" and call.name != "glPrimitiveBoundingBoxEXT":
            self._fault("unsupported", call, {"what": text[:200]})
        elif which == "error" and (
            any(text_of in text.lower() for text_of in _ONLY_MESAS)
            or (call.name in ("glActiveTexture", "glBindSampler") and "texture unit" in text)
        ):
            context = self._display.current.get(call.thread)
            if context is not None:
                context.error = 0
        elif which == "error" and len(self._now.notes) < MOST_NOTES:
            self._now.notes.append(f"{call.number} {text}"[:160])

    def _judge_answer(self, call: Call, value: Any) -> None:
        if call.name.startswith("glReadPixels"):
            self._pixels = value
        elif self._listens and is_compared(call):
            self._now.answers += 1
            ours, theirs = flat(value), recorded_answer(call)
            if theirs is not None and not alike(ours, theirs):
                arguments = [a for a in call.arguments if isinstance(a, int | float | str)]
                shown = [hex(a) if isinstance(a, int) else a for a in arguments]
                self._fault("answer", call, {"args": shown, "ours": ours[:8], "theirs": theirs[:8]})

    def _judge_resource(self, call: Call) -> bool | None:
        found = self._resources.faults(self._display, call)
        if found is None:
            return None
        self._now.answers += 1
        for fault in found:
            self._fault("answer", call, fault)
        return True

    def _compare(self, call: Call) -> None:
        if call.name == "glReadPixels" and not call.fake:
            answer = next(self._streams["reads"], None)
            if answer is None:
                self._fault("sync", call, {"what": "more reads than records"})
            # Pixels that went into a buffer are compared when it is mapped.
            elif answer.content and not answer.parameters[10]:
                self._now.reads += 1
                box = {"box": list(answer.parameters[:6])}
                self._different("pixels", call, read_difference(self._pixels or None, answer, self._allowed), box)
        elif call.name == "glMapBufferRange":
            answer = next(self._streams["mappings"], None)
            if answer is not None and answer.content:
                self._now.maps += 1
                target = {"target": hex(answer.parameters[0])}
                self._different("mapped", call, mapping_difference(self._mapped(call, answer), answer), target)
        for picture in self._finished:
            answer = next(self._streams["frames"], None)
            if answer is not None and answer.content:
                self._now.frames += 1
                self._different("frame", call, frame_difference(picture, answer, self._allowed), {})
        self._finished.clear()

    def _different(self, kind: str, call: Call, found: Difference, where: dict[str, Any]) -> None:
        if found:
            self._fault(kind, call, where | found)

    def _mapped(self, call: Call, answer: Answer) -> bytes:
        target, offset, size = answer.parameters[:3]
        context = self._display.current.get(call.thread)
        if context is None:
            return b""
        element = target == gl.ELEMENT_ARRAY_BUFFER
        buffer = context.state.vertex_array.element_buffer if element else context.state.buffers.get(target)
        return bytes(buffer.data[offset : offset + size]) if buffer is not None else b""

    def wrong_cases(self) -> Iterator[Verdict]:
        """Each case that Mesa passes and that differs here."""
        for verdict in self.verdicts:
            if verdict.faults and verdict.verdict in ("Pass", ""):
                yield verdict
