"""A GLES context: its state, and the objects of its share group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Any

from ..capture import Call, Value
from ..opengl import enums as gl
from ..opengl.errors import GLError, Unsupported
from ..pipeline.command import DrawCommand
from ..pipeline.compute.dispatch import Dispatch, DispatchSink
from ..pipeline.draw import Outcome
from ..work import DEFAULT_MAX_WORK
from .buffers import Buffer
from .desktop import ContextKind
from .draw_queue import DrawQueue
from .effects import ARRAYS, OBJECTS, PARAMETERS, STAGES
from .egl_images import EglImage
from .errors import REPORTED, TooMuchWork, end_call
from .feedback import TransformFeedback
from .fixed.built_ins import BuiltIns
from .fixed.programs import FixedPrograms
from .fixed.state import FixedState, first_constants
from .framebuffers import Framebuffer, Surface
from .listener import Listener
from .pipelines import ProgramPipeline
from .programs import Program, Shader
from .queries import Query, Sync
from .resolved import ResolvedArrays, ResolvedState
from .state import State, VertexArrayObject
from .textures import SamplerObject, Texture


def error_kind(code: int, call: str) -> str:
    """Key of an error in the report: names of the error and the call, or only the call if the tracer lost something."""
    return f"{gl.ERRORS[code]} in {call}" if code in gl.ERRORS else call


class Identities:
    """Numbers that surfaces, buffers and programs have in the recording, unique across share groups."""

    def __init__(self) -> None:
        self._next = {"surface": 0, "buffer": 0, "program": 0}

    def take(self, kind: str, count: int = 1) -> int:
        """Reserve `count` new numbers of a kind; the first of them."""
        first = self._next[kind]
        self._next[kind] += count
        return first


@dataclass
class Report:
    """Calls that could not be executed as asked, grouped by kind, with the first call of each kind."""

    unsupported: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    tolerated: Counter[str] = field(default_factory=Counter)
    """Errors in calls that were executed nevertheless, as drivers do."""
    first: dict[str, str] = field(default_factory=dict)

    def note(self, counter: Counter[str], kind: str, call: Call, message: str) -> None:
        """Count an occurrence of a kind."""
        counter[kind] += 1
        # Messages may quote text of the application, but an entry of the report is one line.
        self.first.setdefault(kind, " ".join(f"call {call.number} {call.name}: {message}".split()))

    def lines(self) -> list[str]:
        """One line per kind with its count and its first occurrence."""
        return [
            f"{word} {kind} ({count} call{'s' * (count > 1)}); first: {self.first[kind]}"
            for word, counter in (
                ("unsupported", self.unsupported),
                ("GL error", self.errors),
                ("tolerated", self.tolerated),
            )
            for kind, count in sorted(counter.items())
        ]


class ShareGroup:
    """Objects that several contexts share."""

    def __init__(self) -> None:
        self.buffers: dict[int, Buffer] = {}
        self.textures: dict[int, Texture] = {}
        self.shaders: dict[int, Shader] = {}
        self.programs: dict[int, Program] = {}
        self.renderbuffers: dict[int, Surface] = {}
        self.samplers: dict[int, SamplerObject] = {}
        self.syncs: dict[int, Sync] = {}
        self.mapped: dict[int, Buffer] = {}
        """Mapped buffers by the id of the Python object."""
        self.arrays_revision = self.stages_revision = self.objects_revision = self.parameters_revision = 0
        """Versions of the parts of the state that draws are resolved from; every call that may change a part raises its
        version; see `effects`."""
        self.egl_images: dict[int, EglImage] = {}
        """Images of EGL by handle; the display's, which all contexts see."""
        self.built_ins: dict[int, BuiltIns] = {}
        """Built-in uniforms of programs by their number in the recording."""
        self.labelled = False
        """Whether any object has a debug label."""

    def changed(self, parts: int) -> None:
        """Note which parts of the state that draws are resolved from may have changed; see `effects`."""
        if parts & ARRAYS:
            self.arrays_revision += 1
        if parts & STAGES:
            self.stages_revision += 1
        if parts & OBJECTS:
            self.objects_revision += 1
        if parts & PARAMETERS:
            self.parameters_revision += 1


