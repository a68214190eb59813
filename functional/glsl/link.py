"""Compiles shaders and links them to programs, like glCompileShader and glLinkProgram."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ..errors import CompilerFault
from ..opengl.limits import MAX_SHARED_BYTES
from .block_layout import shared_bytes
from .captured import CapturedOutput, base_names, captured_outputs, extra_varyings
from .checker import check
from .dialects import Dialect, desktop_text
from .errors import LinkError, ShaderError
from .interface import (
    Attribute,
    BuiltShader,
    Uniform,
    Varying,
    assign_varyings,
    build_shader,
    list_uniforms,
)
from .ir.program import Shader, Stage
from .layouts import check_layouts, common_bindings, common_locations, with_bindings
from .lexer import lex
from .locations import place_attributes
from .lowering import lower_shader
from .matching import match_interfaces
from .optimize import optimize, simplify
from .parser import parse
from .preprocessor import Preprocessed, preprocess
from .recursion import deep_recursion
from .ssa import Code
from .stage_interface import StageVariable, list_inputs, list_outputs
from .storage_blocks import CounterBuffer, StorageBlock, list_counter_buffers, list_storage
from .typed import CheckedShader
from .uniform_blocks import UniformBlock, list_blocks


@dataclass(frozen=True, slots=True, eq=False)
class CompiledShader:
    """A compiled shader that is not linked yet."""

    name: str
    stage: Stage
    source: str
    checked: CheckedShader
    code: Code


@dataclass(frozen=True, eq=False)
class LinkedProgram:
    """Shaders that match, ready to run.

    Attributes
    ----------
    shaders : dict
        A vertex and a fragment shader, or a compute shader, by stage.
    attributes : tuple of Attribute
        Attributes that the vertex shader reads.
    uniforms : tuple of Uniform
        Uniforms that any stage reads, with structures and arrays of structures flattened.
    varyings : tuple of Varying
        Varyings that the fragment shader reads, in slot order.
    blocks : tuple of UniformBlock
        Uniform blocks in the order of their indices. Their members are not in `uniforms`.
    captured : tuple of Captured
        Outputs that transform feedback captures.
    storage_blocks : tuple of StorageBlock
        Storage blocks in the order of their indices.
    counter_buffers : tuple of CounterBuffer
        Buffers of atomic counters, by their bindings.
    inputs, outputs : tuple of StageVariable
        Inputs of the first and outputs of the last stage.
    """

    shaders: dict[Stage, Shader]
    uniforms: tuple[Uniform, ...]
    blocks: tuple[UniformBlock, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    varyings: tuple[Varying, ...] = ()
    captured: tuple[CapturedOutput, ...] = ()
    storage_blocks: tuple[StorageBlock, ...] = ()
    counter_buffers: tuple[CounterBuffer, ...] = ()
    inputs: tuple[StageVariable, ...] = ()
    outputs: tuple[StageVariable, ...] = ()

    @cached_property
    def accesses_memory(self) -> bool:
        """Whether any stage uses buffers or images."""
        return any(shader.accesses_memory for shader in self.shaders.values())

    @property
    def compute(self) -> Shader:
        """The compute shader."""
        return self.shaders["compute"]

    @cached_property
    def vertex(self) -> Shader:
        """The vertex shader."""
        return self.shaders["vertex"]

    @cached_property
    def fragment(self) -> Shader:
        """The fragment shader."""
        return self.shaders["fragment"]

    @cached_property
    def _interpolations(self) -> dict[int, str]:
        by_slot: dict[int, str] = {}
        for declaration in self.fragment.inputs:
            # Arrays, matrices and structures take several slots.
            begun = [v for v in self.varyings if v.slot <= declaration.slot and declaration.semantic == "varying"]
            if begun:
                by_slot[declaration.slot] = max(begun, key=lambda v: v.slot).interpolation
        return by_slot

    def slots(self, interpolation: str) -> frozenset[int]:
        """Slots of the fragment shader's varyings with an interpolation: "smooth", "flat" or "noperspective"."""
        return frozenset([slot for slot, interpolated in self._interpolations.items() if interpolated == interpolation])


@lru_cache(maxsize=512)
def compile_shader(source: str, stage: Stage, name: str = "shader", dialect: Dialect = "strict") -> CompiledShader:
    """Compile GLSL ES source.

    Parameters
    ----------
    source : str
        Shader text.
    stage : str
        "vertex", "fragment" or "compute".
    name : str
        Name that begins every message.
    dialect : Dialect
        Which language it is in.

    Returns
    -------
    CompiledShader
        The same object for equal arguments.

    Raises
    ------
    ShaderError
        ``name:line: message`` for the first error found.
    CompilerFault
        When this compiler fails on a shader that it should compile or reject.
    """
    with deep_recursion(), faults_are_ours(name):
        try:
            text = desktop_text(source, stage, name) if dialect == "desktop" else preprocess(source, stage, name)
            checked, code = _compiled(text, stage, name, dialect != "strict")
        except RecursionError:
            raise ShaderError("nested too deeply", 0, name) from None
    return CompiledShader(name, stage, source, checked, code)


def _compiled(text: Preprocessed, stage: Stage, name: str, lenient: bool) -> tuple[CheckedShader, Code]:
    try:
        words = lex(text.tokens, text.version, name, text.extensions, lenient)
        tree = parse(words, text.version, name, lenient)
        checked = check(tree, stage, text.version, frozenset(text.extensions), name, text.invariant_all)
        return checked, simplify(lower_shader(checked), name)
    except ShaderError as error:
        raise text.reported(error) from None


