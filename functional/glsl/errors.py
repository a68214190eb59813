"""Errors of shaders: one exception per stage of the front end, each with a message of one line."""

from ..errors import UserError


class ShaderError(UserError):
    """A shader that does not compile.

    The message is ``name:line: what``, with lines counted according to the shader's ``#line`` directives.
    """

    def __init__(self, message: str, line: int = 0, name: str = "shader") -> None:
        super().__init__(f"{name}:{line}: {message}")
        self.message = message
        self.line = line
        self.name = name


class LinkError(UserError):
    """Two compiled shaders cannot be linked to a program."""