RunDispatch = Callable[[Dispatch, DispatchSink | None], None]
"""Executes a dispatch and tells the sink."""


def no_dispatch(dispatch: Dispatch, sink: DispatchSink | None) -> None:
    """Execute nothing."""


LeavesOut = Callable[[bool], bool]
"""Says of windows, or of other framebuffers, whether something of them is left out."""


def draws_all(window: bool) -> bool:
    """Leave out nothing."""
    return False


class Context:
    """A rendering context.

    Parameters
    ----------
    kind
        API that the application asked for.
    group
        Objects that it shares with other contexts.
    identities
        Source of numbers for the recording.
    listener
        Notified of everything that happens.
    draw
        Runs a resolved draw; its second argument is the listener's sink.
    report
        Collects unsupported features and errors.
    """

    def __init__(
        self,
        kind: ContextKind,
        group: ShareGroup,
        identities: Identities,
        listener: Listener,
        draw: Callable[[DrawCommand, Any], Outcome | None],
        report: Report,
    ) -> None:
        self.version = kind.version
        self.desktop = kind.desktop
        """Whether it is one of desktop OpenGL, which is served as far as OpenGL ES goes."""
        self.fixed_functions = kind.fixed_functions
        """Whether draws without a program are those of OpenGL ES 1.1."""
        self.group = group
        self.identities = identities
        self.listener = listener
        self.run_draw = draw
        self.run_dispatch: RunDispatch = no_dispatch
        self.on_answer: Callable[[Call, Value], None] | None = None
        self.error = gl.NO_ERROR
        self.report = report
        self.state = State(vertex_array=VertexArrayObject.of(kind.fixed_functions))
        self.framebuffers: dict[int, Framebuffer] = {}
        self.pipelines: dict[int, ProgramPipeline] = {}
        self.vertex_arrays: dict[int, VertexArrayObject] = {0: self.state.vertex_array}
        self.default_framebuffer: Framebuffer | None = None
        self.default_read_framebuffer: Framebuffer | None = None
        self.default_textures: dict[int, Texture] = {}
        self.resolved_state: ResolvedState | None = None
        self.resolved_states: dict[int, ResolvedState] = {}
        """State last resolved, and that of each program by its number in the recording."""
        self.states_before: dict[tuple[object, ...], ResolvedState] = {}
        """Resolved states by what they were made of: programs cycle through the same states in every frame."""
        self.resolved_arrays: ResolvedArrays | None = None
        self.arrays_before: dict[tuple[object, ...], ResolvedArrays] = {}
        """Resolved arrays by what they were made of: programs set the same arrays in every frame."""
        self.unobserved = False
        """Whether nothing observes draws."""
        self.sees_contents = True
        """Whether draws of different contents of a texture are draws of different states."""
        self.joins_draws = False
        """Whether draws may wait to be joined with others of the same state."""
        self.skipped: Container[int] = frozenset()
        """Calls that write no pixels, texels or bytes, because nothing needs them; all else about them happens."""
        self.leaves_out_colors: LeavesOut = draws_all
        """Whether the colours of windows, or of other framebuffers, need not be drawn."""
        self.passes_over = False
        """Whether draws among them, which are known to be valid, need not be resolved."""
        self.queue: DrawQueue | None = None
        self.current_call: Call | None = None
        self.call = 0
        self.max_work = DEFAULT_MAX_WORK
        """Most work that one call may ask for; see `work`."""
        self.debug_groups: list[str] = []
        self.labels: dict[tuple[str, int], str] = {}
        """Debug label by kind and name of an object."""
        self.fixed = FixedState()
        self.fixed_programs = FixedPrograms()
        if kind.fixed_functions:
            self.state.constants += first_constants()
        self.feedbacks: dict[int, TransformFeedback] = {0: TransformFeedback(0, bound=True)}
        self.queries: dict[int, Query] = {}
        self.active_queries: dict[int, Query] = {}

    @property
    def executes(self) -> bool:
        """Whether the present call writes what it is there for; see `skipped`."""
        return self.call not in self.skipped

    @property
    def program(self) -> Program | None:
        """Program that draws use."""
        if self.state.program is None and self.state.pipeline is not None:
            return self.state.pipeline.drawing(self.note_combined)
        return self.state.program

    def note_combined(self, program: Program) -> None:
        """Give a program that a pipeline made its number in the recording."""
        program.identity = self.identities.take("program")
        self.listener.program_linked(program, self.call)

    def program_of(self, what: str) -> Program | None:
        """Program in use for something: "compute", or "uniforms", which glUniform sets."""
        program, pipeline = self.state.program, self.state.pipeline
        if program is not None or pipeline is None:
            return program
        return pipeline.stages.get("compute") if what == "compute" else pipeline.active

    @property
    def feedback(self) -> TransformFeedback:
        """The transform feedback object that is bound."""
        return self.feedbacks[self.state.transform_feedback]

    @property
    def framebuffer(self) -> Framebuffer:
        """The framebuffer drawn to; GLError if there is none."""
        if self.state.framebuffer:
            return self.framebuffers[self.state.framebuffer]
        if self.default_framebuffer is None:
            raise GLError(gl.INVALID_FRAMEBUFFER_OPERATION, "no surface is current")
        return self.default_framebuffer

    @property
    def read_framebuffer(self) -> Framebuffer:
        """The framebuffer read from; GLError if there is none."""
        if self.state.read_framebuffer:
            return self.framebuffers[self.state.read_framebuffer]
        if self.default_read_framebuffer is None:
            raise GLError(gl.INVALID_FRAMEBUFFER_OPERATION, "no surface is current")
        return self.default_read_framebuffer

    def texture(self, target: int) -> Texture:
        """Texture bound to a target of the active unit; name 0 is the context's default texture."""
        bound = self.state.units.get((self.state.active_unit, target))
        return bound if bound is not None else self.default_texture(target)

    def default_texture(self, target: int) -> Texture:
        """Texture 0 of a target."""
        if target not in self.default_textures:
            self.default_textures[target] = Texture(0, self.identities.take("surface"), target)
        return self.default_textures[target]

    def answer(self, call: Call, value: Value) -> None:
        """Report the answer to a query; the program itself got its answers from the captured driver."""
        if self.on_answer is not None:
            self.on_answer(call, value)

    def note(self, call: Call, error: Exception) -> None:
        """Report what is wrong with a call."""
        if isinstance(error, GLError):
            self.error = self.error or error.code
            self.report.note(self.report.errors, error_kind(error.code, call.name), call, str(error))
        elif isinstance(error, Unsupported):
            self.report.note(self.report.unsupported, call.name, call, str(error))
        else:
            self.report.note(self.report.errors, call.name, call, str(error))

    def forget(self) -> None:
        """Drop the resolved states: objects were deleted, and their memory must be freed."""
        self.states_before.clear()
        self.resolved_states.clear()
        self.arrays_before.clear()

    def check_work(self, amount: int, unit: str) -> None:
        """ExecutorError if the present call asks for more work than a call may; for what multiplies, before it begins.

        Parameters
        ----------
        amount, unit
            How much, and of what, for the message.
        """
        if amount > self.max_work:
            raise TooMuchWork(f"{amount:,} {unit} by one call are more than {self.max_work:,}; raise --max-work")

    def flush(self) -> None:
        """Execute the waiting draws."""
        queue, self.queue = self.queue, None
        if queue is not None:
            try:
                command = queue.command()
                if command is not None:
                    self.run_draw(command, queue.sink)
            except REPORTED as error:
                self.note(queue.call, error)
            except Exception as error:
                end_call(queue.call, error)
