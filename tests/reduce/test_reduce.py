"""A capture with a seeded fault is reduced to the calls that show it."""

from __future__ import annotations

import json
import re
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.tools.conftest import Done
from tilegpu import UserError, render
from tilegpu.functional.capture import Call, Recorder, Trace
from tilegpu.functional.glsl import compile_shader
from tilegpu.functional.opengl import enums as gl
from tilegpu.tools.reduce.anonymous import identifiers, pattern, rewritten
from tilegpu.tools.reduce.check import Check, CheckError
from tilegpu.tools.reduce.images import halved, textures_of
from tilegpu.tools.reduce.search import Search, fewest

SIDE = 8
VERTEX = "attribute vec2 place; void main() { gl_Position = vec4(place, 0.0, 1.0); }"
FRAGMENT = "precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }"
CORNERS = np.array([(-1, -1), (3, -1), (-1, 3)], np.float32)
GREEN = (0.0, 1.0, 0.0, 1.0)
FRAMES, DRAWS = 5, 6


def capture(path: Path, padding: int = 0) -> Path:
    """Frames of red draws; one draw of the last frame but one is green. `padding`: further calls in each frame."""
    with Recorder(path, SIDE, SIDE) as r:
        program = r.program(VERTEX, FRAGMENT, ("place",))
        r.glUseProgram(program)
        color = r.glGetUniformLocation(program, "color")
        r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
        r.glBufferData(gl.ARRAY_BUFFER, CORNERS.nbytes, CORNERS, gl.STATIC_DRAW)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 8, 0)
        for frame in range(FRAMES):
            r.glClear(gl.COLOR_BUFFER_BIT)
            for draw in range(DRAWS):
                faulty = frame == FRAMES - 2 and draw == DRAWS - 1
                r.glUniform4f(color, *(GREEN if faulty else (1.0, 0.0, 0.0, 1.0)))
                for _ in range(padding):
                    r.glDisable(gl.DITHER)
                r.glDrawArrays(gl.TRIANGLES, 0, 3)
            r.swap()
    return path


def shows_green(path: Path) -> bool:
    """Whether some frame has a green pixel; not if there is none."""
    try:
        return any((frame.pixels[..., 1] > 200).any() for frame in render(path))
    except UserError:
        return False


def searched(
    path: Path, folder: Path, holds: Callable[[Path], bool], seconds: float = 600.0, anonymize: bool = False
) -> tuple[Search, bool]:
    """A search with a function in the place of a command."""
    folder.mkdir()
    check = Check("none {}", 60.0)
    check._run = lambda candidate: int(holds(candidate))  # type: ignore[method-assign]
    search = Search(path, check, folder, seconds, lambda tried, calls: None, anonymize)
    return search, search.run()


def names(path: Path) -> list[str]:
    """Names of the calls of a capture."""
    return [call.name for call in Trace(path)]


def test_what_the_fault_needs_stays(tmp_path: Path) -> None:
    search, finished = searched(capture(tmp_path / "a.trace"), tmp_path / "work", shows_green)
    found = names(search.best)
    assert finished and shows_green(search.best)
    assert found.count("glDrawArrays") == 1 and found.count("eglSwapBuffers") == 1
    # One colour, one program, one buffer: no call can go alone.
    assert found.count("glUniform4f") == 1 and len(found) <= 25
    for i in range(len(found)):
        assert not holds_without(search.best, i, tmp_path), found[i]


def holds_without(path: Path, place: int, tmp_path: Path) -> bool:
    """Whether the fault shows without a call."""
    from tilegpu.functional.capture import TraceWriter

    with TraceWriter(tmp_path / "less.trace") as writer:
        for i, call in enumerate(Trace(path)):
            if i != place:
                writer.write(call)
    return shows_green(tmp_path / "less.trace")


def test_data_that_do_not_matter_are_zeros(tmp_path: Path) -> None:
    def texture(r: Recorder) -> None:
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        texels = np.full((8, 8, 4), 77, np.uint8)
        r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)

    path = tmp_path / "a.trace"
    with Recorder(path, SIDE, SIDE) as r:
        texture(r)
        r.swap()

    def whole(candidate: Path) -> bool:
        return any(call.name == "glTexImage2D" and call["width"] == 8 for call in Trace(candidate))

    search, _ = searched(path, tmp_path / "work", whole)
    (left,) = list(Trace(search.best))
    assert left.name == "glTexImage2D" and bytes(256) in left.arguments


def test_the_smallest_capture_in_time_is_kept(tmp_path: Path) -> None:
    path = capture(tmp_path / "a.trace")
    search, finished = searched(path, tmp_path / "work", lambda candidate: True, seconds=0.0)
    assert not finished and search.best == path


def test_a_check_that_changes_its_mind() -> None:
    answers = iter([False, False])
    with pytest.raises(CheckError, match="one way or another"):
        fewest([1, 2, 3], lambda kept: next(answers))


