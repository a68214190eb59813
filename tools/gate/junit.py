"""A verdict as JUnit's XML, which services of continuous integration show as tests."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from tilegpu.functional.text import legible

from . import texts
from .verdict import Verdict

SUITE = "tilegpu gate"
_NO_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold."""


def junit(verdict: Verdict) -> bytes:
    """A test suite with a test per limit, in UTF-8."""
    cases = [(f"{c.name} {c.limit}", [] if c.within else [" ".join(texts.row_of(c))]) for c in verdict.checks]
    if verdict.draw_limits:
        beyond = [texts.draw_line(draw) for draw in verdict.changed if draw.beyond]
        cases.append((f"each draw: {', '.join(verdict.draw_limits)}", beyond))
        cases += [
            (f"no draw {what}", [work.name for work in works])
            for what, works in (("vanishes", verdict.vanished), ("appears", verdict.appeared))
        ]
    if verdict.pictures is not None:
        cases.append(("pictures", [f"{picture.name}: {picture.how}" for picture in verdict.pictures]))
    suite = ElementTree.Element("testsuite", name=SUITE, tests=str(len(cases)))
    suite.set("failures", str(sum(bool(lines) for _, lines in cases)))
    for name, lines in cases:
        case = ElementTree.SubElement(suite, "testcase", classname=SUITE, name=_text(name))
        if lines:
            failure = ElementTree.SubElement(case, "failure", message=_text(lines[0]))
            failure.text = "\n".join(map(_text, lines))
    ElementTree.indent(suite)
    root = ElementTree.Element("testsuites")
    root.append(suite)
    return bytes(ElementTree.tostring(root, "utf-8", xml_declaration=True)) + b"\n"


def _text(text: str) -> str:
    return _NO_CHARACTER.sub("\ufffd", legible(text))
