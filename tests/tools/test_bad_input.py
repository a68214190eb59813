"""Bad input: one clear line and status 2; what can be used in part is used, with a warning per kind."""

import shutil
from pathlib import Path

import pytest

from tilegpu.functional.capture import Call, Recorder, Signature, Trace, TraceWriter
from tilegpu.tools import first_use

from .conftest import Done, record_square


def refused(done: Done, *words: str) -> None:
    """One line on standard error that says all this, and status 2."""
    assert done.status == 2
    lines = [line for line in done.err.splitlines() if line.strip()]
    assert len(lines) == 1, done.err
    assert lines[0].startswith("error:")
    assert "Traceback" not in done.err
    for word in words:
        assert word in lines[0]


@pytest.mark.parametrize("verb", ["info", "render", "trace"])
def test_what_is_no_trace(tilegpu, tmp_path: Path, verb: str) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("Shopping: milk, bread, a GPU.\n")
    output = ("-o", tmp_path / "out") if verb != "info" else ()
    refused(tilegpu(verb, text, *output), "notes.txt", "not an apitrace file")
    refused(tilegpu(verb, tmp_path / "absent.trace", *output), "absent.trace", "No such file")
    refused(tilegpu(verb, tmp_path, *output), str(tmp_path))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("verb", ["render", "trace"])
