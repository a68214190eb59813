"""Answers of Mesa to a recorded trace, on either of its software drivers."""

from __future__ import annotations

import os
import pickle
import struct
from collections.abc import Sequence
from pathlib import Path

from tests.conftest import missing

from .layout_rules import Place
from .mesa_module import SKIPPED
from .mesa_server import Request, answer
from .program import Program

DRIVERS = ("softpipe", "llvmpipe")


def environment(driver: str) -> dict[str, str]:
    """The process' environment with which Mesa has OpenGL ES 3.1; llvmpipe has all but says so only when told to."""
    return os.environ | {
        "EGL_PLATFORM": "surfaceless",
        "LIBGL_ALWAYS_SOFTWARE": "1",
        "GALLIUM_DRIVER": driver,
        "MESA_GLES_VERSION_OVERRIDE": "3.1",
    }


def answers_of(module: str, argument: str, driver: str, given: bytes = b"") -> list[bytes]:
    """Blobs that a module of the tests writes to its standard output, each after its length.

    A process of its own: drivers are chosen by the environment, once.
    """
    done = answer(Request(module, argument, environment(driver), given))
    if done.status == SKIPPED:
        missing(done.err.decode().strip())
    assert done.status == 0, done.err.decode()[-4000:]
    blobs, at = [], 0
    while at < len(done.out):
        (length,) = struct.unpack_from("<q", done.out, at)
        blobs.append(done.out[at + 8 : at + 8 + length])
        at += 8 + length
    return blobs


def play(trace: Path, driver: str = "softpipe") -> list[bytes]:
    """Bytes of every range mapped for reading and of every glReadPixels of a trace, in the order of the calls."""
    return answers_of("tests.compute.mesa_player", str(trace), driver)


def run_all(programs: Sequence[Program], driver: str = "softpipe") -> list[list[bytes]]:
    """All buffers of each program after its dispatches."""
    given = pickle.dumps(list(programs))
    blobs = iter(answers_of("tests.compute.mesa_runner", str(len(programs)), driver, given))
    return [[next(blobs) for _ in program.buffers] for program in programs]


def run(program: Program, driver: str = "softpipe") -> list[bytes]:
    """All buffers of a program after its dispatches."""
    return run_all([program], driver)[0]


def layouts(sources: Sequence[str]) -> list[tuple[dict[str, int], dict[str, Place]]]:
    """Sizes of the blocks of each compute shader, and places of their members, by the names that programs ask for."""
    given = pickle.dumps(list(sources))
    return [
        pickle.loads(blob) for blob in answers_of("tests.compute.mesa_layouts", str(len(sources)), "softpipe", given)
    ]
