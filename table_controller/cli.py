"""The command ``sabot``.

Each command is a module of ``table_controller.commands`` that has ``run``, a function, or ``app``,
a typer application with verbs of its own. Only the module of the command that is called is
imported, so that ``sabot odds`` does not wait for OpenCV.

Exit status: 0 done; 1 the thing checked does not hold; 2 what was given is wrong (one line on
standard error says what, where and how to mend it).
"""

from __future__ import annotations

import importlib
import os
import sys

import typer

from firmware_bridge.errors import BoardError
from table_controller.errors import InputError
from vision.errors import PictureError

COMMANDS: tuple[str, ...] = (
    "replay",
    "odds",
    "profile",
    "print-codes",
    "journal",
    "flash",
