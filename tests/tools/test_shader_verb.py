"""`tilegpu shader` and `tilegpu conformance`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tilegpu.tools.main import app

VERTEX = "attribute vec4 position; varying vec2 at; void main() { gl_Position = position; at = position.xy; }"
FRAGMENT = """
precision mediump float;
varying vec2 at;
uniform sampler2D image;
uniform vec4 tint;
void main() {
    if (at.x > 0.5) {
        gl_FragColor = texture2D(image, at) * tint;
    } else {
        gl_FragColor = vec4(sqrt(at.x));
    }
}
"""
CASES = """
group arithmetic "Sums"
    case right
        values { input float in0 = [ 1.0 | 2.0 ]; output float out0 = [ 2.0 | 3.0 ]; }
        both ""
            precision mediump float;
            ${DECLARATIONS}
            void main() { ${SETUP} out0 = in0 + 1.0; ${OUTPUT} }
        ""
    end
    case wrong
        version 300 es
        values { output int out0 = 3; }
        vertex ""
            #version 300 es
            ${VERTEX_DECLARATIONS}
            void main() { ${VERTEX_OUTPUT} }
        ""
        fragment ""
            #version 300 es
            precision mediump float;
            ${FRAGMENT_DECLARATIONS}
            void main() { out0 = 4; ${FRAGMENT_OUTPUT} }
        ""
    end
    case rejected
        expect compile_fail
        both ""
            precision mediump float;
            void main() { int a = 1.0; }
        ""
    end
    case later
        version 310 es
        compute ""
            #version 310 es
            void main() { }
        ""
    end
    case elsewhere
        require extension { "GL_EXT_unheard_of" }
        both ""
            precision mediump float;
            ${DECLARATIONS}
            void main() { ${OUTPUT} }
        ""
    end
end
"""


@pytest.fixture
def program(tmp_path: Path) -> list[str]:
    (tmp_path / "a.vert").write_text(VERTEX)
    (tmp_path / "a.frag").write_text(FRAGMENT)
    return [str(tmp_path / "a.vert"), str(tmp_path / "a.frag")]


def test_report(program: list[str]) -> None:
    """Fragment: FSLT, UIF, TEX, MUL, ELSE, SQRT, ENDIF, MOV, END; the branch with the texture is the longer one."""
    result = CliRunner().invoke(app, ["shader", *program, "--json"])
    assert result.exit_code == 0
    vertex, fragment = json.loads(result.stdout)["shaders"]
    assert vertex["shader"] == {"api": "OpenGL ES", "type": "Vertex"}
    assert vertex["instructions"]["total"] == 3
    # Without a GPU there are no cycles.
    assert "performance" not in fragment["variants"][0]
    counts = fragment["variants"][0]["instructions"]
    assert counts["classes"] == ["arithmetic", "special", "memory", "texture", "flow"]
    assert counts["total"] == [4, 1, 0, 1, 4]
    assert counts["longest_path"] == [3, 0, 0, 1, 4]
    assert counts["shortest_path"] == [3, 1, 0, 0, 3]
    assert fragment["varyings"] == [{"name": "at", "slot": 0, "components": 2, "interpolation": "smooth"}]
    assert fragment["texture_operations"] == [
        {"sampler": "image", "target": "2d", "opcode": "TEX", "coordinates": "varying", "count": 1}
    ]


COMPUTE = """#version 310 es
layout(local_size_x = 8, local_size_y = 4) in;
layout(std430, binding = 0) buffer A { float a[]; };
shared float held[32];
void main() {
    held[gl_LocalInvocationIndex] = a[gl_GlobalInvocationID.x];
    barrier();
    if (gl_LocalInvocationIndex == 0u) a[gl_WorkGroupID.x] = held[5];
}
"""


def test_a_compute_shader_stands_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.comp"
    file.write_text(COMPUTE)
    result = CliRunner().invoke(app, ["shader", str(file), "--json"])
    assert result.exit_code == 0
    (shader,) = json.loads(result.stdout)["shaders"]
    assert shader["shader"]["type"] == "Compute" and shader["properties"][0]["value"] is True
    properties = {p["name"]: p["value"] for p in shader["variants"][0]["properties"]}
    assert [properties[f"work_group_size_{axis}"] for axis in "xyz"] == [8, 4, 1]
    assert properties["shared_storage_used"] == 128
    counts = shader["variants"][0]["instructions"]
    assert [counts[path][2] for path in ("total", "longest_path", "shortest_path")] == [4, 4, 2]
    text = CliRunner().invoke(app, ["shader", str(file)]).stdout
    assert "work groups of 8 x 4 x 1 invocations, 128 bytes of shared memory" in text


def test_instructions_are_printed(program: list[str]) -> None:
    result = CliRunner().invoke(app, ["shader", *program, "--ir"])
    assert result.exit_code == 0
    assert "TEX" in result.stdout and "END" in result.stdout


def test_conformance(tmp_path: Path) -> None:
    (tmp_path / "sums.test").write_text(CASES)
    result = CliRunner().invoke(app, ["conformance", str(tmp_path), "--json"])
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert report["total"] == {"passed": 4, "failed": 1, "unsupported": 3}
    assert report["files"] == {"sums.test": {"passed": 4, "failed": 1, "unsupported": 3}}
    assert [failure["case"] for failure in report["failures"]] == ["arithmetic.wrong"]


def test_file_of_another_kind(tmp_path: Path) -> None:
    (tmp_path / "a.test").write_text("import } case")
    result = CliRunner().invoke(app, ["conformance", str(tmp_path)])
    assert isinstance(result.exception, ValueError)
    assert "a.test:1:" in str(result.exception)
