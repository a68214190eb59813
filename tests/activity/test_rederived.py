"""Every table tells enough to derive the functional result again, by code that shares nothing with the renderer's."""

from collections import Counter

import numpy as np
import pytest

from tilegpu.functional.activity import Activity

from .conftest import SIZE, texels

LANES = [(lane, lane & 1, lane >> 1) for lane in range(4)]


def rows(activity: Activity, name: str, frame: int = 0) -> list[dict]:
    """Rows of a frame as dictionaries."""
    return activity.frame(name, frame).to_pylist()


def all_rows(activity: Activity, name: str) -> list[dict]:
    """Rows of a table as dictionaries."""
    return activity.table(name).to_pylist()


@pytest.mark.parametrize("frame", [0, 1])
def test_depth_outcome_follows_from_planes_and_state(visible: Activity, frame: int) -> None:
    draws = {d["draw"]: d for d in rows(visible, "draws", frame)}
    primitives = rows(visible, "primitives", frame)
    buffer = np.full((SIZE, SIZE), 2**24 - 1, np.int64)
    outcome = {"LESS": np.less}
    for quad in rows(visible, "quads", frame):
        primitive = primitives[quad["primitive"]]
        draw = draws[primitive["draw"]]
        passed = 0
        for lane, dx, dy in LANES:
            if not (quad["coverage"] & ~quad["discarded"]) >> lane & 1:
                continue
            x, y = 2 * quad["x"] + dx, 2 * quad["y"] + dy
            z = primitive["depth"] + primitive["depth_dx"] * (x + 0.5) + primitive["depth_dy"] * (y + 0.5)
            quantized = int(min(max(z, 0.0), 1.0) * (2**24 - 1) + 0.5)
            if outcome[draw["depth_function"]](quantized, buffer[y, x]):
                passed |= 1 << lane
                buffer[y, x] = quantized
        assert passed == quad["depth_pass"]


@pytest.mark.parametrize("frame", [0, 1])
def test_image_follows_from_colors_in_order(visible: Activity, images: list[np.ndarray], frame: int) -> None:
    draws = {d["draw"]: d for d in rows(visible, "draws", frame)}
    clear = next(e for e in rows(visible, "events", frame) if e["kind"] == "clear")
    image = np.empty((SIZE, SIZE, 4))
    image[:] = np.floor(np.array(clear["clear_color"]) * 255 + 0.5)
    primitives = rows(visible, "primitives", frame)
    for quad in rows(visible, "quads", frame):
        draw = draws[primitives[quad["primitive"]]["draw"]]
        for lane, dx, dy in LANES:
            if not quad["depth_pass"] >> lane & 1:
                continue
            color = np.clip(np.array(quad["colors"][4 * lane : 4 * lane + 4], np.float32), 0, 1)
            pixel = image[2 * quad["y"] + dy, 2 * quad["x"] + dx]
            if draw["blend_enabled"]:
                color = color * color[3] + pixel / 255 * (1 - color[3])
            pixel[:] = np.floor(color * 255 + 0.5)
    assert np.abs(image[::-1] - images[frame]).max() <= 1
    assert np.mean(image[::-1] != images[frame]) < 0.001


def test_coverage_follows_from_snapped_corners(visible: Activity) -> None:
    quads: dict[int, np.ndarray] = {}
    for quad in rows(visible, "quads"):
        image = quads.setdefault(quad["primitive"], np.zeros((SIZE, SIZE), bool))
        for lane, dx, dy in LANES:
            if quad["coverage"] >> lane & 1:
                image[2 * quad["y"] + dy, 2 * quad["x"] + dx] = True
    py, px = np.mgrid[:SIZE, :SIZE] * 256 + 128
    triangles = 0
    for primitive in rows(visible, "primitives"):
        if primitive["vertex_2"] < 0:
            continue
        triangles += 1
        if primitive["culled"] != "none":
            assert primitive["primitive"] not in quads
            continue
        points = [(primitive[f"x_{i}"], primitive[f"y_{i}"]) for i in range(3)]
        (ax, ay), (bx, by), (cx, cy) = points
        if (bx - ax) * (cy - ay) < (cx - ax) * (by - ay):
            points.reverse()
        inside = np.ones((SIZE, SIZE), bool)
        for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True):
            side = (x1 - x0) * (py - y0) - (y1 - y0) * (px - x0)
            inside &= (side > 0) | ((side == 0) & (y1 < y0 or (y1 == y0 and x1 > x0)))
        np.testing.assert_array_equal(quads[primitive["primitive"]], inside)
    assert triangles >= 10


