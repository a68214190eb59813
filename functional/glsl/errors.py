"""What goes wrong in shader source: one exception per stage of the front end, one line each."""

from ..errors import UserError


class ShaderError(UserError):
    """A shader that does not compile.

    The message is ``name:line: what``, with the line counted as the shader's own ``#line`` directives say.
    """

    def __init__(self, message: str, line: int = 0, name: str = "shader") -> None:
        super().__init__(f"{name}:{line}: {message}")
        self.message = message
        self.line = line
        self.name = name


class CompilerFault(RuntimeError):
    """A fault of this compiler; never the shader's."""


class LinkError(UserError):
    """Two compiled shaders that do not make a program."""
