"""Program pipelines: stages of several programs that draw together (OpenGL ES 3.1, 7.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..glsl import LinkError
from ..glsl.ir.program import Stage
from ..glsl.link_separate import NO_FRAGMENT_SHADER
from ..glsl.stored import link_alone_stored, link_pair_stored
from ..opengl import enums as gl
from ..opengl.errors import GLError
from ..pipeline.state import Constants
from .buffers import Binding, Buffer
from .programs import Program

MAX_COMBINED = 64


@dataclass
class CombinedProgram(Program):
    """The vertex shader of one program and the fragment shader of another, or none, as a program for draws.

    It shares the constants and texture units of both, which therefore follow every uniform that is set.
    """

    parts: dict[Stage, Program] = field(default_factory=dict)

    @classmethod
    def of(cls, vertex: Program, fragment: Program | None) -> CombinedProgram:
        """Combine the last links of two programs, or what one of a vertex shader needs to draw alone.

        Raises
        ------
        LinkError
            If their interfaces do not match.
        """
        first, options = vertex.stages["vertex"], (vertex.linked_names, vertex.feedback_separate)
        parts: dict[Stage, Program] = {"vertex": vertex}
        units: dict[Stage, list[int]] = {"vertex": vertex.units["vertex"], "fragment": []}
        if fragment is None:
            combined = cls(0, linked=link_alone_stored(first, vertex.linked_locations, *options))
            combined.sources = first.source, NO_FRAGMENT_SHADER
            combined.constants = Constants(vertex.constants.vertex)
        else:
            second = fragment.stages["fragment"]
            combined = cls(0, linked=link_pair_stored(first, second, vertex.linked_locations, *options))
            combined.sources = first.source, second.source
            combined.constants = Constants(vertex.constants.vertex, fragment.constants.fragment)
            parts["fragment"], units["fragment"] = fragment, fragment.units["fragment"]
        combined.parts, combined.units, combined.feedback_separate = parts, units, vertex.feedback_separate
        combined.follow()
        return combined

    def follow(self) -> None:
        """Take over what changed in the programs."""
        self.version = sum(part.version for part in self.parts.values())
        self.units_revision = sum(part.units_revision for part in self.parts.values())
        for stage, part in self.parts.items():
            changed = [place for place in part.dirty if place[0] == stage]
            self.dirty |= {place: part.dirty.pop(place) for place in changed}

    def load_blocks(self, buffers: dict[int, Binding]) -> dict[str, Buffer]:
        """Copy uniform blocks of both programs from their buffers."""
        undefined: dict[str, Buffer] = {}
        for part in self.parts.values():
            undefined |= part.load_blocks(buffers)
        self.follow()
        return undefined

    def load_depth_range(self, depth_range: tuple[float, float]) -> None:
        """Copy near and far into the constants of shaders that read gl_DepthRange."""
        for part in self.parts.values():
            part.load_depth_range(depth_range)
        self.follow()


@dataclass
class ProgramPipeline:
    """A program pipeline object.

    Attributes
    ----------
    stages
        The program of each stage.
    active
        The program whose uniforms glUniform sets.
    combined
        What was made of two programs, or why they do not match, by the numbers of their links.
    """

    name: int
    stages: dict[Stage, Program] = field(default_factory=dict)
    active: Program | None = None
    bound: bool = False
    validated: bool = False
    log: str = ""
    label: str = ""
    combined: dict[tuple[int, int], CombinedProgram | str] = field(default_factory=dict)

    def drawing(self, linked: Callable[[Program], None]) -> Program | None:
        """The program of draws; None without a vertex shader.

        Parameters
        ----------
        linked
            Called with every combination that is made.

        Raises
        ------
        GLError
            If the interfaces of two programs do not match.
        """
        vertex, fragment = self.stages.get("vertex"), self.stages.get("fragment")
        if vertex is None or vertex.linked is None or (fragment is not None and fragment.linked is None):
            return None
        if vertex is fragment:
            return vertex
        key = vertex.identity, fragment.identity if fragment is not None else -1
        if key not in self.combined:
            if len(self.combined) >= MAX_COMBINED:
                self.combined.clear()
            try:
                made = self.combined[key] = CombinedProgram.of(vertex, fragment)
                linked(made)
            except LinkError as error:
                self.combined[key] = str(error)
        program = self.combined[key]
        if isinstance(program, str):
            raise GLError(gl.INVALID_OPERATION, program)
        program.follow()
        return program

    def problem(self, linked: Callable[[Program], None]) -> str:
        """Obstacle to draws and dispatches, "" if there is none; the parameter is that of `drawing`."""
        if not self.stages:
            return "the pipeline has no program"
        if any(program.linked is None for program in self.stages.values()):
            return "a program of the pipeline is not linked"
        for stage, program in self.stages.items():
            lost = [s for s in program.stages if self.stages.get(s) is not program]
            if lost:
                return f"the program of the {stage} stage is not in use for its {lost[0]} stage"
        try:
            self.drawing(linked)
        except GLError as error:
            return str(error)
        return ""
