"""Shader and program objects, uniforms, and the meaning of a captured program's locations (OpenGL ES 2.0, 2.10)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..glsl import LinkedProgram, LinkError, ShaderError, Uniform
from ..glsl.dialects import Dialect, is_embedded
from ..glsl.ir.program import Shader as LinkedShader
from ..glsl.ir.program import Stage
from ..glsl.stored import ValidShader, link_compute_stored, link_stage_stored, link_stored, validate_shader
from ..glsl.uniform_blocks import UniformBlock
from ..opengl import enums as gl
from ..pipeline.state import Constants
from .buffers import Binding, Buffer
from .driver_numbers import DriverNumbers
from .uniform_places import UniformPlace, UnitPlace

DEPTH_RANGE = "gl_DepthRange."
_NOTHING = np.zeros(0, np.uint8)
_ELEMENT = re.compile(r"^(.*)\[(\d{1,9})\]$")


def _zeros(shaders: Mapping[Stage, LinkedShader]) -> Constants:
    return Constants(**{stage: np.zeros((s.constant_count, 4), np.float32) for stage, s in shaders.items()})


@dataclass
class Shader:
    """A shader object."""

    name: int
    stage: Stage
    source: str = ""
    compiled: ValidShader | None = None
    log: str = ""
    attached: int = 0
    """Programs that it is attached to."""
    deleted: bool = False
    desktop: bool = False
    """Whether a context of desktop OpenGL made it."""

    def compile(self) -> bool:
        """Compile the source; the log says why it failed, or what drivers accept beyond the specification."""
        self.log = ""
        desktop = self.desktop and not is_embedded(self.source)
        dialects: list[Dialect] = ["desktop"] if desktop else ["strict", "lenient"]
        first, *others = dialects
        try:
            self.compiled = self._compiled(first)
        except ShaderError as error:
            self.log, self.compiled = str(error), None
            for dialect in others:
                with suppress(ShaderError):
                    self.compiled = self._compiled(dialect)
        return self.compiled is not None

    def _compiled(self, dialect: Dialect) -> ValidShader:
        return validate_shader(self.source, self.stage, f"{self.stage} shader {self.name}", dialect)


@dataclass
class Program:
    """A program object.

    Attributes
    ----------
    identity
        Number in the recording of the last successful link, -1 before.
    constants
        Current uniforms; integers and booleans as their bit patterns.
    units
        Texture unit per sampler, by stage.
    version
        Rises with every change of a uniform.
    """

    name: int
    identity: int = -1
    shaders: dict[str, Shader] = field(default_factory=dict)
    attribute_locations: dict[str, int] = field(default_factory=dict)
    linked: LinkedProgram | None = None
    log: str = ""
    sources: tuple[str, ...] = ("", "")
    constants: Constants = field(default_factory=Constants)
    units: dict[Stage, list[int]] = field(default_factory=dict)
    locations: dict[int, tuple[Uniform, int]] = field(default_factory=dict)
    inactive: set[int] = field(default_factory=set)
    """Locations of uniforms that only the captured driver considers active."""
    assumed: bool = False
    """Whether its locations are Mesa's because the capture asks for none."""
    asked: dict[int, str] = field(default_factory=dict)
    """The name last found at each location: programs query the same ones in every frame."""
    version: int = 0
    units_revision: int = 0
    """Rises with every change of a sampler's texture unit."""
    dirty: dict[tuple[str, int], int] = field(default_factory=dict)
    block_names: dict[int, str] = field(default_factory=dict)
    """Name of each uniform block by its index in the captured driver."""
    numbers: DriverNumbers = field(default_factory=DriverNumbers)
    """Further numbers of the captured driver."""
    block_bindings: dict[int, int] = field(default_factory=dict)
    """Uniform buffer binding by block index in the captured driver."""
    feedback_names: tuple[str, ...] = ()
    feedback_mode: int = gl.INTERLEAVED_ATTRIBS
    """GL enum: INTERLEAVED_ATTRIBS (0x8C8C) or SEPARATE_ATTRIBS (0x8C8D)."""
    feedback_separate: bool = False
    """Whether the outputs that the last link set up for capture go to separate buffers."""
    users: int = 0
    """Contexts that use it."""
    deleted: bool = False
    validated: bool = False
    separable: bool = False
    """Whether the next link makes a program for program pipelines, of any of their stages."""
    linked_separable: bool = False
    """Whether the last link did."""
    stages: dict[Stage, ValidShader] = field(default_factory=dict)
    """The shaders that the last link took, with the locations of attributes and names of captured outputs."""
    linked_locations: dict[str, int] = field(default_factory=dict)
    linked_names: tuple[str, ...] = ()
    places: dict[tuple[str, int, int], UniformPlace | UnitPlace | None] = field(default_factory=dict)
    """Destinations of uniform values by call, location and count."""
    depth_range: list[tuple[str, NDArray[np.float32], int, str]] = field(default_factory=list)
    """Places where shaders read gl_DepthRange: stage, its constants, slot, member."""
    built_ins: list[Uniform] = field(default_factory=list)
    """Uniforms that have fixed-function state of desktop OpenGL."""
    variations: dict[tuple[object, ...], Program] = field(default_factory=dict)
    """Programs that fixed functions make of it; see `fixed.variations`."""
    followed: tuple[int, int] = (-1, -1)
    """Versions of the uniforms and units that this one has, if it is one of them."""
    loaded: dict[int, tuple[Binding | None, int]] = field(default_factory=dict)
    """Buffer that each uniform block was last copied from, and its version."""
    answers: dict[str, int] = field(default_factory=dict)
    """Locations of attributes and fragment outputs in the captured driver."""

    def link(self) -> bool:
        """Link the attached shaders; the log says why it failed."""
        self.linked = None
        try:
            self.linked = self._linked()
        except (LinkError, ShaderError) as error:
            self.log = str(error)
            return False
        self.log = ""
        self.stages = {s.stage: s.compiled for s in self.shaders.values() if s.compiled is not None}
        self.linked_locations, self.linked_names = dict(self.attribute_locations), self.feedback_names
        self.linked_separable = self.separable
        self.feedback_separate = self.feedback_mode == gl.SEPARATE_ATTRIBS
        self.sources = tuple(self.shaders[stage].source for stage in self.linked.shaders)
        self.constants = _zeros(self.linked.shaders)
        self.units = {stage: [0] * len(shader.samplers) for stage, shader in self.linked.shaders.items()}
        self.locations = {}
        self._place_by_layout(self.linked)
        self.places = {}
        self.inactive = set()
        self.asked, self.assumed = {}, False
        self.block_names, self.block_bindings, self.loaded = {}, {}, {}
        self.numbers = DriverNumbers()
        self.variations = {}
        self.version += 1
        self.dirty = {}
        self.built_ins = [
            uniform
            for uniform in self.linked.uniforms
            if uniform.name.startswith("gl_") and not uniform.name.startswith(DEPTH_RANGE)
        ]
        self.depth_range = [
            (stage, constants, slot, uniform.name.removeprefix(DEPTH_RANGE))
            for uniform in self.linked.uniforms
            if uniform.name.startswith(DEPTH_RANGE)
            for slot, constants, stage in self.slots(uniform)
        ]
        return True

    def _linked(self) -> LinkedProgram:
        """The attached shaders, linked."""
        compiled = {stage: shader.compiled for stage, shader in self.shaders.items()}
        compute = compiled.get("compute")
        if compute is not None and len(compiled) == 1:
            return link_compute_stored(compute)
        vertex, fragment = compiled.get("vertex"), compiled.get("fragment")
        separate = self.feedback_mode == gl.SEPARATE_ATTRIBS
        only = vertex or fragment
        if self.separable and only is not None and len(compiled) == 1:
            captured = self.feedback_names if vertex is not None else ()
            return link_stage_stored(only, self.attribute_locations, captured, separate)
        if vertex is None or fragment is None or "compute" in compiled:
            needed = "a compiled vertex and a compiled fragment shader, or a compiled compute shader alone"
            raise LinkError(f"program {self.name}: needs {needed}")
        return link_stored(vertex, fragment, self.attribute_locations, self.feedback_names, separate)

    def _place_by_layout(self, linked: LinkedProgram) -> None:
        """Apply the locations and bindings that shaders give their uniforms (ESSL 3.10, 4.4.3 and 4.4.5)."""
        for uniform in linked.uniforms:
            for element in range(max(1, uniform.array_size)):
                if uniform.location is not None:
                    self.locations[uniform.location + element] = (uniform, element)
                if uniform.binding:
                    for samplers, units in self.unit_tables(uniform):
                        if samplers[element] >= 0:
                            units[samplers[element]] = uniform.binding + element

    def unit_tables(self, uniform: Uniform) -> list[tuple[tuple[int, ...], list[int]]]:
        """Samplers of a uniform's elements, -1 for one that is not read, and the units of their stage, per stage."""
        return [(samplers, self.units[stage]) for stage, samplers in uniform.samplers.items()]

    def slots(self, thing: Uniform | UniformBlock) -> list[tuple[int, NDArray[np.float32], str]]:
        """First slot of a uniform or block, its constants and their stage, for each stage that has it."""
        return [(slot, self.constants.of(stage), stage) for stage, slot in thing.slots.items()]

    def place(self, name: str, location: int) -> None:
        """Note the location that the captured program got for a uniform (glGetUniformLocation and its result)."""
        if self.linked is None or location < 0 or self.asked.get(location) == name:
            return
        self.asked[location] = name
        self.places.clear()
        element = _ELEMENT.match(name)
        base, index = (element[1], int(element[2])) if element else (name, 0)
        for uniform in self.linked.uniforms:
            if uniform.name == name:
                self.locations[location] = (uniform, 0)
                return
            if uniform.name == base and index < max(1, uniform.array_size):
                self.locations[location] = (uniform, index)
                return
        # The captured driver kept the uniform but this compiler removed it, so its value has no effect.
        self.inactive.add(location)

    def location_of(self, name: str) -> int:
        """Location of a uniform in the captured driver; -1 for a name that is not an active uniform."""
        for location, (uniform, index) in self.locations.items():
            if name == f"{uniform.name}[{index}]" or (index == 0 and name == uniform.name):
                return location
        return -1

    def block_number(self, index: int) -> int:
        """Place in `LinkedProgram.blocks` of the block that has an index in the captured driver."""
        name = self.block_names.get(index)
        names = [block.name for block in self.linked.blocks] if self.linked is not None else []
        return names.index(name) if name in names else index

    def load_blocks(self, buffers: dict[int, Binding]) -> dict[str, Buffer]:
        """Copy uniform blocks from their buffers into the constants.

        Parameters
        ----------
        buffers
            Buffer range bound to each uniform buffer binding.

        Returns
        -------
        dict
            By name of a block, buffers whose content nothing defines.
        """
        undefined: dict[str, Buffer] = {}
        if self.linked is None or not self.linked.blocks:
            return undefined
        indices = {name: index for index, name in self.block_names.items()}
        for number, block in enumerate(self.linked.blocks):
            bound = buffers.get(self.block_bindings.get(indices.get(block.name, number), block.binding))
            buffer, version = self.loaded.get(number, (None, -1))
            if bound is not None and bound is buffer and bound.buffer.version == version:
                continue
            self.loaded[number] = bound, bound.buffer.version if bound is not None else -1
            content = bound.elements(np.uint8, block.size_bytes) if bound is not None else _NOTHING
            if bound is not None and bound.buffer.version == bound.buffer.undefined_version:
                undefined[block.name] = bound.buffer
            size = len(content)
            for slot, constants, stage in self.slots(block):
                rows = -(-block.size_bytes // 16)
                part = constants[slot : slot + rows].view(np.uint8).reshape(-1)
                if not np.array_equal(part[:size], content) or (size < block.size_bytes and part[size:].any()):
                    part[:size], part[size:] = content, 0
                    self.dirty[stage, slot] = rows
                    self.version += 1
        return undefined

    def load_depth_range(self, depth_range: tuple[float, float]) -> None:
        """Copy near and far into the constants of shaders that read gl_DepthRange (GLSL ES 1.00, section 7.4)."""
        if not self.depth_range:
            return
        near, far = (np.float32(value) for value in depth_range)
        values = {"near": near, "far": far, "diff": far - near}
        for stage, constants, slot, member in self.depth_range:
            if constants[slot, 0] != values[member]:
                constants[slot, 0] = values[member]
                self.dirty[stage, slot] = 1
                self.version += 1

    def find(self, location: int) -> tuple[Uniform, int] | None:
        """Uniform and first array element at a location of the captured driver.

        A location that was never queried is taken as an element of the array at the nearest lower one, as in apitrace's
        own replayer.
        """
        uniform_and_index = self.locations.get(location)
        if uniform_and_index is None:
            below = [at for at in (*self.locations, *self.inactive) if at < location]
            if not below:
                return None
            if max(below) in self.inactive:
                return None
            uniform, index = self.locations[max(below)]
            index += location - max(below)
            if index >= max(1, uniform.array_size):
                if index < uniform.declared_size:
                    # The captured driver may count elements that are not read.
                    self.inactive.add(location)
                return None
            uniform_and_index = (uniform, index)
        return uniform_and_index
