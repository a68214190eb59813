"""Text that is not UTF-8: of calls in a capture, and names of files and folders."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tilegpu.functional.activity.arrow_files import read_parquet
from tilegpu.functional.capture import Recorder, Trace
from tilegpu.functional.capture.call import Call
from tilegpu.functional.capture.writer import TraceWriter

from .conftest import Done, record_square

HOSTILE = "caf\udce9 [b]\x1b[1m </script> \ud800 \uffff"
"""Latin-1, markup, an escape, the end of a script, a surrogate that stands for no byte, a noncharacter."""
NAME = os.fsdecode(b"caf\xe9 [b]")
"""A name of a file that is not UTF-8."""
SHADERS = (
    "attribute vec2 p; uniform vec2 at; void main() { gl_Position = vec4(p + at, 0.0, 1.0); }",
    "precision mediump float; void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }",
)
BUFFER, VERTEX_ARRAY, PROGRAM = 0x82E0, 0x8074, 0x82E2


def _around_a_draw(r: Recorder, draw: Callable[[], None]) -> None:
    """Calls with hostile text before and after a draw."""
    for kind in (BUFFER, PROGRAM):
        r.glObjectLabel(kind, 1, len(HOSTILE), HOSTILE)
    r.glPushGroupMarkerEXT(len(HOSTILE), HOSTILE)
    r.glPushDebugGroup(0x824A, 1, len(HOSTILE), HOSTILE)
    draw()
    r.glPopDebugGroup()
    r.glPopGroupMarkerEXT()
    draw()


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A capture whose calls carry hostile text wherever they carry any, under a hostile name."""
    folder = tmp_path_factory.mktemp("text")
    plain, path = record_square(folder / "plain.trace"), folder / f"{NAME}.trace"
    with TraceWriter(path, {"process.name": HOSTILE}) as writer, Recorder(folder / "labels.trace", 8, 8, 3) as labels:
        _around_a_draw(labels, lambda: None)
        labels.close()
        between = [call for call in Trace(folder / "labels.trace") if call.name[:2] == "gl"][2:]
        for call in Trace(plain):
            if call.name == "glShaderSource":
                sources = call.arguments[2]
                assert isinstance(sources, list)
                call.arguments[2] = [f"// {HOSTILE}\n{sources[0]}", *sources[1:]]
            for extra in between if call.name == "glDrawArrays" else ():
                writer.write(Call(0, extra.signature, extra.arguments))
                if extra.name == "glPushDebugGroup":
                    writer.write(call)
            if call.name == "glLinkProgram":
                for name in ("glGetAttribLocation", "glGetUniformLocation"):
                    asked = next(c for c in Trace(plain) if c.name == "glGetUniformLocation")
                    writer.write(Call(0, asked.signature._replace(name=name), [call.arguments[0], HOSTILE]))
            writer.write(call)
    return path


def _run(tilegpu: Callable[..., Done], *arguments: object) -> Done:
    done = tilegpu(*arguments)
    assert done.status == 0, done.err
    assert "fault" not in done.err
    return done


def test_every_verb_takes_text_and_names_that_are_not_utf8(
    capture: Path, tmp_path: Path, tilegpu: Callable[..., Done]
) -> None:
    folder = tmp_path / NAME
    activity, results = folder / "activity", folder / "results"
    _run(tilegpu, "info", capture, "--check")
    assert json.loads(_run(tilegpu, "info", capture, "--json").out)["frames"] == 2
    _run(tilegpu, "render", capture, "-o", folder / "images")
    assert len(list((folder / "images").iterdir())) == 2
    _run(tilegpu, "trace", capture, "-o", activity)
    labels = read_parquet(activity / "draws.parquet")["object_label"].unique().to_pylist()
    assert any("caf\ufffd" in label for label in labels if label)
    _run(tilegpu, "dump", capture)
    _run(tilegpu, "stats", activity, "-o", folder / "stats.parquet")
    _run(tilegpu, "characterize", capture, "-o", folder / "characterized")
    _run(tilegpu, "trim", capture, "-o", folder / f"{NAME}.trace", "--frames", "1")
    _run(tilegpu, "inspect", capture, "-o", folder / "page.html", "--frame", "1")
    _run(tilegpu, "replay", activity, "-o", results, "--frames", "0")
    _run(tilegpu, "report", results, "-o", folder / "report.html")
    _run(tilegpu, "compare", folder / "images", folder / "images")


def test_objects_of_labels_that_look_alike_stay_apart(capture: Path) -> None:
    from tilegpu.functional.recording.draws import object_identity

    names = ["caf\udce9", "caf\udce8", "caf\ufffd", "caf\ud800", "café"]
    assert len({object_identity(name, {}) for name in names}) == len(names)
