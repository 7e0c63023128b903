"""``sabot flash``: put the shoe's firmware on the Pico."""

from __future__ import annotations

from typing import Annotated

import typer


def run(
    port: Annotated[
        str | None, typer.Option(help="The Pico's port; without it, the only Pico plugged in.")
    ] = None,
) -> None:
    """Put the shoe's firmware on a Pico that runs MicroPython."""
    from firmware_bridge.flashing import find_pico, flash, version_text

    place = port or find_pico()
    identity = flash(place, print)
    print(f"{place}: firmware {version_text(identity)} runs")