def test_corners_follow_from_clip_coordinates_and_viewport(visible: Activity) -> None:
    vertices = rows(visible, "vertices")
    draws = {d["draw"]: d for d in rows(visible, "draws")}
    for primitive in rows(visible, "primitives"):
        x0, y0, width, height = draws[primitive["draw"]]["viewport"]
        for i in range(3):
            if primitive[f"vertex_{i}"] < 0 or primitive[f"x_{i}"] is None:
                continue
            v = vertices[primitive[f"vertex_{i}"]]
            x = (v["clip_x"] / v["clip_w"] + 1) * width / 2 + x0
            y = (v["clip_y"] / v["clip_w"] + 1) * height / 2 + y0
            assert abs(primitive[f"x_{i}"] - x * 256) <= 0.51
            assert abs(primitive[f"y_{i}"] - y * 256) <= 0.51


def test_corners_have_no_place_where_they_cannot_be_projected(visible: Activity) -> None:
    vertices = rows(visible, "vertices")
    missing = 0
    for primitive in rows(visible, "primitives"):
        for i in range(3):
            vertex = primitive[f"vertex_{i}"]
            usable = vertex >= 0 and vertices[vertex]["clip_w"] > 0
            assert (primitive[f"x_{i}"] is not None) == (primitive[f"y_{i}"] is not None) == usable
            missing += not usable
    assert missing


def test_clip_made_vertices_lie_between_their_parents(visible: Activity) -> None:
    vertices = rows(visible, "vertices")
    made = [v for v in vertices if v["index"] < 0]
    assert made
    for v in made:
        a, b = vertices[v["parent_0"]], vertices[v["parent_1"]]
        for component in ("clip_x", "clip_y", "clip_z", "clip_w"):
            assert v[component] == pytest.approx(a[component] + v["weight"] * (b[component] - a[component]), abs=1e-6)
        np.testing.assert_allclose(
            v["outputs"],
            np.array(a["outputs"]) + v["weight"] * (np.array(b["outputs"]) - a["outputs"]),
            atol=1e-6,
        )
        # Cut by a plane of the view volume: it lies on one.
        assert min(abs(abs(v[f"clip_{axis}"]) - v["clip_w"]) for axis in "xyz") < 1e-6


def test_texels_follow_from_reads(visible: Activity, images: list[np.ndarray]) -> None:
    quads, reads = rows(visible, "quads"), rows(visible, "texture_reads")
    assert reads
    source = texels().astype(np.float64)
    for read in reads:
        assert not read["linear"]
        quad = quads[read["quad"]]
        for lane, _, _ in LANES:
            if not (read["lanes"] | read["lanes"] >> 4) >> lane & 1:
                continue
            x = read["x"] + (read[f"dx_{lane}"] if lane else 0)
            y = read["y"] + (read[f"dy_{lane}"] if lane else 0)
            np.testing.assert_allclose(
                np.array(quad["colors"][4 * lane : 4 * lane + 4]) * 255, source[y % 16, x % 16], atol=1e-3
            )


def test_every_shaded_textured_quad_reads_once(visible: Activity) -> None:
    draws = {d["draw"]: d for d in rows(visible, "draws")}
    primitives, quads = rows(visible, "primitives"), rows(visible, "quads")
    expected = Counter(
        i for i, q in enumerate(quads) if q["depth_pass"] and draws[primitives[q["primitive"]]["draw"]]["bindings"]
    )
    lanes: Counter[int] = Counter()
    for read in rows(visible, "texture_reads"):
        lanes[read["quad"]] += bin(read["lanes"]).count("1")
        assert read["lanes"] & 15 & ~quads[read["quad"]]["coverage"] == 0
    assert set(lanes) == set(expected)
    assert set(lanes.values()) == {4}


