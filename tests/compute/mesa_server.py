"""A process that has imported what the modules on Mesa need, and forks one for each: `answer` has it run a module."""

from __future__ import annotations

import importlib
import os
import pickle
import subprocess
import sys
import traceback
from functools import cache
from tempfile import TemporaryFile
from typing import Any, NamedTuple

MODULES = "tests.compute.mesa_layouts", "tests.compute.mesa_player", "tests.compute.mesa_runner"


class Request(NamedTuple):
    """A module of `MODULES`, whose `main` is run, with what it finds as its argument, environment and input."""

    module: str
    argument: str
    environment: dict[str, str]
    given: bytes


class Done(NamedTuple):
    """How a process ended, and what it wrote."""

    status: int
    out: bytes
    err: bytes


def answer(request: Request) -> Done:
    """Run a module in a process of its own."""
    server: Any = _server()
    pickle.dump(request, server.stdin)
    server.stdin.flush()
    return Done(*pickle.load(server.stdout))


@cache
def _server() -> subprocess.Popen[bytes]:
    """Ends when its input does, with this process at the latest."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.compute.mesa_server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def _serve() -> None:
    # Its own streams go to its children's files.
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    for name in MODULES:
        importlib.import_module(name)
    while True:
        try:
            request: Request = pickle.load(requests)
        except EOFError:
            return
        # Plain: this module has another name in this process.
        pickle.dump(tuple(_forked(request)), answers)
        answers.flush()


def _forked(request: Request) -> Done:
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(request.given)
        for file in (given, out, err):
            file.flush()
            file.seek(0)
        child = os.fork()
        if child == 0:
            _run(request, (given, out, err))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        err.seek(0)
        return Done(status, out.read(), err.read())


def _run(request: Request, streams: tuple[Any, Any, Any]) -> None:
    """Be the module; ends the process."""
    status = 1
    try:
        for number, file in enumerate(streams):
            os.dup2(file.fileno(), number)
        os.environ.clear()
        os.environ.update(request.environment)
        sys.argv = [request.module, request.argument]
        sys.modules[request.module].main()  # type: ignore[attr-defined]
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    _serve()
