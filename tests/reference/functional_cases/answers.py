"""Reads Mesa's answers: verdicts of cases, pixels read, mapped buffers and frames, in the order of the capture.

A record is its kind (1 byte), the number of parameters (int32), the parameters (int32 each), the length of its content
(uint32) and the content.
"""

from __future__ import annotations

import gzip
import struct
from dataclasses import dataclass, field
from pathlib import Path

_GZIP = b"\x1f\x8b"
CASE, VERDICT, READ, MAPPING, FRAME = "C", "V", "R", "M", "F"


@dataclass(frozen=True)
class Answer:
    """An answer of Mesa's, and the number of the case that asked for it."""

    parameters: tuple[int, ...]
    content: bytes
    case: int


@dataclass
class Answers:
    """All answers of a capture.

    Attributes
    ----------
    cases
        Name and verdict of each case.
    reads, mappings, frames
        Answers by kind.
    """

    cases: list[tuple[str, str]] = field(default_factory=list)
    reads: list[Answer] = field(default_factory=list)
    mappings: list[Answer] = field(default_factory=list)
    frames: list[Answer] = field(default_factory=list)


def read_answers(path: Path) -> Answers:
    """Answers of a file, compressed or not."""
    data = path.read_bytes()
    if data[:2] == _GZIP:
        data = gzip.decompress(data)
    answers, at = Answers(), 0
    lists = {READ: answers.reads, MAPPING: answers.mappings, FRAME: answers.frames}
    while at < len(data):
        kind = chr(data[at])
        (count,) = struct.unpack_from("<i", data, at + 1)
        parameters = struct.unpack_from(f"<{count}i", data, at + 5)
        at += 5 + 4 * count
        (size,) = struct.unpack_from("<I", data, at)
        content = data[at + 4 : at + 4 + size]
        at += 4 + size
        if kind == CASE:
            answers.cases.append((content.decode(), ""))
        elif kind == VERDICT:
            answers.cases[-1] = answers.cases[-1][0], content.decode()
        else:
            lists[kind].append(Answer(parameters, content, len(answers.cases) - 1))
    return answers
