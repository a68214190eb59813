"""Runs verbs of the command, each in a process of its own with limits of memory and time.

The processes are forked from one that has the command and its kernels loaded, which takes longest:
`Verbs` talks to that one, which runs `python -m tests.fuzz.verbs_in_processes FILE ...`.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

MAX_SECONDS, MAX_BYTES = 20, 2 << 30
_MAX_WALL_SECONDS = 120.0
_GOOD = (0, 1, 2)


@dataclass(frozen=True)
class Ended:
    """How a process ended: its status (negative for a signal), last lines of standard error, CPU time, peak memory."""

    status: int
    told: str
    seconds: float
    peak_bytes: int

    @property
    def wrong(self) -> str:
        """What must not happen, whatever the input; "" if it did not."""
        if self.seconds >= MAX_SECONDS or self.status == -signal.SIGXCPU:
            return f"takes {self.seconds:.0f} s"
        if self.peak_bytes >= MAX_BYTES:
            return f"takes {self.peak_bytes / 2**20:.0f} MiB"
        if self.status not in _GOOD:
            return f"ends with {self.status}"
        return "shows a traceback" if "Traceback" in self.told or "fault of tilegpu" in self.told else ""


class Verbs:
    """The command, loaded once. Use as a context.

    Parameters
    ----------
    captures
        Files to play first, so that the kernels that they need are compiled and loaded.
    folder
        Where it may write.
    """

    def __init__(self, captures: Sequence[Path], folder: Path) -> None:
        command = [sys.executable, "-m", "tests.fuzz.verbs_in_processes", str(folder), *map(str, captures)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, *arguments: object) -> Ended:
        """Run a verb. What takes too long is run once more: the first time it may have compiled a kernel."""
        ended = self._once(*arguments)
        return self._once(*arguments) if ended.wrong.startswith("takes") and ended.seconds > MAX_SECONDS / 2 else ended

    def _once(self, *arguments: object) -> Ended:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(list(map(str, arguments))) + "\n")
        self._process.stdin.flush()
        return Ended(**json.loads(self._process.stdout.readline()))

    def __enter__(self) -> Verbs:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def _serve(folder: Path, captures: Sequence[str]) -> None:
    from tilegpu.functional.garbage import SELDOM
    from tilegpu.tools import info, render, trace
    from tilegpu.tools.main import main

    del info, render, trace, SELDOM
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for capture in captures:
        for verb in (("render",), ("trace",), ("info",)):
            output = ["-o", str(folder / verb[0])] if verb[0] != "info" else []
            sys.argv = ["tilegpu", *verb, capture, *output]
            with suppress(SystemExit):
                main()
            shutil.rmtree(folder / verb[0], ignore_errors=True)
    for line in sys.stdin:
        answers.write(json.dumps(vars(_forked(json.loads(line), folder / "told.txt"))) + "\n")
        answers.flush()


def _forked(arguments: list[str], told: Path) -> Ended:
    process = os.fork()
    if not process:
        _child(arguments, told)
    deadline = time.monotonic() + _MAX_WALL_SECONDS
    while True:
        done, status, used = os.wait4(process, os.WNOHANG)
        if done:
            break
        if time.monotonic() > deadline:
            os.kill(process, signal.SIGKILL)
        time.sleep(0.002)
    text = told.read_text("utf-8", "replace")[-2000:]
    return Ended(os.waitstatus_to_exitcode(status), text, used.ru_utime + used.ru_stime, used.ru_maxrss << 10)


def _child(arguments: list[str], told: Path) -> None:
    from tilegpu.tools.main import main

    status = 70
    try:
        os.dup2(os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 2)
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_DATA, (2 * MAX_BYTES, 2 * MAX_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        sys.argv = ["tilegpu", *arguments]
        os.environ["TILEGPU_TRACEBACK"] = "1"
        try:
            main()
        except SystemExit as leave:
            status = int(leave.code or 0)
        sys.stderr.flush()
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)


if __name__ == "__main__":
    _serve(Path(sys.argv[1]), sys.argv[2:])
