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
    """Measure the table on this machine. Takes some two minutes.

    What only computes is done three times and the shortest counts, for other
    programs only make it longer.

    read_ms: one frame of a card in the simulated window through the reader,
    640 x 480; read_ms_1456x1088: enlarged to the Global Shutter camera's size.

    against_the_classic_way: reader and the classic one (contour, warp,
    difference from templates of this very deck) on the same frames, cards half
    in view among them: shares read right, and our figures by theirs.

    draw_to_light_ms: in real time, the simulated Pico behind its wire: from the
    end of the card leaving the first beam to the command for lamps or lock
    written to the wire; reading, journal commit (fsync), scheduling included.

    step_us: one event through the core's step, over whole rounds as they come.

    rounds_per_s: rounds through the core's table of drawing alone, the one rule
    book that step, odds and this walk; full_rounds_per_s: whole rounds through
    step, with the shoe's count and order, alerts, payments, lamps and lock.

    recover_ms_per_1000_rounds: to open a journal of 1000 rounds, check its
    chain and fold it from the first entry, as after a change of the rules;
    otherwise a start folds only what came after its snapshot, a shoe at most.

    start_s, rss_mb: of 'sabot live --sim' in a process of its own, on a journal
    of ten shoes whose last run was killed: from its start to the first page
    served; resident memory with two screens following the table. The simulated
    Pico is another process and not counted.
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
