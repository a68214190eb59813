"""A real Dask scheduler with worker processes, for tests."""

from __future__ import annotations

import importlib
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

START_SECONDS = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Cluster:
    """A scheduler and its workers."""

    address: str
    workers: dict[str, subprocess.Popen[bytes]]


def started(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    """A scheduler with two workers, each a process of its own."""
    distributed: Any = importlib.import_module("distributed")
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    processes = [started("scheduler", "--host", "127.0.0.1", "--port", str(port))]
    workers = {}
    for name in ("one", "two"):
        options = ("--name", name, "--nthreads", "1", "--no-nanny", "--local-directory", str(folder / name))
        workers[name] = started("worker", address, "--host", "127.0.0.1", *options)
    processes += workers.values()
    try:
        with distributed.Client(address, timeout=START_SECONDS, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=START_SECONDS)
        yield Cluster(address, workers)
    finally:
        for process in processes:
            process.kill()
            process.wait()
