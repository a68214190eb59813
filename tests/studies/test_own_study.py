"""`tilegpu study` on a study of a user's own."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.dask_cluster import Cluster, free_port
from tests.full_disk import full_disk
from tests.tools.test_bad_input import refused
from tilegpu.tools.studies.catalogue import find_study
from tilegpu.tools.studies.declare import Study
from tilegpu.tools.studies.outcome import configuration_hash
from tilegpu.tools.studies.plots import curve_points
from tilegpu.tools.studies.study_page import changed_machines


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def cycles(folder: Path, workload: str, machine: str) -> float:
    """Cycles of all counted frames, from the table that pandas would read."""
    rows = pq.read_table(folder / "runs" / workload / machine / "stats.parquet").to_pylist()
    return sum(row["value"] for row in rows if row["name"] == "gpu.cycles")


def assert_changes_are_noticed(study: Study, found: dict[str, Any]) -> None:
    """A machine is another one if a field that was known is; a field that came later leaves it as it was."""
    assert changed_machines(study, found) == []
    machines = study.machines()
    earlier = [name for name in found["fields"] if name != "memory.clears"]
    known = {name: configuration_hash(machine, earlier) for name, machine in machines.items()}
    assert known["usual"] != found["configurations"]["usual"]
    assert changed_machines(study, {"configurations": known, "fields": earlier}) == []
    assert changed_machines(study, {"configurations": known, "fields": found["fields"]}) == list(known)
    swapped = {**known, "narrow": known["usual"]}
    assert changed_machines(study, {"configurations": swapped, "fields": earlier}) == ["narrow"]


def test_plans_choose_frames(tilegpu, own: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    found = json.loads(tilegpu("study", own, "-o", folder, "--plan", 12, "--json", "--jobs", 1).out)
    chosen = found["frames"]["plans"]["small"]
    assert 0 in chosen and 5 <= len(chosen) <= 6
    rows = pq.read_table(folder / "runs" / "small" / "narrow" / "stats.parquet").to_pylist()
    spent = [row["value"] for row in rows if row["name"] == "gpu.cycles"]
    assert len(spent) == len(chosen)
    # All 60 frames that the twin has, and the first stands for itself alone.
    whole = found["figures"][0]["series"]["narrow"][0]
    assert 60 * min(spent) <= whole <= 60 * max(spent)
    assert whole - spent[0] <= 59 * max(spent[1:])
    assert found["conclusions"][0]["interval"] is not None
    assert tilegpu("study", own, "-o", folder, "--plan", 1).status == 2
    few = json.loads(tilegpu("study", own, "-o", folder, "--plan", 6, "--json", "--jobs", 1).out)
    assert few["frames"]["too_few"] == len(few["frames"]["plans"]["small"]) == 3
    assert few["conclusions"][0].get("interval") is None


def test_what_it_writes(tilegpu, own: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    done = tilegpu("study", own, "-o", folder, "--json", "--jobs", 1)
    assert done.status == 0, done.err
    assert "capture:nowhere is not at hand" in done.err
    assert "5 runs of 2 workloads" in done.err
    found = json.loads(done.out)
    assert found == json.loads((folder / "study.json").read_text())
    assert (found["study"], found["quick"], found["seeds"]) == ("own", False, {"small": 3})
    assert found["frames"] == {"warm_up": [0], "counted": [1, 2], "before": 0, "too_few": 2, "fewer": {"square": 1}}
    assert (found["workloads"], found["applications"], found["absent"]) == (["small"], ["square"], ["capture:nowhere"])
    assert set(found["configurations"]) == {"usual", "narrow", "two"}
    assert_changes_are_noticed(find_study(str(own)), found)

    first, second, third, elsewhere = found["figures"]
    assert (elsewhere["series"], elsewhere["missing"]) == ({}, "elsewhere")
    assert first["workloads"] == ["small", "square"]
    assert first["series"]["narrow"] == [cycles(folder, "small", "narrow"), cycles(folder, "square", "narrow")]
    assert first["paper"] == {"usual": [5, None]}
    assert (third["drawn"], third["axis"], third["workloads"]) == ("curves", "processors", ["1", "4"])
    both = [cycles(folder, "small", machine) for machine in ("narrow", "usual")]
    assert third["series"] == {"mean": both, "alone": [2.5, None]}
    assert curve_points(third)["alone"] == [(1.0, 2.5)]
    assert second["series"]["two"][0] == second["series"]["two"][1] > 1

    slower, faster, rank, lost = found["conclusions"]
    ours = cycles(folder, "small", "narrow") / cycles(folder, "small", "usual")
    assert slower["ours"] == pytest.approx(ours, abs=1e-6)
    assert (slower["holds"], slower["explanation"], slower["paper"]) == (True, "one processor", 2)
    assert len(slower["by_frame"]["values"]) == 2
    assert slower["by_frame"]["mean"] == pytest.approx(sum(slower["by_frame"]["values"]) / 2, abs=1e-5)
    square = cycles(folder, "square", "narrow") / cycles(folder, "square", "usual")
    assert slower["applications"] == {
        "workloads": ["square"],
        "ours": pytest.approx(square, abs=1e-6),
        "holds": square > 1,
    }
    assert (faster["holds"], faster["ours"]) == (False, slower["ours"])
    assert "interval" not in slower and not slower["undecided"]
    assert rank["holds"] is True
    assert rank["ours"] == {"small": cycles(folder, "small", "usual")}
    assert rank["applications"]["holds"] is None
    assert (lost["ours"], lost["holds"]) == (None, None)
    assert "elsewhere" in lost["explanation"]

    assert {path.name for path in (folder / "plots").iterdir()} == {"1.svg", "2.svg", "3.svg"}
    page = (folder / "report.html").read_text()
    assert "A narrow GPU is slower." in page
    assert "does not hold" in page
    assert "<polyline" in page and "<circle" in page


def test_going_on_where_it_was(tilegpu, own: Path, tmp_path: Path) -> None:
    """What is there is not run again, whatever the number of processes; what was lost is, to the same bytes."""
    folder = tmp_path / "out"
    assert tilegpu("study", own, "-o", folder, "--quick", "--jobs", 1).status == 0
    whole = contents(folder)
    kept = folder / "runs" / "small" / "usual" / "stats.json"
    stamp = kept.stat().st_mtime_ns
    for path in (folder / "runs" / "small" / "narrow").iterdir():
        path.unlink()
    (folder / "study.json").unlink()
    assert tilegpu("study", own, "-o", folder, "--quick", "--jobs", 2).status == 0
    assert contents(folder) == whole
    assert kept.stat().st_mtime_ns == stamp


def test_frames_of_variants(tilegpu, own: Path, tmp_path: Path) -> None:
    """How many frames count does not hang on the variant whose machines are asked for."""
    twins = 'Experiment({"usual@x": Machine("ptr-2022"), "narrow@x": Machine("ptr-2022")}), Experiment('
    text = own.read_text().replace("Experiment(\n", twins, 1)
    asked = "m = m.under('@x')\n    assert m.frames('small') == m.counted_frames"
    own.write_text(text.replace("def slower(m):", f"def slower(m):\n    {asked}"))
    done = tilegpu("study", own, "-o", tmp_path / "out", "--quick", "--json")
    assert done.status == 0, done.err
    assert json.loads(done.out)["conclusions"][0]["ours"] == 1


@pytest.mark.slow  # Quick runs have tests/timing/runs/test_cluster.py, on the way that studies go, too.
def test_on_a_cluster(tilegpu, own: Path, tmp_path: Path, dask: Cluster) -> None:
    """Byte for byte what it is on this machine; an address where nobody answers is one line."""
    here, there = tmp_path / "here", tmp_path / "there"
    assert tilegpu("study", own, "-o", here, "--quick").status == 0
    done = tilegpu("study", own, "-o", there, "--quick", "--cluster", dask.address)
    assert done.status == 0, done.err
    assert contents(there) == contents(here)
    lost = tilegpu("study", own, "-o", tmp_path / "lost", "--quick", "--cluster", f"tcp://127.0.0.1:{free_port()}")
    assert lost.status == 2
    assert lost.err.splitlines()[-1].startswith("error: tcp://127.0.0.1")
    assert not (tmp_path / "lost" / "study.json").exists()


def test_workloads_of_ones_own(tilegpu, own: Path, small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    done = tilegpu("study", own, "-o", folder, "--workloads", small, "--scale", 0.5)
    assert done.status == 0, done.err
    found = json.loads((folder / "study.json").read_text())
    assert (found["workloads"], found["applications"], found["scale"]) == (["small"], [], 0.5)
    assert "applications" not in found["conclusions"][0]
    assert "slower" in done.out
    assert "2 of 4 conclusions hold, 1 not measured" in done.out


def test_comparing_versions(tilegpu, own: Path, tmp_path: Path) -> None:
    folder, other = tmp_path / "out", tmp_path / "other"
    assert tilegpu("study", own, "-o", folder, "--quick").status == 0
    same = tilegpu("study", "--compare", folder, folder)
    assert (same.status, same.out.strip()) == (0, "0 differences")
    found = json.loads((folder / "study.json").read_text())
    found["conclusions"][0] |= {"ours": 0.5, "holds": False}
    found["figures"][0]["series"]["usual"][0] = 1.0
    other.mkdir()
    (other / "study.json").write_text(json.dumps(found))
    done = tilegpu("study", "--compare", folder, other, "--json")
    assert done.status == 0
    told = {change["what"]: change["after"] for change in json.loads(done.out)}
    assert told == {"conclusion slower": "does not hold: 0.5 (rule: > 1)", "figure 1, usual, small": "1"}


def test_what_cannot_be(tilegpu, own: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    refused(tilegpu("study", "no-such", "-o", out), "no-such", "ptr-2022")
    refused(tilegpu("study", tmp_path / "absent.py", "-o", out), "absent.py")
    refused(tilegpu("study", own), "-o DIR")
    refused(tilegpu("study", own, "-o", out, "--scale", 0), "--scale")
    refused(tilegpu("study", own, "-o", out, "--workloads", "no-such-twin"), "no-such-twin", "workloads list")
    refused(tilegpu("study", own, "-o", out, "--workloads", "capture:nowhere"), "at hand")
    refused(tilegpu("study", own, "-o", own), "no folder")
    empty = tmp_path / "empty.py"
    empty.write_text("STUDY = 1\n")
    refused(tilegpu("study", empty, "-o", out), "STUDY")
    twice = tmp_path / "twice.py"
    twice.write_text(own.read_text().replace('{"two": Machine("ptr-2022-2ru")}', '{"usual": Machine("ptr-2022-2ru")}'))
    refused(tilegpu("study", twice, "-o", out), "usual", "twice")
    slash = tmp_path / "slash.py"
    slash.write_text(own.read_text().replace('{"two"', '{"1/2"'))
    refused(tilegpu("study", slash, "-o", out), "1/2", "without /")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(own.read_text().replace('"> 1"', '"rather large"'))
    refused(tilegpu("study", wrong, "-o", out), "rather large")
    unknown = tmp_path / "unknown.py"
    unknown.write_text(own.read_text().replace("rasterizer.quads_per_cycle=1", "rasterizer.magic=1"))
    refused(tilegpu("study", unknown, "-o", out), "magic")
    broken = tmp_path / "broken.py"
    broken.write_text("import no_such_module\n")
    refused(tilegpu("study", broken, "-o", out), "broken.py", "no_such_module")
    refused(tilegpu("study", "--compare", tmp_path, tmp_path), "study.json")
    assert not out.exists()


def test_the_list(tilegpu) -> None:
    done = tilegpu("study")
    assert done.status == 0
    assert all(name in done.out for name in ("ptr-2022", "re-2019", "sensitivity"))


def test_a_page_that_is_not_ours_stays(tilegpu, own: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "report.html").write_text("<p>my thesis</p>")
    refused(tilegpu("study", own, "-o", folder), "report.html")
    assert contents(folder) == {"report.html": b"<p>my thesis</p>"}


def test_no_room(tilegpu, own: Path, tmp_path: Path) -> None:
    run = ("study", own, "-o", tmp_path / "out", "--quick", "--jobs", 1)
    assert tilegpu(*run).status == 0
    before = contents(tmp_path / "out")
    for limit, name in ((100, "study.json"), (len(before["study.json"]), "plots/1.svg")):
        with full_disk(limit):
            done = tilegpu(*run)
        told = [line for line in done.err.splitlines() if line.startswith("error:")]
        assert (done.status, len(told)) == (2, 1)
        assert told[0].startswith(f"error: {tmp_path / 'out' / name}: File too large; ")
        assert contents(tmp_path / "out") == before
