"""``sabot read``: what is on these pictures."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from vision.frame import Look


def run(
    places: Annotated[
        list[Path], typer.Argument(help="Pictures, or folders of them.", metavar="FILE|DIR…")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a file.")] = False,
) -> None:
    """Say what is on pictures: a card, several, a back, a cutting card, nothing, or unreadable."""
    from vision.pictures import find_pictures, load_picture
    from vision.reader import CardReader

    files = [file for place in places for file in find_pictures(place)]
    reader = CardReader()
    for file in files:
        image = load_picture(file)
        start = time.perf_counter()
        look = reader.look(image)
        elapsed_ms = (time.perf_counter() - start) * 1000
        answer = as_object(file, look, elapsed_ms)
        print(json.dumps(answer) if as_json else _as_line(answer), flush=True)


def as_object(file: Path, look: Look, elapsed_ms: float) -> dict[str, Any]:
    """One file's answer as it is printed; ``ms`` is the reading alone, without decoding."""
    cards = [
        {"card": str(seen.card), "confidence": round(seen.confidence, 4), "by": list(seen.by)}
        for seen in look.cards
    ]
    return {"file": str(file), "kind": look.kind, "cards": cards, "ms": round(elapsed_ms, 2)}


def _as_line(answer: dict[str, Any]) -> str:
    cards = ", ".join(
        f"{seen['card']} {seen['confidence']:.1%} by {' and '.join(seen['by'])}"
        for seen in answer["cards"]
    )
    told = f"{answer['kind']}: {cards}" if cards else str(answer["kind"])
    return f"{answer['file']}: {told} ({answer['ms']} ms)"
