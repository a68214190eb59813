"""Calls of one frame as text, with the debug groups that are open at each."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ..call_text import call_text
from ..capture import Call, Trace

_PUSH = {"glPushDebugGroup": "message", "glPushDebugGroupKHR": "message", "glPushGroupMarkerEXT": "marker"}
_POP = frozenset({"glPopDebugGroup", "glPopDebugGroupKHR", "glPopGroupMarkerEXT"})
_MARKERS = {"glInsertEventMarkerEXT": "marker", "glDebugMessageInsert": "buf", "glDebugMessageInsertKHR": "buf"}
MAX_CALLS, MAX_TEXT = 50_000, 1000
"""Most calls that are kept, and most characters of one."""


@dataclass(frozen=True)
class CallText:
    """One call.

    Attributes
    ----------
    number
        In the stream.
    text
        Without its number, shortened if it is long.
    groups
        Labels of the debug groups that are open when it is made, the outer one first.
    marker
        Label of a single mark, "" for other calls.
    """

    number: int
    text: str
    groups: tuple[str, ...]
    marker: str = ""


@dataclass
class _Groups:
    open: dict[int, list[str]] = field(default_factory=dict)

    def follow(self, call: Call) -> tuple[str, ...]:
        """Groups that are open when a call is made."""
        labels = self.open.setdefault(call.thread, [])
        before = tuple(labels)
        if call.name in _PUSH:
            labels.append(_label(call, _PUSH[call.name]))
        elif call.name in _POP and labels:
            labels.pop()
        return before


def _label(call: Call, name: str) -> str:
    arguments = call.signature.arguments
    label = call.arguments[arguments.index(name)] if name in arguments else None
    length = call.arguments[arguments.index("length")] if "length" in arguments else None
    text = label if isinstance(label, str) else ""
    return text[:length] if isinstance(length, int) and length > 0 else text


def calls_between(path: Path, last_before: int | None, last: int) -> list[CallText]:
    """Calls of a frame.

    Parameters
    ----------
    path
        apitrace file.
    last_before, last
        Number of the call that ended the frame before, None for the first frame; and of the one that ends this frame.
    """
    groups, texts, within = _Groups(), list[CallText](), last_before is None
    for call in Trace(path, named=True):
        opened = groups.follow(call)
        if within and len(texts) < MAX_CALLS:
            text = call_text(call)
            text = text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]}… ({len(text):,} characters)"
            marker = _label(call, _MARKERS[call.name]) if call.name in _MARKERS else ""
            texts.append(CallText(call.number, text, opened, marker))
        within = within or call.number == last_before
        if call.number == last:
            break
    return texts