def test_summary_adds_up(visible: Activity) -> None:
    draws = {d["draw"]: d for d in rows(visible, "draws")}
    primitives, quads = rows(visible, "primitives"), rows(visible, "quads")
    blocks = {(i["program"], i["stage"], i["pc"]): i for i in all_rows(visible, "instructions")}
    paths = {(p["program"], p["stage"], p["path"]): p["runs"] for p in all_rows(visible, "paths")}

    def executed(program: int, stage: str, path: int) -> int:
        sizes = Counter(i["block"] for key, i in blocks.items() if key[:2] == (program, stage))
        return sum(sizes[run["first_pc"]] * run["repetitions"] for run in paths[program, stage, path])

    for summary in rows(visible, "summary"):
        number = summary["program"]
        mine = [q for q in quads if draws[primitives[q["primitive"]]["draw"]]["program"] == number]
        early = all(d["early_depth"] for d in draws.values() if d["program"] == number)
        alive = [q["depth_pass"] if early else q["coverage"] for q in mine]
        assert summary["quads"] == len(mine)
        assert summary["quads_shaded"] == sum(mask != 0 for mask in alive)
        assert summary["fragments"] == sum(q["coverage"].bit_count() for q in mine)
        assert summary["fragments_shaded"] == sum(mask.bit_count() for mask in alive)
        assert summary["fragments_discarded"] == sum(q["discarded"].bit_count() for q in mine)
        assert summary["fragments_written"] == sum(q["depth_pass"].bit_count() for q in mine)
        assert summary["draws"] == sum(d["program"] == number for d in draws.values())
        assert summary["fragment_instructions"] == sum(
            executed(number, "fragment", q[f"path_{lane}"])
            for q, mask in zip(mine, alive, strict=True)
            for lane in range(4)
            if mask >> lane & 1
        )


def test_lanes_of_a_divergent_program_took_different_paths(visible: Activity) -> None:
    draws = {d["draw"]: d for d in rows(visible, "draws")}
    primitives = rows(visible, "primitives")
    late = [q for q in rows(visible, "quads") if not draws[primitives[q["primitive"]]["draw"]]["early_depth"]]
    assert late
    assert all(q["path_0"] >= 0 for q in late)
    assert any(len({q[f"path_{lane}"] for lane in range(4)}) > 1 or q["discarded"] for q in late)


def test_passes_load_and_store_what_is_needed(visible: Activity) -> None:
    (only,) = rows(visible, "passes")
    slots = {a["slot"]: (a["load"], a["store"]) for a in only["attachments"]}
    assert slots == {
        "color0": ("clear", "store"),
        "depth": ("clear", "discard"),
        "stencil": ("undefined", "discard"),
    }


def test_constants_reach_the_draws_once(visible: Activity) -> None:
    uploads = [u for frame in (0, 1) for d in rows(visible, "draws", frame) for u in d["uploads"]]
    tints = [np.frombuffer(u["data"], "<f4") for u in uploads if u["stage"] == "fragment"]
    assert any(np.array_equal(t[-4:], np.array([1, 0.5, 0.2, 0.5], np.float32)) for t in tints)
    assert all(len(u["data"]) % 16 == 0 for u in uploads)


def test_objects_keep_their_identity_across_frames(visible: Activity) -> None:
    first, second = ([d["object"] for d in rows(visible, "draws", frame)] for frame in (0, 1))
    assert first == second
    assert len(set(first)) == len(first)


def test_inputs_are_the_attributes_as_fetched(visible: Activity) -> None:
    vertices = rows(visible, "vertices")
    np.testing.assert_allclose(vertices[0]["inputs"][:4], [-0.8, -0.8, 0.2, 1])
    assert vertices[0]["index"] == 0


def test_events_are_in_order_and_frames_hold_theirs(visible: Activity) -> None:
    for frame in rows(visible, "frames", 0) + rows(visible, "frames", 1):
        events = rows(visible, "events", frame["frame"])
        assert [e["event"] for e in events] == list(range(frame["first_event"], frame["last_event"] + 1))
        assert events[-1]["kind"] == "swap"
        assert [e["draw"] for e in events if e["kind"] == "draw"] == [
            d["draw"] for d in rows(visible, "draws", frame["frame"])
        ]
        assert (visible.folder / frame["image"]).is_file()


def test_level_all_shades_the_occluded_and_changes_nothing_else(visible: Activity, everything: Activity) -> None:
    for name in ("vertices", "primitives"):
        kept = [c for c in visible.table(name).column_names if c != "inputs"]
        assert visible.table(name, kept).equals(everything.table(name, kept))
    same = ["frame", "primitive", "x", "y", "coverage", "depth_pass", "discarded"]
    assert visible.table("quads", same).equals(everything.table("quads", same))
    hidden = [q for q in rows(everything, "quads") if q["depth_pass"] == 0]
    assert hidden
    assert all(q["path_0"] >= 0 and q["colors"] for q in hidden)
    assert all(
        q["path_0"] < 0 and not q["colors"]
        for q in rows(visible, "quads")
        if q["depth_pass"] == 0 and not q["discarded"] and q["path_0"] < 0
    )