@pytest.mark.parametrize(
    "command, told",
    [("", "give a command"), ("'x", "No closing quotation"), ("/nowhere/at/all {}", "cannot be run: No such file")],
)
def test_commands_that_cannot_be_used(tilegpu: Callable[..., Done], tmp_path: Path, command: str, told: str) -> None:
    path = capture(tmp_path / "a.trace")
    done = tilegpu("reduce", path, "--check", command, "-o", tmp_path / "b.trace")
    assert done.status == 2 and told in done.err
    assert not (tmp_path / "b.trace").exists()


def test_the_capture_is_never_written(tilegpu: Callable[..., Done], tmp_path: Path) -> None:
    path = capture(tmp_path / "a.trace")
    before = path.read_bytes()
    for more in ((), ("--force",)):
        done = tilegpu("reduce", path, "--check", "true {}", "-o", path, *more)
        assert done.status == 2 and "is the capture itself" in done.err
    assert path.read_bytes() == before


def test_a_command_that_does_not_look(tilegpu: Callable[..., Done], tmp_path: Path) -> None:
    done = tilegpu("reduce", capture(tmp_path / "a.trace"), "--check", "true {}", "-o", tmp_path / "b.trace")
    assert done.status == 0 and "does it look at the capture?" in done.err


def test_the_verb(tilegpu: Callable[..., Done], tmp_path: Path) -> None:
    """A command looks for a call by its argument, in another process."""
    path, script = capture(tmp_path / "a.trace"), tmp_path / "check.py"
    script.write_text(
        "import sys\nfrom tilegpu.functional.capture import Trace\n"
        "sys.exit(7 if any(c.name == 'glUniform4f' and c.arguments[2] == 1.0 for c in Trace(sys.argv[1])) else 0)\n"
    )
    done = tilegpu("reduce", path, "--check", f"{sys.executable} {script} {{}}", "-o", tmp_path / "b.trace", "--json")
    assert done.status == 0
    told = json.loads(done.out)
    assert told["status"] == 7 and told["finished"] and told["calls"][1] == 1
    assert names(tmp_path / "b.trace") == ["glUniform4f"]


@pytest.mark.slow
def test_ten_thousand_calls(tmp_path: Path) -> None:
    path = capture(tmp_path / "a.trace", padding=340)
    assert len(names(path)) > 10_000
    search, finished = searched(path, tmp_path / "work", shows_green)
    assert finished and len(names(search.best)) < 60


def test_calls_are_complete(tmp_path: Path) -> None:
    """A call that never returned stays out of every candidate."""
    path = capture(tmp_path / "a.trace")
    kept: list[Call] = []

    def holds(candidate: Path) -> bool:
        kept[:] = list(Trace(candidate))
        return bool(kept)

    searched(path, tmp_path / "work", holds)
    assert all(call.complete for call in kept)


def _textured(path: Path) -> None:
    """A picture from a texture of 64x32 in three levels, cut in two parts, with labels and comments."""
    rng = np.random.default_rng(5)
    with Recorder(path, SIDE, SIDE) as r:
        program = r.program(
            "attribute vec2 place; // where the secret is\nvoid main() { gl_Position = vec4(place, 0.0, 1.0); }",
            "precision mediump float; uniform sampler2D secret; uniform vec4 tint;\n/* nobody\n   reads this */\n"
            "#define TWICE(colour) ((colour) + (colour))\nvec4 half_of(vec4 whole) { return whole * 0.5; }\n"
            "void main() { vec4 rgb = texture2D(secret, vec2(0.5)); gl_FragColor = TWICE(half_of(rgb)).rgba * tint; }",
            ("place",),
        )
        r.glUseProgram(program)
        r.glUniform1i(r.glGetUniformLocation(program, "secret"), 0)
        r.glUniform4f(r.glGetUniformLocation(program, "tint"), 0.0, 1.0, 0.0, 1.0)
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glObjectLabel(gl.TEXTURE, 1, -1, "the secret picture")
        r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
        texels = rng.integers(128, 256, (32, 64, 3), np.uint8)
        r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGB, 64, 32, 0, gl.RGB, gl.UNSIGNED_BYTE, texels)
        r.glTexSubImage2D(gl.TEXTURE_2D, 0, 32, 16, 32, 16, gl.RGB, gl.UNSIGNED_BYTE, texels[16:, 32:])
        r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
        r.glBufferData(gl.ARRAY_BUFFER, CORNERS.nbytes, CORNERS, gl.STATIC_DRAW)
        r.glEnableVertexAttribArray(0)
        r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 8, 0)
        r.glDrawArrays(gl.TRIANGLES, 0, 3)
        r.swap()


def test_textures_shrink_as_far_as_the_fault_shows(tmp_path: Path) -> None:
    _textured(tmp_path / "a.trace")

    def shows_green_of_eight(candidate: Path) -> bool:
        images = [call for call in Trace(candidate) if call.name == "glTexImage2D"]
        return any(call["width"] >= 8 for call in images) and half_green(candidate)

    search, finished = searched(tmp_path / "a.trace", tmp_path / "work", shows_green_of_eight)
    (image,) = [call for call in Trace(search.best) if call.name == "glTexImage2D"]
    assert finished and (image["width"], image["height"]) == (8, 4)
    # Rows of 24 bytes, as many as there are.
    assert len(image.arguments[-1]) == 24 * 4


