"""Bases of errors: what the user can fix, and what is a fault of tilegpu."""


class UserError(ValueError):
    """Something the user provided cannot be used: a file, an option, a configuration, the machine.

    The message is one line: what, where, and what to do. The command prints it and ends with status 2.
    """


class Fault(RuntimeError):
    """A fault of tilegpu itself; the message says all that is known of it."""
