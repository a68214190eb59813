"""Whose mistake it is: `UserError` is the user's, any other exception is a fault of tilegpu."""


class UserError(ValueError):
    """What was given cannot be used: a file, an option, a configuration, this machine.

    The message is one line: what, where, and what to do. The command prints it and ends with status 2.
    """
