"""A picture that cannot be read as a picture."""

from __future__ import annotations


class PictureError(ValueError):
    """A file that is missing, damaged or no picture; one line with the file and the remedy."""


class CameraLost(OSError):
    """The camera stopped answering; one line with the device and the remedy."""
