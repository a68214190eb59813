"""What tilegpu is given that is hardly meant for it: desktop OpenGL, other drivers' lists, files in no known format."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tilegpu.functional.capture import Trace
from tilegpu.functional.capture.call import Call, Signature
from tilegpu.functional.capture.writer import TraceWriter
from tilegpu.functional.inspection import inspect_stream
from tilegpu.functional.opengl import egl_enums as egl
from tilegpu.functional.player import Player

from .conftest import Done, record_square

EMBEDDED = [0x2091, 3, 0x9126, 0x4, 0]
"""Major version 3 of the profile of OpenGL ES."""
CORE = [0x2091, 3, 0x9126, 0x1, 0]

STREAMS = {
    "GLX": [("glXCreateContext", ["dpy", "vis", "share", "direct"], [1, [], None, True], 7)],
    "GLX with a profile": [
        ("glXCreateContextAttribsARB", ["dpy", "config", "share", "direct", "attributes"], [1, 2, None, True, CORE], 7)
    ],
    "WGL": [("wglCreateContext", ["hdc"], [5], 7)],
    "EGL": [
        ("eglBindAPI", ["api"], [egl.OPENGL_API], True),
        ("eglCreateContext", ["dpy", "config", "share_context", "attrib_list"], [1, 2, None, []], 7),
    ],
}
CURRENT = {
    "GLX": ("glXMakeCurrent", ["dpy", "drawable", "ctx"], [1, 3, 7], True),
    "WGL": ("wglMakeCurrent", ["hdc", "hglrc"], [5, 7], True),
    "EGL": ("eglMakeCurrent", ["dpy", "draw", "read", "ctx"], [1, 3, 3, 7], True),
}


def write(path: Path, calls: list[tuple[str, list[str], list, object]]) -> Path:
    with TraceWriter(path) as writer:
        for name, arguments, values, result in calls:
            call = Call(0, Signature(name, tuple(arguments)), list(values))
            call.result = result
            writer.write(call)
    return path


@pytest.mark.parametrize("stream", STREAMS)
def test_desktop_contexts_are_served_and_what_they_have_alone_is_named(
    stream: str, tmp_path: Path, tilegpu: Callable[..., Done]
) -> None:
    system = stream[:3]
    swap = ("glXSwapBuffers", ["dpy", "drawable"], [1, 3], None)
    begin = ("glBegin", ["mode"], [4], None)
    calls = [*STREAMS[stream], CURRENT[system], ("glFinish", [], [], None), begin, swap]
    path = write(tmp_path / "desktop.trace", calls)
    found = inspect_stream(path)
    assert found.desktop
    assert (found.unsupported, found.frames) == ({"glBegin": 1}, 1)
    assert len(list(Player(path).run())) == 1
    shown = tilegpu("info", path)
    assert shown.status == 0
    assert "desktop OpenGL, served as OpenGL ES" in shown.out
    assert "unsupported: glBegin (desktop OpenGL alone), 1 call" in shown.out
    assert "every call is supported" not in shown.out


def test_contexts_of_opengl_es_made_through_glx_are_taken(tmp_path: Path) -> None:
    name, arguments, values, result = STREAMS["GLX with a profile"][0]
    path = write(tmp_path / "embedded.trace", [(name, arguments, [*values[:4], EMBEDDED], result), CURRENT["GLX"]])
    found = inspect_stream(path)
    assert (found.desktop, found.gl_version) == (False, 3)


def test_a_desktop_context_that_stays_unused_does_no_harm(tmp_path: Path) -> None:
    embedded = ("eglBindAPI", ["api"], [egl.OPENGL_ES_API], True)
    create, arguments, values, _ = STREAMS["EGL"][1]
    path = write(
        tmp_path / "both.trace",
        [*STREAMS["EGL"], embedded, (create, arguments, [*values[:3], [egl.CONTEXT_CLIENT_VERSION, 2, egl.NONE]], 8)]
        + [("eglMakeCurrent", ["dpy", "draw", "read", "ctx"], [1, 3, 3, 8], True)],
    )
    assert inspect_stream(path).desktop is False


@pytest.mark.parametrize(("answer", "right"), [("GL_VENDOR_of_the_driver", True), (None, False)])
def test_the_captured_driver_may_have_more_extensions(answer: str | None, right: bool, tmp_path: Path) -> None:
    square = list(Trace(record_square(tmp_path / "square.trace")))
    asked = Call(0, Signature("glGetStringi", ("name", "index")), [0x1F03, 5000])
    asked.result = answer
    with TraceWriter(tmp_path / "asking.trace") as writer:
        for call in (*square[:-1], asked, square[-1]):
            writer.write(call)
    problems = inspect_stream(tmp_path / "asking.trace", check=True).problems
    assert (problems == []) == right


def test_what_later_versions_have_and_tilegpu_lacks_is_named(tmp_path: Path) -> None:
    square = list(Trace(record_square(tmp_path / "square.trace")))
    patches = Call(0, Signature("glPatchParameteri", ("pname", "value")), [0x8E72, 3])
    geometry = Call(0, Signature("glCreateShader", ("type",)), [0x8DD9])
    geometry.result = 77
    with TraceWriter(tmp_path / "later.trace") as writer:
        for call in (*square[:-1], patches, geometry, square[-1]):
            writer.write(call)
    found = inspect_stream(tmp_path / "later.trace", check=True)
    assert found.unsupported == {"glPatchParameteri": 1}
    assert found.problems is not None
    called, made = found.problems
    assert called.startswith("unsupported glPatchParameteri (1 call)")
    assert "INVALID_ENUM in glCreateShader" in made and "0x8dd9" in made


CASE = """
group a "A"
    case one
        values { output float out0 = 1.0; }
        both ""
            precision mediump float;
            ${DECLARATIONS}
            void main() { out0 = 1.0; ${OUTPUT} }
        ""
    end
end
"""


def test_a_test_file_that_cannot_be_parsed_costs_that_file_only(tmp_path: Path, tilegpu: Callable[..., Done]) -> None:
    (tmp_path / "bad.test").write_text("group a {{ nonsense")
    (tmp_path / "good.test").write_text(CASE)
    done = tilegpu("conformance", tmp_path)
    assert done.status == 1
    assert "good.test" in done.out and "bad.test:1" in done.out
    report = json.loads(tilegpu("conformance", tmp_path, "--json").out)
    assert report["total"]["passed"] == 2 and list(report["unreadable"]) == ["bad.test"]
    alone = tilegpu("conformance", tmp_path / "bad.test")
    assert (alone.status, alone.err.strip().count("\n")) == (2, 0)
