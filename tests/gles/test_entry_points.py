"""Which entry points of the specifications are implemented."""

from tilegpu.functional.gles.entry_points import ENTRY_POINTS
from tilegpu.functional.gles.entry_points.known import KNOWN

MISSING = {
    "glBeginTransformFeedback",
    "glBindTransformFeedback",
    "glDeleteTransformFeedbacks",
    "glEndTransformFeedback",
    "glGenTransformFeedbacks",
    "glGetTransformFeedbackVarying",
    "glPauseTransformFeedback",
    "glResumeTransformFeedback",
    "glTransformFeedbackVaryings",
}
"""Transform feedback needs varyings that no fragment shader reads, which the linker removes."""


def test_all_but_the_known_gaps_are_implemented() -> None:
    assert set(KNOWN) - set(ENTRY_POINTS) == MISSING