def half_green(path: Path) -> bool:
    """Whether some frame has a pixel that is green, at least by half."""
    try:
        return any((frame.pixels[..., 1] > 100).any() for frame in render(path))
    except UserError:
        return False


def test_halves_are_every_second_texel(tmp_path: Path) -> None:
    texels = np.arange(5 * 3 * 3, dtype=np.uint8).reshape(3, 5, 3)
    rows = np.zeros((3, 16), np.uint8)
    rows[:, :15] = texels.reshape(3, 15)
    with Recorder(tmp_path / "a.trace", SIDE, SIDE) as r:
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGB, 5, 3, 0, gl.RGB, gl.UNSIGNED_BYTE, rows.tobytes())
        r.glTexSubImage2D(gl.TEXTURE_2D, 0, 2, 0, 2, 2, gl.RGB, gl.UNSIGNED_BYTE, bytes(16))
        r.glTexSubImage2D(gl.TEXTURE_2D, 0, 1, 0, 2, 2, gl.RGB, gl.UNSIGNED_BYTE, bytes(16))
    calls = list(Trace(tmp_path / "a.trace"))
    (places,) = textures_of(calls).values()
    image, part, odd = (halved(calls[place]) for place in places)
    assert image is not None and image.arguments[3:5] == [2, 1]
    assert image.arguments[-1] == bytes([*texels[0, 0], *texels[0, 2], 0, 0])
    assert part is not None and part.arguments[2:6] == [1, 0, 1, 1]
    # A part that begins between two texels of the half cannot be one of it.
    assert odd is None


def test_anonymous_captures_show_the_same_fault(tmp_path: Path) -> None:
    def shows_any(candidate: Path) -> bool:
        try:
            return any((frame.pixels[..., :3] > 0).any() for frame in render(candidate))
        except UserError:
            return False

    _textured(tmp_path / "secret.trace")
    search, finished = searched(tmp_path / "secret.trace", tmp_path / "work", shows_any, anonymize=True)
    assert finished and search.personal == [] and shows_any(search.best)
    trace = Trace(search.best)
    texts = [repr(call.arguments) + repr(call.result) for call in trace] + [repr(trace.properties)]
    assert not any("secret" in text or "reads this" in text or "half_of" in text for text in texts)


def test_what_the_check_needs_is_said(tilegpu: Callable[..., Done], tmp_path: Path) -> None:
    def names_the_secret(candidate: Path) -> bool:
        return any("secret" in repr(call.arguments) for call in Trace(candidate))

    _textured(tmp_path / "a.trace")
    search, _ = searched(tmp_path / "a.trace", tmp_path / "work", names_the_secret, anonymize=True)
    assert search.personal == ["names"]
    done = tilegpu("reduce", tmp_path / "a.trace", "--check", "grep -q Snappy {}", "-o", tmp_path / "b.trace",
                   "--anonymize", "--seconds", 1)  # fmt: skip
    assert done.status == 0 and ("a.trace" not in repr(Trace(tmp_path / "b.trace").properties))


def test_patterns_compress_as_well_as_what_they_replace() -> None:
    rng = np.random.default_rng(2)
    for noisy in (0, 1000, 30_000, 60_000):
        content = rng.integers(0, 256, noisy, np.uint8).tobytes() + bytes(60_000 - noisy)
        replaced = pattern(content, 3)
        assert len(replaced) == len(content) and (replaced != content)
        sizes = [len(zlib.compress(each, 1)) / len(content) for each in (content, replaced)]
        assert abs(sizes[0] - sizes[1]) < 0.06, (noisy, sizes)


def test_shaders_keep_their_meaning_under_other_names() -> None:
    source = (
        "#version 300 es\n#extension GL_OES_standard_derivatives : enable\nprecision mediump float; // private\n"
        "layout(location = 0) out vec4 colour;\nin vec2 where; uniform sampler2D picture[2];\n"
        "struct Light { vec3 position; float r; };\nuniform Light lights[2];\n"
        "void main() { colour = texture(picture[1], where.yx).bgra * lights[0].position.xyzz * 1e2; }\n"
    )
    words = ["colour", "where", "picture", "Light", "position", "lights"]
    assert list(identifiers(source)) == [word for word in re.findall(r"\w+", source) if word in words]
    other = rewritten(source, {word: f"n{place}" for place, word in enumerate(words)})
    assert "private" not in other and other.count("\n") == source.count("\n")
    assert "n0 = texture(n2[1], n1.yx).bgra * n5[0].n4.xyzz * 1e2" in other
    assert "struct n3 { vec3 n4; float r; };" in other and "layout(location = 0) out vec4 n0;" in other
    before, after = (compile_shader(text, "fragment").code for text in (source, other))
    assert [type(node) for node in before.nodes] == [type(node) for node in after.nodes]
