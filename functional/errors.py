"""Base of errors that the user can fix: any other exception is a fault of tilegpu."""


class UserError(ValueError):
    """Something the user provided cannot be used: a file, an option, a configuration, the machine.

    The message is one line: what, where, and what to do. The command prints it and ends with status 2.
    """
