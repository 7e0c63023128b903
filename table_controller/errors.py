"""What the person gave is wrong: told in one line, never as a traceback."""

from __future__ import annotations

WRONG_INPUT = 2
"""The exit status."""


class InputError(ValueError):
    """A file, setting or argument that cannot be used.

    The message is one line that names the place and the remedy, as in
    ``table.toml: deal: 'upside' is not known: write face_down or face_up``.
    The command line prints it on standard error and ends with exit status 2.
    """
