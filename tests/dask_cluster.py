"""A real Dask scheduler with worker processes, for tests."""

from __future__ import annotations

import importlib
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

START_SECONDS = 60
ATTEMPTS = 3


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Cluster:
    """A scheduler and its workers."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: dict[str, subprocess.Popen[bytes]]

    def stop(self) -> None:
        """Kill all processes."""
        for process in (self.scheduler, *self.workers.values()):
            process.kill()
            process.wait()


def started(log: Path, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
    with log.open("wb") as output:
        return subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)


def _address(meeting: Path) -> str:
    """Address that a scheduler writes into a file once it listens, on a port that the system chooses."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        try:
            return str(json.loads(meeting.read_text())["address"])
        except (FileNotFoundError, ValueError):
            time.sleep(0.05)
    raise TimeoutError("the scheduler does not start")


def _start(folder: Path) -> Cluster:
    distributed: Any = importlib.import_module("distributed")
    folder.mkdir(parents=True)
    meeting = folder / "scheduler.json"
    listens = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(meeting))
    cluster = Cluster("", started(folder / "scheduler.log", "scheduler", *listens), {})
    try:
        cluster.address = _address(meeting)
        for name in ("one", "two"):
            options = ("--name", name, "--nthreads", "1", "--no-nanny", "--local-directory", str(folder / name))
            arguments = ("worker", cluster.address, "--host", "127.0.0.1", *options)
            cluster.workers[name] = started(folder / f"{name}.log", *arguments)
        with distributed.Client(cluster.address, timeout=START_SECONDS, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=START_SECONDS)
    except BaseException:
        cluster.stop()
        raise
    return cluster


@contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    """A scheduler with two workers, each a process of its own; one that hangs as it starts is replaced."""
    logs = ""
    for attempt in range(ATTEMPTS):
        try:
            cluster = _start(folder / str(attempt))
            break
        except (TimeoutError, OSError):
            logs += "".join(path.read_text(errors="replace") for path in sorted((folder / str(attempt)).glob("*.log")))
    else:
        raise RuntimeError(f"no Dask scheduler started in {ATTEMPTS} attempts:\n{logs}")
    try:
        yield cluster
    finally:
        cluster.stop()
