"""``sabot bench``: how fast it is, here and now."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer


def run(
    as_json: Annotated[
        bool, typer.Option("--json", help="The figures as one JSON object.")
    ] = False,
    seconds: Annotated[
        float, typer.Option(help="How long the real-time measurements deal, in seconds.")
    ] = 20.0,
) -> None:
    """Measure the table on this machine, one core at a time. Takes about a minute.

    What only computes is done three times and the shortest counts: other programs make it longer.

    read_ms: one frame of a card in the simulated window through the reader, 640 x 480;
    read_ms_1456x1088 the same enlarged to the Global Shutter camera's size.

    against_the_classic_way: reader and the classic one (contour, warp, difference from templates
    of this very deck) on the same 640 x 480 frames: shares read right, and our figure by theirs.

    draw_to_light_ms: in real time, with the simulated Pico behind its wire: from the moment that
    decides a card (its end leaves the first beam, or the last frame after that) to the command for
    lamps or lock written to the wire; reading, journal commit (fsync) and scheduling included.

    step_us: one event through the core's step, over whole rounds as they come.

    rounds_per_s: rounds through the core's table of drawing alone (core.drawing), which decides
    every card in a step; full_rounds_per_s: whole rounds through step, with all that surrounds it.

    recover_ms_per_1000_rounds: opening a journal of 1000 rounds, checking its chain, folding it.

    rss_mb, start_s: of 'sabot live --sim' as a process of its own: resident memory with both
    screens followed, and from its start to the first page served, on a journal of ten shoes whose
    last run was killed. The simulated Pico is another process and not counted.
    """
    from table_controller.commands import measures

    figures: dict[str, Any] = {}
    for name, measure in measures.all_of_them(seconds):
        print(f"{name} ...", end="\r", file=sys.stderr, flush=True)
        figures[name] = measure()
    if as_json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:<28} {_in_words(value)}")


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        return "  ".join(f"{key} {_in_words(item)}" for key, item in value.items())
    return f"{value:,.0f}" if value >= 1000 else f"{value:g}"
