"""The timeline: it changes nothing, and what it shows adds up to the statistics."""

from __future__ import annotations

import itertools
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from activity_builder import Rectangle, Scene

from tilegpu.functional.errors import UserError
from tilegpu.timing import load_configuration, replay
from tilegpu.timing.results.timeline import Timeline


@pytest.fixture(scope="module")
def activity(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # Small, as some look at each cycle.
    frame = [Rectangle(0, 0, 32, 32, 0.5), Rectangle(5, 5, 20, 15, 0.7), Rectangle(2, 2, 25, 25, 0.2)]
    return Scene(32, 32, frames=[frame, frame]).write(tmp_path_factory.mktemp("timeline") / "activity")


@pytest.mark.parametrize("step", [1, 7, 100_000])
def test_a_timeline_adds_up_to_the_statistics(activity: Path, tmp_path: Path, step: int) -> None:
    configuration = load_configuration("ptr-2022", ["raster_units=2", "tiles.width=8", "tiles.height=8"])
    timeline = Timeline(configuration, step, frames=[1])
    watched = replay(activity, configuration, timeline=timeline)
    plain = replay(activity, configuration)
    assert (watched.counted, watched.spent) == (plain.counted, plain.spent)
    timeline.write(tmp_path / "timeline.pftrace")
    mhz = float(configuration.clocks.gpu)
    shown = Shown.of(tmp_path / "timeline.pftrace", mhz)

    spent = plain.spent[1]
    for unit, key in (("rasterizer 1", ("rasterizer", 1, 0)), ("fragment_processor 0.2", ("fragment_processor", 0, 2))):
        values = shown.counters[f"{unit}: busy"]
        assert values[0][1] == 0
        assert values[-1][0] - values[0][0] == plain.frame(1)["gpu.cycles"]
        # A value is of the time since the one before.
        busy = sum(value / 100 * (end - begin) for (begin, _), (end, value) in itertools.pairwise(values))
        assert busy == pytest.approx(spent[(*key, "busy")], rel=2e-3, abs=1)
    assert shown.units["rasterizer 1: busy"] == "PERCENT" and shown.units["DRAM: traffic"] == "BYTE/SECOND"
    moved = sum(plain.frame(1)[f"memory.dram.{way}_bytes"] for way in ("read", "write"))
    traffic = shown.counters["DRAM: traffic"]
    assert sum(v * (b - a) for (a, _), (b, v) in itertools.pairwise(traffic)) == pytest.approx(moved * mhz * 1e6)

    (frame,) = shown.slices["Frames"]
    assert frame.name == "frame 1" and frame.end - frame.begin == plain.frame(1)["gpu.cycles"]
    if step == 1:
        for stage in ("rasterizer", "early_depth", "blending", "tile_flush"):
            own = [sorted(shown.slices[f"Raster Unit {r}: {stage}"], key=lambda piece: piece.begin) for r in (0, 1)]
            assert sorted(int(piece.details["tile"]) for pieces in own for piece in pieces) == list(range(16))
            for pieces in own:
                assert len(pieces) == 8
                assert all(a.end <= b.begin for a, b in itertools.pairwise(pieces))


def test_without_perfetto_one_line_says_what_to_install(
    activity: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "perfetto"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "perfetto", None)
    timeline = Timeline(load_configuration("ptr-2022"), 100_000, frames=[1])
    with pytest.raises(UserError, match=r"^a timeline needs perfetto: pip install 'tilegpu\[perfetto\]'$"):
        timeline.write(tmp_path / "timeline.pftrace")
    assert not list(tmp_path.iterdir())


@dataclass(frozen=True)
class Piece:
    name: str
    begin: int
    end: int
    details: dict[str, str]


@dataclass
class Shown:
    """Slices by queue and values by counter, as Perfetto's messages have them, in cycles of a clock."""

    slices: dict[str, list[Piece]]
    counters: dict[str, list[tuple[int, float]]]
    units: dict[str, str]

    @classmethod
    def of(cls, path: Path, mhz: float) -> Shown:
        pb = pytest.importorskip("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
        trace = pb.Trace.FromString(path.read_bytes())
        names: dict[int, str] = {}
        shown, kinds = cls({}, {}, {}), {}

        def cycle(nanoseconds: int) -> int:
            return round(nanoseconds * mhz / 1000)

        for packet in sorted(trace.packet, key=lambda packet: packet.timestamp):
            names |= {s.iid: s.name for s in packet.interned_data.gpu_specifications}
            for spec in packet.gpu_counter_event.counter_descriptor.specs:
                kinds[spec.counter_id] = spec.name
                units = [spec.numerator_units, spec.denominator_units]
                shown.units[spec.name] = "/".join(
                    pb.GpuCounterDescriptor.MeasureUnit.Name(unit[0]) for unit in units if unit
                )
            for value in packet.gpu_counter_event.counters:
                shown.counters.setdefault(kinds[value.counter_id], []).append(
                    (cycle(packet.timestamp), value.double_value)
                )
            if packet.HasField("gpu_render_stage_event"):
                event = packet.gpu_render_stage_event
                piece = Piece(
                    names[event.stage_iid],
                    cycle(packet.timestamp),
                    cycle(packet.timestamp + event.duration),
                    {detail.name: detail.value for detail in event.extra_data},
                )
                shown.slices.setdefault(names[event.hw_queue_iid], []).append(piece)
        return shown
