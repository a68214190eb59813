"""The search for a smaller capture: frames first, then questions, draws, all other calls, and their data."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tilegpu.functional.capture import Call, CaptureError, Trace, TraceWriter
from tilegpu.functional.capture.call import Value
from tilegpu.functional.errors import UserError
from tilegpu.functional.frame_ranges import FrameRange
from tilegpu.functional.gles.frame_ends import find_frame_ends
from tilegpu.functional.optional import optional
from tilegpu.functional.trimming import trim
from tilegpu.functional.trimming.trim import DROPPED

from .anonymous import NAME, is_image, without_image, without_names
from .check import CheckError, FunctionCheck
from .images import halved, is_small, textures_of

REDUCED = "tilegpu.reduced"
"""Note in a stream about the one that it was reduced from."""
QUESTIONS = ("eglGet", "eglQuery", "glGet", "glIs", "glCheck", "glX", "wgl")
"""Beginnings of the names of calls that mostly ask. They go first, all at once where that will do."""
LEAST_BLOB_BYTES = 64
"""Blobs that are shorter stay as they are."""


class OutOfTime(Exception):
    """The budget of time is used up."""


class Search:
    """Reduces a capture as long as a check ends as on the original.

    Parameters
    ----------
    capture
        The original.
    check
        The check.
    folder
        For candidates.
    seconds
        Budget.
    report
        Is told what is tried, and how many calls the smallest capture has.
    anonymize
        Whether names and images are replaced in the end.

    Attributes
    ----------
    best
        The smallest capture so far that the check holds for.
    personal
        What the check needs of that which is replaced otherwise: "names", "3 images".
    """

    def __init__(
        self,
        capture: Path,
        check: FunctionCheck,
        folder: Path,
        seconds: float,
        report: Callable[[str, int], None],
        anonymize: bool = False,
    ) -> None:
        self.original = self.best = capture
        self.check, self.folder, self.report = check, folder, report
        self.began = time.monotonic()
        self.ends_at = self.began + seconds
        self.calls: list[Call] = []
        self.anonymize = anonymize
        self.personal: list[str] = ["names and images"] if anonymize else []

    def run(self) -> bool:
        """Search until nothing can be left out; False where the time was used up before.

        Raises
        ------
        CheckError
            If the check cannot be run on the original.
        """
        self.check.begin(self.best)
        try:
            self._frames()
            self.calls = [call for call in Trace(self.best) if call.complete]
            if not self._try_calls(self.calls):
                name = self.original.name
                raise CheckError(f"--check ends otherwise on a copy of {name}: it looks at more than the calls")
            self._leave_out("questions", lambda call: call.name.startswith(QUESTIONS))
            self._leave_out("draws", lambda call: call.name.startswith(DROPPED))
            self._leave_out("calls", lambda call: True)
            while self._halve():
                pass
            self._blobs()
            if self.anonymize:
                self._anonymize()
        except OutOfTime:
            return False
        return True

    def write(self, output: Path) -> int:
        """Write the smallest capture; its number of calls."""
        reduced = Trace(self.best)
        origin = {REDUCED: NAME} if self.anonymize else reduced.properties | {REDUCED: self.original.name}
        with TraceWriter(output, origin) as writer:
            for call in reduced:
                writer.write(call)
        return writer.calls

    @property
    def elapsed(self) -> float:
        """Seconds so far."""
        return time.monotonic() - self.began

    def _frames(self) -> None:
        """Keep the fewest frames: the last that is needed, and as few before it as will do."""
        ends = find_frame_ends(self.best)
        count = sum(call.ends_frame for call in Trace(self.best)) if ends == "swap" else 0
        if count < 2:
            return
        low, high = 1, count
        while low < high:
            middle = (low + high) // 2
            if self._try_frames(0, middle):
                high = middle
            else:
                low = middle + 1
        width = 1
        while width < high and not self._try_frames(high - width, high):
            width *= 2

    def _try_frames(self, first: int, last: int) -> bool:
        candidate = self._candidate()
        try:
            trim(self.original, candidate, FrameRange(first, last))
        except (CaptureError, UserError):
            return False
        return self._holds(candidate, f"frames {first}:{last}")

    def _leave_out(self, kind: str, may_go: Callable[[Call], bool]) -> None:
        """Leave out as many calls of a kind as can go."""

        def holds(kept: Sequence[int]) -> bool:
            return self._try_calls(self._without(loose, kept), f"{len(kept):,} {kind}")

        loose = [i for i, call in enumerate(self.calls) if may_go(call)]
        self.calls = self._without(loose, fewest(loose, holds))

    def _without(self, loose: Sequence[int], kept: Sequence[int]) -> list[Call]:
        gone = set(loose) - set(kept)
        return [call for i, call in enumerate(self.calls) if i not in gone]

    def _halve(self) -> bool:
        """Make textures half as large, as far as that can be; whether any is smaller now."""

        def changed(kept: Sequence[int]) -> list[Call]:
            chosen = {place: smaller for i, calls in enumerate(textures) if i not in kept for place, smaller in calls}
            return [chosen.get(place, call) for place, call in enumerate(self.calls)]

        halves = [[(place, halved(self.calls[place])) for place in group] for group in textures_of(self.calls).values()]
        textures = [
            [(place, smaller) for place, smaller in calls if smaller is not None]
            for calls in halves
            if all(smaller is not None or is_small(self.calls[place]) for place, smaller in calls)
        ]
        textures = [calls for calls in textures if calls]
        large = fewest(range(len(textures)), lambda kept: self._try_calls(changed(kept), f"{len(kept):,} textures"))
        self.calls = changed(large)
        return len(large) < len(textures)

    def _blobs(self) -> None:
        """Fill what calls carry with zeros, as far as that can be."""
        carriers = [i for i, call in enumerate(self.calls) if any(map(_is_blob, call.arguments))]
        self._replace(carriers, "data", lambda place: _emptied(self.calls[place]))

    def _replace(self, places: Sequence[int], kind: str, other: Callable[[int], Call]) -> int:
        """Replace calls by others, as far as that can be; the number of those that stay."""

        def changed(kept: Sequence[int]) -> list[Call]:
            gone = set(places) - set(kept)
            return [other(i) if i in gone else call for i, call in enumerate(self.calls)]

        needed = fewest(places, lambda some: self._try_calls(changed(some), f"{kind} of {len(some):,} calls"))
        self.calls = changed(needed)
        return len(needed)

    def _anonymize(self) -> None:
        """Replace names and images, as far as that can be."""
        calls = without_names(self.calls)
        self.personal = [] if self._try_calls(calls, "other names") else ["names"]
        self.calls = self.calls if self.personal else calls
        images = [i for i, call in enumerate(self.calls) if is_image(call)]
        staying = self._replace(images, "images", lambda place: without_image(self.calls[place], place))
        self.personal += [f"{staying} images" if staying > 1 else "an image"] if staying else []

    def _try_calls(self, calls: Sequence[Call], success: str = "") -> bool:
        candidate = self._candidate()
        with TraceWriter(candidate, {REDUCED: NAME if self.anonymize else self.original.name}) as writer:
            for call in calls:
                writer.write(call)
        return self._holds(candidate, success, len(calls))

    def _candidate(self) -> Path:
        if time.monotonic() >= self.ends_at:
            raise OutOfTime
        return self.folder / f"candidate{self.check.runs % 2}.trace"

    def _holds(self, candidate: Path, success: str, calls: int = 0) -> bool:
        self.report(success, calls)
        if not self.check.holds(candidate):
            return False
        kept = self.folder / "best.trace"
        shutil.copyfile(candidate, kept)
        self.best = kept
        return True


def fewest(items: Sequence[int], holds: Callable[[Sequence[int]], bool]) -> Sequence[int]:
    """The fewest items that something still holds with: none can be left out alone.

    Raises
    ------
    CheckError
        If it does not hold with all of them when it is asked again.
    """
    if not items or holds([]):
        return []
    picire = optional("picire", "`tilegpu reduce`")

    def outcome(kept: Sequence[int], _: object) -> object:
        return picire.Outcome.FAIL if holds(kept) else picire.Outcome.PASS

    try:
        kept: Sequence[int] = picire.DD(outcome, cache=picire.ConfigCache(), subset_first=False)(list(items))
    except AssertionError:
        raise CheckError("--check ends one way or another on the same capture: it cannot be used") from None
    return kept


def _is_blob(value: Value) -> bool:
    return isinstance(value, bytes) and len(value) >= LEAST_BLOB_BYTES


def _emptied(call: Call) -> Call:
    """The call with zeros in the place of its data."""
    arguments = [
        bytes(len(value)) if isinstance(value, bytes) and _is_blob(value) else value for value in call.arguments
    ]
    return call.with_arguments(arguments)
