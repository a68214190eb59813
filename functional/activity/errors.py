"""Errors of the activity's files."""


class ActivityError(ValueError):
    """A folder that is no activity, or not one this version can read; the message names the file and what to do."""