def test_nothing_is_compiled_for_what_is_no_trace(
    tilegpu, square: Path, tmp_path: Path, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compile_nothing(*_: object) -> None:
        raise AssertionError("kernels are compiled")

    monkeypatch.setattr(first_use, "compile_first", compile_nothing)
    text = tmp_path / "notes.txt"
    text.write_text("Shopping: milk, bread, a GPU.\n")
    refused(tilegpu(verb, text, "-o", tmp_path / "out"), "notes.txt")
    refused(tilegpu(verb, square, "-o", tmp_path / "out", "--frames", "five"), "'five'")
    if verb == "trace":
        refused(tilegpu(verb, square, "-o", tmp_path), "not an activity")


@pytest.mark.parametrize("verb", ["render", "trace"])
def test_a_trace_without_frames(tilegpu, tmp_path: Path, verb: str) -> None:
    with Recorder(tmp_path / "empty.trace", 8, 8) as gl:
        gl.glClear(0x4000)
    refused(tilegpu(verb, tmp_path / "empty.trace", "-o", tmp_path / "out"), "empty.trace", "no frame")
    assert not (tmp_path / "out").exists()


def test_frames_that_are_not_there(tilegpu, square: Path, tmp_path: Path) -> None:
    refused(
        tilegpu("render", square, "-o", tmp_path / "out", "--frames", "7:9"),
        "2 frames",
        "none of the requested ones",
    )
    refused(tilegpu("render", square, "-o", tmp_path / "out", "--frames", "five"), "'five'", "A:B")
    refused(tilegpu("render", square, "-o", tmp_path / "out", "--size", "big"), "'big'", "WxH")
    refused(tilegpu("trace", square, "-o", tmp_path / "out", "--snap", "4"), "'4'", "8 or none")
    refused(tilegpu("trace", square, "-o", tmp_path / "out", "--level", "some"), "'some'", "visible")
    refused(tilegpu("trace", square, "-o", tmp_path / "out", "--with", "inputs,magic"), "magic", "pass_images")
    assert not (tmp_path / "out").exists()


def test_unknown_options_and_verbs(tilegpu, square: Path) -> None:
    refused(tilegpu("paint", square), "paint")
    refused(tilegpu("render", square), "-o")
    refused(tilegpu("render", square, "-o", "x", "--sise", "8x8"), "--sise")


@pytest.mark.parametrize("verb", ["info", "render", "characterize"])
def test_a_folder_is_no_trace(tilegpu, tmp_path: Path, verb: str) -> None:
    output = [] if verb == "info" else ["-o", tmp_path / "out"]
    refused(tilegpu(verb, tmp_path, *output), "give the .trace file")


def test_shaders_in_the_wrong_order(tilegpu, tmp_path: Path) -> None:
    (tmp_path / "a.frag").write_text("precision mediump float; void main() { gl_FragColor = vec4(1.0); }")
    (tmp_path / "a.vert").write_text("attribute vec4 p; void main() { gl_Position = p; }")
    refused(tilegpu("shader", tmp_path / "a.frag", tmp_path / "a.vert"), "is a fragment shader")


def test_a_folder_that_is_no_activity(tilegpu, tmp_path: Path) -> None:
    refused(tilegpu("replay", tmp_path, "-o", tmp_path / "out"), "manifest.json")
    refused(tilegpu("replay", tmp_path / "absent", "-o", tmp_path / "out"), "absent")
    assert not (tmp_path / "out").exists()


@pytest.fixture
def activity(tilegpu, square: Path, tmp_path: Path) -> Path:
    """The square's activity."""
    tilegpu("trace", square, "-o", tmp_path / "activity")
    return tmp_path / "activity"


def test_missing_and_foreign_tables(tilegpu, activity: Path, tmp_path: Path) -> None:
    moved = activity / "quads.parquet"
    content = moved.read_bytes()
    moved.unlink()
    refused(tilegpu("replay", activity, "-o", tmp_path / "out"), "quads.parquet", "missing")
    moved.write_bytes(content[:100])
    refused(tilegpu("replay", activity, "-o", tmp_path / "out"), "quads.parquet")
    shutil.copy(activity / "draws.parquet", moved)
    refused(tilegpu("replay", activity, "-o", tmp_path / "out"), "quads.parquet")
    assert not (tmp_path / "out").exists()


def test_wrong_configurations(tilegpu, activity: Path, tmp_path: Path) -> None:
    run = ("replay", activity, "-o", tmp_path / "out")
    refused(tilegpu(*run, "--set", "raster_units=many"), "raster_units")
    refused(tilegpu(*run, "--set", "raster_unitz=2"), "raster_unitz")
    refused(tilegpu(*run, "--set", "raster_units=1000000"), "raster_units")
    refused(tilegpu(*run, "--set", "raster_units"), "raster_units")
    refused(tilegpu(*run, "--config", "ptr-1822"), "ptr-1822")
    (tmp_path / "mine.toml").write_text("[tiles\nwidth = 3")
    refused(tilegpu(*run, "--config", tmp_path / "mine.toml"), "mine.toml")
    (tmp_path / "mine.toml").write_text("[tiles]\ncolour = 3\n")
    refused(tilegpu(*run, "--config", tmp_path / "mine.toml"), "colour")
    assert not (tmp_path / "out").exists()


def test_images_that_cannot_be_compared(tilegpu, square: Path, tmp_path: Path) -> None:
    tilegpu("render", square, "-o", tmp_path / "a")
    tilegpu("render", square, "-o", tmp_path / "b", "--size", "48x48")
    one, other = tmp_path / "a" / "frame_0000.png", tmp_path / "b" / "frame_0000.png"
    refused(tilegpu("compare", one, other), "sizes differ", "32x32", "48x48")
    refused(tilegpu("compare", one, square), "square.trace", "not a readable image")
    refused(tilegpu("compare", one, tmp_path / "absent.png"), "absent.png")
    refused(tilegpu("compare", one, tmp_path / "b"), "two files or two folders")


def test_a_truncated_trace_is_rendered_as_far_as_it_goes(tilegpu, tmp_path: Path) -> None:
    whole = record_square(tmp_path / "whole.trace", frames=4000)
    cut = tmp_path / "cut.trace"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    frames = sum(call.ends_frame for call in Trace(cut))
    done = tilegpu("render", cut, "-o", tmp_path / "images", "--frames", f"{frames - 2}:")
    assert done.status == 0
    assert len(list((tmp_path / "images").glob("*.png"))) == 2
    assert done.err.count("warning:") == 1
    assert "breaks off after call" in done.err
    assert tilegpu("render", cut, "-o", tmp_path / "images", "--frames", f"{frames - 2}:", "--strict").status == 1


def with_unknown_calls(source: Path, target: Path) -> Path:
    """A copy of a trace with calls that do not exist before every draw."""
    with TraceWriter(target) as writer:
        for call in Trace(source):
            if call.name == "glDrawArrays":
                writer.write(Call(0, Signature("glDrawWithMagic", ("wand",)), [7]), ())
            writer.write(call)
    return target


def test_unsupported_calls_are_told_once_with_their_count(tilegpu, square: Path, tmp_path: Path) -> None:
    path = with_unknown_calls(square, tmp_path / "magic.trace")
    done = tilegpu("render", path, "-o", tmp_path / "images")
    assert done.status == 0
    assert done.err.count("warning:") == 1
    assert "unsupported glDrawWithMagic (2 calls)" in done.err
    assert tilegpu("render", path, "-o", tmp_path / "images", "--strict").status == 1
    assert tilegpu("trace", path, "-o", tmp_path / "activity", "--strict").status == 1
    assert "glDrawWithMagic" in tilegpu("info", path).out


def test_errors_of_the_application_are_counted_and_have_no_effect(tilegpu, square: Path, tmp_path: Path) -> None:
    wrong = record_square(
        tmp_path / "wrong.trace",
        calls_between=(
            ("glBlendFunc", 12345, 1),
            ("glDrawArrays", 99, 0, 3),
            ("glDrawArrays", 4, 0, 100000),
            ("glBindTexture", 0x0DE1, 1),
            ("glTexImage2D", 0x0DE1, 0, 0x1908, 64, 64, 0, 0x1908, 0x1401, b"short"),
        ),
    )
    done = tilegpu("render", wrong, "-o", tmp_path / "wrong")
    assert done.status == 0
    assert done.err.count("warning:") == 4
    assert "glTexImage2D (2 calls); first: call" in done.err
    told = tilegpu("info", "--check", wrong).out
    assert "GL error GL_INVALID_ENUM in glBlendFunc (2 calls)" in told
    assert "GL error GL_INVALID_OPERATION in glTexImage2D (2 calls)" in told
    assert "no GL errors" in tilegpu("info", "--check", square).out
    tilegpu("render", square, "-o", tmp_path / "right")
    assert tilegpu("compare", tmp_path / "wrong", tmp_path / "right", "--max-difference", "0").status == 0


def test_client_arrays_that_the_tracer_lost_are_named(tilegpu, tmp_path: Path) -> None:
    with Recorder(tmp_path / "lost.trace", 16, 16) as gl:
        gl.glUseProgram(
            gl.program(
                "attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }",
                "void main() { gl_FragColor = vec4(1.0); }",
                ("p",),
            )
        )
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(0, 2, 0x1406, False, 0, b"")
        gl.glDrawArrays(4, 0, 3)
        gl.swap()
    done = tilegpu("render", tmp_path / "lost.trace", "-o", tmp_path / "images")
    assert done.status == 0
    assert "glDrawArrays: attribute 0: the tracer lost its client-side array" in done.err


def test_a_shader_that_does_not_compile_is_named(tilegpu, tmp_path: Path) -> None:
    with Recorder(tmp_path / "bad.trace", 16, 16) as gl:
        gl.glUseProgram(
            gl.program("void main() {\n gl_Position = nothing;\n}", "void main() { gl_FragColor = vec4(1.0); }")
        )
        gl.glClear(0x4000)
        gl.glDrawArrays(4, 0, 3)
        gl.swap()
    done = tilegpu("render", tmp_path / "bad.trace", "-o", tmp_path / "images")
    assert done.status == 0
    assert "vertex shader" in done.err
    assert ":2:" in done.err
    assert "nothing" in done.err


def test_an_endless_loop_in_a_shader_ends(tilegpu, tmp_path: Path) -> None:
    with Recorder(tmp_path / "loop.trace", 16, 16) as gl:
        gl.glUseProgram(
            gl.program(
                "attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }",
                "precision mediump float;\n"
                "void main() { float x = 1.0; while (x > 0.0) x += 1.0; gl_FragColor = vec4(x); }",
                ("p",),
            )
        )
        gl.glEnableVertexAttribArray(0)
        gl.glVertexAttribPointer(
            0,
            2,
            0x1406,
            False,
            0,
            b"\0\0\x80\xbf\0\0\x80\xbf\0\0\x80\x3f\0\0\x80\xbf\0\0\x80\xbf\0\0\x80\x3f",
        )
        gl.glDrawArrays(4, 0, 3)
        gl.swap()
    done = tilegpu("render", tmp_path / "loop.trace", "-o", tmp_path / "images")
    assert done.status == 0
    assert "GL error glDrawArrays (1 call)" in done.err
