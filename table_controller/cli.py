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
from typer.exceptions import TyperException

from firmware_bridge.errors import BoardError
from table_controller.errors import WRONG_INPUT, InputError
from vision.errors import PictureError

COMMANDS: tuple[str, ...] = (
    "live",
    "read",
    "replay",
    "odds",
    "profile",
    "enroll",
    "deck-check",
    "print-codes",
    "journal",
    "doctor",
    "soak",
    "hil",
    "bench",
    "flash",
)
"""In the order in which the help lists them; ``print-codes`` is the module ``print_codes``."""


def _application(names: tuple[str, ...]) -> typer.Typer:
    application = typer.Typer(
        name="sabot",
        help="An instrumented baccarat table: the shoe that reads its cards.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    for name in names:
        module = importlib.import_module(f"table_controller.commands.{name.replace('-', '_')}")
        if hasattr(module, "app"):
            application.add_typer(module.app, name=name)
        else:
            application.command(name)(module.run)
    # Of one command alone typer would make the whole program; a callback keeps it a command.
    application.callback()(lambda: None)
    return application


def _tell_usage(wrong: TyperException, command: str) -> None:
    """One line that names the argument and where the right ones stand; help was told already."""
    message = " ".join(wrong.format_message().split()).rstrip(".")
    if message:
        print(f"{command}: {message}: see '{command} --help'", file=sys.stderr)


def main() -> None:
    """Run the command that the arguments name."""
    called = tuple(name for name in sys.argv[1:2] if name in COMMANDS)
    try:
        # In its standalone mode typer would tell a wrong option in a box of several lines.
        status = _application(called or COMMANDS)(standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except (InputError, PictureError, BoardError) as wrong:
        print(f"sabot: {wrong}", file=sys.stderr)
        sys.exit(WRONG_INPUT)
    except TyperException as wrong:
        _tell_usage(wrong, " ".join(("sabot", *called)))
        sys.exit(WRONG_INPUT)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has gone; Python would say so again while it closes down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
