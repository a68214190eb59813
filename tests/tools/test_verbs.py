"""The verbs on good input."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from tilegpu.functional.capture import Recorder

from .conftest import Done


def test_info_tells_what_a_stream_holds(tilegpu, square: Path) -> None:
    found = json.loads(tilegpu("info", square, "--json").out)
    assert (found["frames"], found["width"], found["height"], found["gl_version"]) == (2, 32, 32, 2)
    assert found["calls"]["glDrawArrays"] == 2
    assert found["unsupported"] == {}
    text = tilegpu("info", square).out
    assert "2 frames, 32x32, OpenGL ES 2" in text
    assert "every call is supported" in text


def test_render_writes_one_image_per_swap(tilegpu, square: Path, tmp_path: Path) -> None:
    done = tilegpu("render", square, "-o", tmp_path / "images")
    assert done.status == 0
    assert sorted(p.name for p in (tmp_path / "images").iterdir()) == ["frame_0000.png", "frame_0001.png"]
    for number in range(2):
        expected = np.zeros((32, 32, 3), np.uint8)
        expected[:] = (0, 0, 128)
        expected[8:24, 8 + 2 * number : 24 + 2 * number] = (255, 0, 0)
        np.testing.assert_array_equal(np.asarray(Image.open(tmp_path / "images" / f"frame_{number:04d}.png")), expected)


def test_render_keeps_alpha_and_ends_frames_as_asked(tilegpu, square: Path, tmp_path: Path) -> None:
    assert tilegpu("render", square, "-o", tmp_path / "images", "--alpha").status == 0
    assert np.asarray(Image.open(tmp_path / "images" / "frame_0000.png")).shape == (32, 32, 4)
    wrong = tilegpu("render", square, "-o", tmp_path / "none", "--frames-at", "never")
    assert wrong.status == 2 and "choose swap, flush, read" in wrong.err
    none = tilegpu("render", square, "-o", tmp_path / "none", "--frames-at", "read")
    assert none.status == 2 and "no glReadPixels of a whole framebuffer" in none.err


def test_render_takes_a_range_and_a_size(tilegpu, square: Path, tmp_path: Path) -> None:
    assert tilegpu("render", square, "-o", tmp_path / "images", "--frames", "1:2", "--size", "48x40").status == 0
    (only,) = (tmp_path / "images").iterdir()
    assert only.name == "frame_0001.png"
    assert Image.open(only).size == (48, 40)


def test_trace_and_replay(tilegpu, square: Path, tmp_path: Path) -> None:
    done = tilegpu("trace", square, "-o", tmp_path / "activity")
    assert done.status == 0
    assert "2 draws" in done.out
    done = tilegpu("replay", tmp_path / "activity", "-o", tmp_path / "results", "--set", "raster_units=2")
    assert done.status == 0
    assert "gpu.cycles" in done.out
    stats = pd.read_parquet(tmp_path / "results" / "stats.parquet")
    # 64 quads, eight of them on the diagonal where both triangles of the square cover a part.
    assert stats[stats.name == "raster.rasterizer.quads"].value.sum() == 2 * 72
    assert "raster_units = 2" in (tmp_path / "results" / "config.toml").read_text()
    assert json.loads((tmp_path / "results" / "stats.json").read_text())


def test_replay_of_level_all_equals_replay_of_visible(tilegpu, tmp_path: Path, scenes: Path) -> None:
    tables = []
    for level in ("visible", "all"):
        tilegpu("trace", scenes / "courtyard.trace", "-o", tmp_path / level, "--level", level, "--frames", "0:1")
        assert tilegpu("replay", tmp_path / level, "-o", tmp_path / f"results-{level}").status == 0
        tables.append(pd.read_parquet(tmp_path / f"results-{level}" / "stats.parquet"))
    pd.testing.assert_frame_equal(*tables)


def images(folder: Path) -> tuple[Path, Path]:
    """Two images of 8x8 that differ in one pixel by 100 and in another by 2."""
    pixels = np.full((8, 8, 3), 50, np.uint8)
    Image.fromarray(pixels).save(folder / "a.png")
    pixels[0, 0, 1] += 100
    pixels[3, 3, 2] += 2
    Image.fromarray(pixels).save(folder / "b.png")
    return folder / "a.png", folder / "b.png"


def test_compare_measures(tilegpu, tmp_path: Path) -> None:
    a, b = images(tmp_path)
    found = json.loads(tilegpu("compare", a, b, "--json", "--heatmap", tmp_path / "heat.png").out)["a.png"]
    assert found["maximum"] == 100
    assert found["over_tolerance_percent"] == pytest.approx(100 / 64)
    assert found["mse"] == pytest.approx((100**2 + 2**2) / 192)
    assert found["psnr_db"] == pytest.approx(10 * np.log10(255**2 / ((100**2 + 2**2) / 192)))
    assert 0 < found["ssim"] < 1
    heat = np.asarray(Image.open(tmp_path / "heat.png"))
    assert heat[0, 0].tolist() == [255, 255, 255]
    assert heat[7, 7].tolist() == [0, 0, 0]
    assert heat[3, 3].any()


@pytest.mark.parametrize(
    ("thresholds", "status"),
    [
        ((), 0),
        (("--max-over-2", "1.6"), 0),
        (("--max-over-2", "1.5"), 1),
        (("--min-psnr", "30"), 0),
        (("--min-psnr", "31"), 1),
        (("--max-difference", "100"), 0),
        (("--max-difference", "99"), 1),
    ],
)
def test_compare_fails_beyond_its_thresholds(tilegpu, tmp_path: Path, thresholds: tuple[str, ...], status: int) -> None:
    assert tilegpu("compare", *images(tmp_path), *thresholds).status == status


def test_compare_ignores_alpha_unless_both_have_it(tilegpu, tmp_path: Path) -> None:
    pixels = np.full((8, 8, 4), 50, np.uint8)
    Image.fromarray(pixels[..., :3]).save(tmp_path / "rgb.png")
    Image.fromarray(pixels).save(tmp_path / "rgba.png")
    pixels[..., 3] = 200
    Image.fromarray(pixels).save(tmp_path / "other.png")
    assert tilegpu("compare", tmp_path / "rgb.png", tmp_path / "other.png", "--max-difference", "0").status == 0
    assert tilegpu("compare", tmp_path / "rgba.png", tmp_path / "other.png", "--max-difference", "0").status == 1


def test_compare_takes_folders(tilegpu, square: Path, tmp_path: Path) -> None:
    for name in "ab":
        tilegpu("render", square, "-o", tmp_path / name)
    done = tilegpu("compare", tmp_path / "a", tmp_path / "b", "--max-difference", "0")
    assert done.status == 0
    assert "frame_0001.png" in done.out


@pytest.mark.parametrize("verb", [(), ("info",), ("render",), ("trace",), ("replay",), ("compare",), ("demo",)])
def test_help_teaches(tilegpu, verb: tuple[str, ...]) -> None:
    done: Done = tilegpu(*verb, "--help")
    assert done.status == 0
    assert "Usage" in done.out


@pytest.mark.parametrize("scene", ["courtyard", pytest.param("sprites", marks=pytest.mark.slow)])
def test_demo(tilegpu, tmp_path: Path, scene: str) -> None:
    done: Done = tilegpu("demo", "-o", tmp_path / "demo", "--scene", scene)
    assert done.status == 0
    assert "two Raster Units are" in done.out
    assert len(list((tmp_path / "demo" / "images").glob("*.png"))) == 8
    assert (tmp_path / "demo" / "results-2-raster-units" / "stats.parquet").is_file()


def test_inspect_shows_every_draw(tilegpu, tmp_path: Path, scenes: Path) -> None:
    done = tilegpu("inspect", scenes / "courtyard.trace", "--frame", "1", "-o", tmp_path / "frame", "--overdraw")
    assert done.status == 0
    draws = json.loads((tmp_path / "frame" / "draws.json").read_text())
    assert [d["draw"] for d in draws] == list(range(22))
    assert all((tmp_path / "frame" / d["image"]).is_file() for d in draws)
    assert draws[-1]["blend_enabled"]
    assert not draws[-1]["depth_write"]
    assert draws[0]["quads"] > 1000
    assert draws[0]["ways"] == {"primitives": "fused", "fragments": "fused"}
    assert done.out.count("fused") == len(draws)
    tilegpu("render", scenes / "courtyard.trace", "-o", tmp_path / "images", "--frames", "1")
    last, whole = tmp_path / "frame" / draws[-1]["image"], tmp_path / "images" / "frame_0001.png"
    assert tilegpu("compare", last, whole, "--max-difference", "0").status == 0
    assert {"overdraw.png", "depth_complexity.png"} <= {p.name for p in (tmp_path / "frame").iterdir()}
    alone = tilegpu("inspect", scenes / "courtyard.trace", "--frame", "1", "--draw", "3", "-o", tmp_path / "one")
    assert alone.status == 0
    assert [p.name for p in sorted((tmp_path / "one").glob("*.png"))] == ["draw_0003.png"]
    assert tilegpu("inspect", scenes / "courtyard.trace", "--draw", "99", "-o", tmp_path / "none").status == 2
    assert not (tmp_path / "none").exists()


def test_inspect_shows_a_draw_before_the_clear_that_follows_it(tilegpu, tmp_path: Path) -> None:
    path = tmp_path / "cleared.trace"
    with Recorder(path, 8, 8) as gl:
        program = gl.program(
            "attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }",
            "precision mediump float; void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }",
            ("p",),
        )
        gl.glUseProgram(program)
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 2, 0x1406, False, 0, np.array([-1, -1, 3, -1, -1, 3], np.float32).tobytes())
        gl.glDrawArrays(4, 0, 3)
        gl.glClearColor(0, 0, 1, 1)
        gl.glClear(0x4000)
        gl.swap()
    assert tilegpu("inspect", path, "-o", tmp_path / "frame").status == 0
    assert (np.asarray(Image.open(tmp_path / "frame" / "draw_0000.png")) == (255, 0, 0)).all()


def test_stats_characterizes_a_workload(tilegpu, square: Path, tmp_path: Path) -> None:
    tilegpu("trace", square, "-o", tmp_path / "activity")
    done = tilegpu("stats", tmp_path / "activity", "--tile", "16x16", "--json", "-o", tmp_path / "stats.parquet")
    found = json.loads(done.out)
    assert found["all"]["draw_calls_per_frame"] == 1
    assert found["all"]["overdraw"] == 256 / 1024
    assert len(pd.read_parquet(tmp_path / "stats.parquet")) == 2
    assert "draw calls per frame" in tilegpu("stats", tmp_path / "activity").out
    refused = tilegpu("stats", tmp_path / "activity", "--tile", "5x5")
    assert (refused.status, "even" in refused.err) == (2, True)


def test_configs_lists_shows_and_compares(tilegpu, tmp_path: Path) -> None:
    assert "Parallel Tile Rendering" in json.loads(tilegpu("configs", "--json").out)["ptr-2022"]
    shown = tilegpu("configs", "ptr-2022", "--set", "raster_units=2").out
    (tmp_path / "mine.toml").write_text(shown)
    found = json.loads(tilegpu("configs", tmp_path / "mine.toml", "--against", "ptr-2022", "--json").out)
    assert found == {"tiles.raster_units": {"of": 1, "is": 2}}
    refused = tilegpu("configs", "ptr-1999")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