def link_program(
    vertex: CompiledShader,
    fragment: CompiledShader,
    attribute_locations: Mapping[str, int],
    captured: Sequence[str] = (),
    separate: bool = False,
) -> LinkedProgram:
    """Link two shaders.

    Parameters
    ----------
    vertex, fragment : CompiledShader
        A vertex and a fragment shader.
    attribute_locations : mapping of str to int
        Locations set by glBindAttribLocation; names that do not occur are ignored.
    captured : sequence of str
        Outputs for transform feedback to capture.
    separate : bool
        Whether each is written to a separate buffer.

    Returns
    -------
    LinkedProgram
        Without vertex outputs that are never read, and the code that computes them.

    Raises
    ------
    LinkError
        If varyings or uniforms do not match, or attributes do not fit.
    CompilerFault
        When this compiler fails on a program that it should link or reject.
    """
    with deep_recursion(), faults_are_ours(f"{vertex.name} with {fragment.name}"):
        return _link(vertex, fragment, attribute_locations, captured, separate)


def link_compute(shader: CompiledShader) -> LinkedProgram:
    """Link a compute shader.

    Raises
    ------
    LinkError
        If it has no main function or no size of its work groups, or exceeds a limit.
    CompilerFault
        When this compiler fails on a program that it should link or reject.
    """
    with deep_recursion(), faults_are_ours(shader.name):
        need_main(shader)
        if shader.checked.local_size is None:
            raise LinkError(f"{shader.name} does not declare the size of its work groups")
        if shared_bytes(shader.checked) > MAX_SHARED_BYTES:
            used = shared_bytes(shader.checked)
            raise LinkError(f"{shader.name}: {used} bytes of shared memory of {MAX_SHARED_BYTES}")
        check_layouts(shader.checked)
        built = build_shader(shader.checked, optimize(shader.code, shader.name), {}, {})
        return assemble({"compute": built.shader}, (built,))


def need_main(shader: CompiledShader) -> None:
    """LinkError if a shader has no main function."""
    if shader.checked.main.body is None:
        raise LinkError(f"{shader.name} has no function main")


@contextmanager
def faults_are_ours(name: str) -> Iterator[None]:
    """Distinguish failures of the compiler from errors in a shader."""
    try:
        yield
    except (ShaderError, LinkError, MemoryError):
        raise
    except Exception as error:
        raise CompilerFault(f"{name}: the compiler failed ({type(error).__name__}: {error})") from error


def _link(
    vertex: CompiledShader,
    fragment: CompiledShader,
    attribute_locations: Mapping[str, int],
    captured: Sequence[str],
    separate: bool,
) -> LinkedProgram:
    if vertex.stage != "vertex" or fragment.stage != "fragment":
        raise LinkError("a program needs a vertex and a fragment shader")
    for shader in (vertex, fragment):
        need_main(shader)
    match_interfaces(vertex.checked, fragment.checked)
    check_layouts(vertex.checked, fragment.checked)
    fragment_code = optimize(fragment.code, fragment.name)
    varyings = assign_varyings(vertex.checked, fragment_code)
    extra = extra_varyings(vertex.checked, varyings, captured)
    slots_read = {varying.name: varying.slots for varying in varyings}
    outputs = [
        (variable, offset, value)
        for variable, offset, value in vertex.code.outputs
        if variable.semantic != "varying"
        or offset < slots_read.get(variable.name, 0)
        or variable.name in base_names(captured)
    ]
    vertex_code = optimize(Code(vertex.code.nodes, outputs, vertex.code.written), vertex.name)
    attributes = place_attributes(vertex_code, vertex.checked, attribute_locations)
    locations = {attribute.name: attribute.location for attribute in attributes}
    slots = {varying.name: varying.slot for varying in varyings} | extra
    keys = {v.key: slots[v.name] for v in vertex.checked.globals if v.semantic == "varying" and v.name in slots}
    outputs_captured = captured_outputs(vertex.checked, slots, captured, separate)
    built = [
        build_shader(stage.checked, code, locations, keys)
        for stage, code in ((vertex, vertex_code), (fragment, fragment_code))
    ]
    bindings = common_bindings(vertex.checked, fragment.checked)
    shaders = {stage.checked.stage: with_bindings(stage.shader, bindings) for stage in built}
    return assemble(shaders, built, attributes, varyings, outputs_captured)


def assemble(
    shaders: dict[Stage, Shader],
    built: Sequence[BuiltShader],
    attributes: tuple[Attribute, ...] = (),
    varyings: tuple[Varying, ...] = (),
    captured: tuple[CapturedOutput, ...] = (),
) -> LinkedProgram:
    """A program of stages that were emitted.

    Raises
    ------
    LinkError
        If a block is too large, or a stage has too many.
    """
    stages = [stage.checked for stage in built]
    bindings = common_bindings(*stages)
    uniforms = list_uniforms(built, common_locations(*stages), bindings)
    return LinkedProgram(
        shaders,
        uniforms,
        list_blocks(built, bindings),
        attributes,
        varyings,
        captured,
        list_storage(built, bindings),
        list_counter_buffers(uniforms),
        list_inputs(built, attributes),
        list_outputs(built),
    )
