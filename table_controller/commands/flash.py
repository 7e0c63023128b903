"""``sabot flash``: put the shoe's firmware on the Pico."""

from __future__ import annotations

from typing import Annotated

import typer


def run(
    port: Annotated[
        str | None, typer.Option(help="The Pico's port; without it, the only Pico plugged in.")
    ] = None,
    prompt: Annotated[
        bool, typer.Option(help="Copy nothing: leave the Pico at MicroPython's prompt, once.")
    ] = False,
) -> None:
    """Put the shoe's firmware on a Pico that runs MicroPython."""
    from firmware_bridge.flashing import ask_for_prompt, find_pico, flash, version_text

    place = port or find_pico()
    if prompt:
        ask_for_prompt(place)
        print(f"{place}: MicroPython's prompt is free until the next reset; open it with mpremote")
        return
    identity = flash(place, print)
    print(f"{place}: firmware {version_text(identity)} runs")
