"""Runs on a real Dask scheduler with two worker processes; one of them is killed while it is at work."""

from __future__ import annotations

import json
import shutil
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from activity_builder import Rectangle, Scene

from tests.dask_cluster import Cluster, free_port
from tilegpu.functional.activity import Activity, ActivityError
from tilegpu.timing.runs import Run, cluster, execute, execute_on, plan
from tilegpu.timing.runs.remote_activity import Place
from tilegpu.tools.main import main
from tilegpu.tools.sampling.plan import Cluster as Clustered
from tilegpu.tools.sampling.plan import Plan, Source, write_plan

distributed: Any = pytest.importorskip("distributed", reason="Dask is not installed")


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve frames: a run takes long enough to be interrupted."""
    frames = [[Rectangle(n, 8, 80, 80, 0.6), Rectangle(16, n, 100, 64, 0.4)] for n in range(12)]
    return Scene(128, 128, frames).write(tmp_path_factory.mktemp("cluster") / "activity")


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    return plan(["ptr-2022"], ["raster_units=1,2", "fragment_stage.warps=2,4,8"])


def test_the_command_takes_an_activity_from_a_url(
    dask: Cluster, activity: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["replay", activity.as_uri(), "--set", "raster_units=1,2", "--frames", "0:2"]
    for extra in (["-o", str(tmp_path / "here")], ["-o", str(tmp_path / "there"), "--cluster", dask.address]):
        monkeypatch.setattr("sys.argv", ["tilegpu", *arguments, *extra])
        with pytest.raises(SystemExit) as left:
            main()
        assert left.value.code == 0, capsys.readouterr().err
    for name in ("stats.parquet", "energy.parquet", "units.parquet", "config.toml"):
        for run in ("raster_units=1", "raster_units=2"):
            assert (tmp_path / "here" / run / name).read_bytes() == (tmp_path / "there" / run / name).read_bytes()


def test_the_totals_of_a_plan_are_those_of_this_machine(
    dask: Cluster, activity: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clusters = tuple(Clustered(frames=6, chosen=(first,), spread=0.1) for first in (3, 9))
    source = Source(name="scene", sha256=Activity(activity).manifest.source_sha256)
    frames = tuple(n // 6 for n in range(12))
    of = {"versions": {}, "source": source, "vector": "rich", "groups": (), "seed": 0, "scores": {}, "first_frame": 0}
    write_plan(Plan(**of, cluster_of_frame=frames, clusters=clusters), tmp_path / "plan.json")
    command = ["tilegpu", "replay", str(activity), "--plan", str(tmp_path / "plan.json"), "--set", "raster_units=1,2"]
    found = []
    for extra in ([], ["--cluster", dask.address]):
        monkeypatch.setattr("sys.argv", [*command, "--json", *extra])
        with pytest.raises(SystemExit) as left:
            main()
        output = capsys.readouterr()
        assert left.value.code == 0, output.err
        found.append(json.loads(output.out))
    here, there = found
    assert here == there and len(here) == 2


def test_what_a_worker_cannot_read_is_told(dask: Cluster, activity: Path, runs: list[Run], tmp_path: Path) -> None:
    copy = shutil.copytree(activity, tmp_path / "copy")
    place = Place.of(str(copy))
    shutil.rmtree(copy)
    with pytest.raises(ActivityError, match="copy"):
        list(execute_on(dask.address, place, runs[:1]))


def busy_worker(address: str) -> Any:
    """Name of a worker that executes a run now."""
    with distributed.Client(address, set_as_default=False) as client:
        names = {where: worker["name"] for where, worker in client.scheduler_info()["workers"].items()}
        while True:
            for where, tasks in client.processing().items():
                if tasks:
                    return names[where]
            time.sleep(0.01)


# The last one that uses the cluster, which has a worker less afterwards.
def test_a_lost_worker_costs_its_run_which_is_repeated(dask: Cluster, activity: Path, runs: list[Run]) -> None:
    expected = dict(execute(activity, runs, jobs=1))
    shares: list[float] = []
    found = {}
    for number, results in execute_on(
        dask.address, Place.of(str(activity)), runs, progress=lambda p: shares.append(p.share)
    ):
        if not found:
            dask.workers[busy_worker(dask.address)].kill()
        found[number] = results
    assert sum(worker.poll() is not None for worker in dask.workers.values()) == 1
    assert set(found) == set(range(len(runs)))
    for number, results in found.items():
        assert results.totals() == expected[number].totals()
        assert results.configuration == runs[number].configuration
    assert shares == [pytest.approx(n / len(runs)) for n in range(len(runs) + 1)]


def refuses() -> str:
    return f"tcp://127.0.0.1:{free_port()}"


def says_nothing() -> str:
    listening.listen()
    return f"tcp://127.0.0.1:{listening.getsockname()[1]}"


listening = socket.socket()
listening.bind(("127.0.0.1", 0))


@pytest.mark.parametrize("address", [refuses, says_nothing, lambda: "no scheduler"])
def test_an_address_that_does_not_answer_is_one_line_soon(
    address: Callable[[], str], activity: Path, runs: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE_SECONDS", 2)
    began = time.monotonic()
    with pytest.raises(cluster.ClusterError, match="no Dask scheduler answers within 2 s") as caught:
        list(execute_on(address(), Place.of(str(activity)), runs[:1]))
    assert "\n" not in str(caught.value)
    assert time.monotonic() - began < 30


def test_a_url_that_leads_nowhere_is_one_line(tmp_path: Path) -> None:
    for name in ((tmp_path / "none").as_uri(), "nosuch://host/activity"):
        with pytest.raises(ActivityError) as caught:
            Place.of(name)
        assert name in str(caught.value)
        assert "\n" not in str(caught.value)
