"""A board that cannot be used."""

from __future__ import annotations


class BoardError(OSError):
    """The board is not there, busy or not ours; one line with the device and the remedy."""
