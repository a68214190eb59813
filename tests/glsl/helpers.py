"""Compiling and running small shaders in tests."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tilegpu.functional.execute.backend import Result, TextureRequest
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.functional.execute.paths import PathTable
from tilegpu.functional.glsl import LinkedProgram, compile_shader, link_program

VECTORS = {1: "float", 2: "vec2", 3: "vec3", 4: "vec4"}


def no_texture(request: TextureRequest) -> NDArray[np.float32]:
    """For shaders that sample nothing."""
    raise AssertionError("the shader samples a texture")


def program_of(fragment: str, varyings: Mapping[str, str] | None = None) -> LinkedProgram:
    """A program around a fragment shader of either version: the vertex shader declares the varyings."""
    version, out = ("#version 300 es\n", "out") if fragment.startswith("#version 300 es") else ("", "varying")
    declared = version + "".join(f"{out} highp {of} {name};" for name, of in (varyings or {}).items())
    written = "".join(f"{name} = {of}(0.0);" for name, of in (varyings or {}).items())
    vertex = f"{declared} void main() {{ gl_Position = vec4(0.0); {written} }}"
    return link_program(compile_shader(vertex, "vertex"), compile_shader(fragment, "fragment"), {})


def constants_of(program: LinkedProgram, uniforms: Mapping[str, ArrayLike]) -> NDArray[np.float32]:
    """The fragment shader's constant file: a row of the array per slot; ints become bit patterns."""
    constants = np.zeros((program.fragment.constant_count, 4), np.float32)
    for uniform in program.uniforms:
        if "fragment" in uniform.slots and uniform.name in uniforms:
            values = np.atleast_2d(np.asarray(uniforms[uniform.name]))
            if values.dtype == np.bool_:
                values = -values.astype(np.int32)
            if values.dtype.kind in "iu":
                values = values.astype(np.int32).view(np.float32)
            first = uniform.slots["fragment"]
            constants[first : first + len(values), : values.shape[1]] = values
    return constants


def run_program(
    program: LinkedProgram,
    varyings: Mapping[str, ArrayLike],
    uniforms: Mapping[str, ArrayLike] | None = None,
    sample: Callable[[TextureRequest], NDArray[np.float32]] = no_texture,
    paths: PathTable | None = None,
    **options: int,
) -> Result:
    """Run the fragment shader; varyings are arrays of a row per lane."""
    arrays = {name: np.atleast_2d(np.asarray(v, np.float32).T).T for name, v in varyings.items()}
    lanes = max((len(a) for a in arrays.values()), default=4)
    inputs = np.zeros((len(program.fragment.inputs), 4, lanes), np.float32)
    for index, declaration in enumerate(program.fragment.inputs):
        if declaration.name in arrays:
            values = arrays[declaration.name]
            inputs[index, : values.shape[1]] = values.T
    constants = constants_of(program, uniforms or {})
    return NumpyBackend().run(program.fragment, inputs, constants, sample, paths, **options)


def run_fragment(
    source: str,
    varyings: Mapping[str, ArrayLike] | None = None,
    uniforms: Mapping[str, ArrayLike] | None = None,
    **options: object,
) -> NDArray[np.float32]:
    """gl_FragColor per lane; the source is what stands behind the declarations of precision and varyings.

    Source that begins with "300:" is GLSL ES 3.00 (with gl_FragColor all the same).
    """
    types = {}
    for name, values in (varyings or {}).items():
        array = np.asarray(values)
        types[name] = VECTORS[1 if array.ndim == 1 else array.shape[1]]
    modern = source.startswith("300:")
    declared = "".join(f"{'in' if modern else 'varying'} highp {of} {name};" for name, of in types.items())
    if modern:
        source = "out highp vec4 color;\n" + source[4:].replace("gl_FragColor", "color")
    head = "#version 300 es\n" if modern else ""
    program = program_of(f"{head}precision highp float; precision highp int; {declared}\n{source}", types)
    return run_program(program, varyings or {}, uniforms, **options).outputs[0].T  # type: ignore[arg-type]


def evaluate(expression: str, **varyings: ArrayLike) -> NDArray[np.float32]:
    """The value of a vec4 expression over varyings, a row per lane."""
    return run_fragment(f"void main() {{ gl_FragColor = {expression}; }}", varyings)
