"""Transform feedback objects (OpenGL ES 3.0, 2.15): where captured vertices go, and how many there are so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..opengl import enums as gl
from ..opengl.errors import GLError
from ..opengl.limits import MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS
from ..pipeline.command import Feedback, FeedbackStream
from .buffers import Binding
from .programs import Program

VERTICES_PER_PRIMITIVE = {gl.POINTS: 1, gl.LINES: 2, gl.TRIANGLES: 3}
MAX_BINDINGS = MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS


@dataclass
class TransformFeedback:
    """A transform feedback object; name 0 is the context's default object.

    Attributes
    ----------
    mode
        Primitives captured: POINTS, LINES or TRIANGLES.
    vertices
        Vertices captured since glBeginTransformFeedback.
    """

    name: int
    bindings: dict[int, Binding] = field(default_factory=dict)
    active: bool = False
    paused: bool = False
    mode: int = gl.POINTS
    program: Program | None = None
    vertices: int = 0
    bound: bool = False

    @property
    def capturing(self) -> bool:
        """Whether draws are captured now."""
        return self.active and not self.paused

    def begin(self, mode: int, program: Program) -> None:
        """Start capturing at the beginning of the bound buffers (glBeginTransformFeedback)."""
        self.active, self.paused, self.mode, self.program, self.vertices = True, False, mode, program, 0

    def end(self) -> None:
        """Stop capturing."""
        self.active = self.paused = False
        self.program = None

    def streams(self, program: Program, vertices: int) -> Feedback:
        """Destination of a draw's vertices.

        Raises
        ------
        GLError
            A buffer is too small for them.
        """
        assert program.linked is not None
        captured = program.linked.captured
        groups = [(c,) for c in captured] if program.feedback_separate else [captured]
        streams = []
        for number, group in enumerate(groups):
            stride = 4 * sum(c.words for c in group)
            binding = self.bindings.get(number)
            room = binding.room if binding is not None else 0
            if binding is None or (self.vertices + vertices) * stride > room:
                raise GLError(
                    gl.INVALID_OPERATION,
                    f"{vertices} vertices of {stride} bytes after {self.vertices} in transform feedback buffer {number}"
                    f" of {room} bytes",
                )
            streams.append(
                FeedbackStream(binding.buffer.data, binding.offset + self.vertices * stride, stride, tuple(group))
            )
        return Feedback(VERTICES_PER_PRIMITIVE[self.mode], tuple(streams))
