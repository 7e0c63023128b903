"""``sabot doctor``: what of a table is right, what is wrong, and how to mend it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_MARKS = {"right": "ok   ", "doubtful": "look ", "wrong": "WRONG"}


def run(
    config: Annotated[
        Path | None, typer.Option(help="The table's configuration, a TOML file.")
    ] = None,
    sim: Annotated[
        bool, typer.Option("--sim", help="Leave out the devices that a simulation replaces.")
    ] = False,
) -> None:
    """Look at every device, permission, clock, disk and library that this table needs.

    Exit status 1 when something is wrong. A running table holds its board and journal: stop it
    first.
    """
    from table_controller.commands.checks import all_findings
    from table_controller.config import load_config

    wrong = 0
    for finding in all_findings(load_config(config), sim):
        print(f"{_MARKS[finding.state]} {finding.what:<14} {finding.detail}")
        if finding.remedy:
            print(f"      {'':<14} -> {finding.remedy}")
        wrong += finding.state == "wrong"
    if wrong:
        print(f"{wrong} to mend")
        raise typer.Exit(1)
