"""``sabot read``: what is on these pictures."""

from __future__ import annotations

import json
import time
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from table_controller.errors import WRONG_INPUT
from vision.errors import PictureError

if TYPE_CHECKING:
    from vision.frame import Image, Look
    from vision.reader import CardReader


def run(
    places: Annotated[
        list[Path], typer.Argument(help="Pictures, or folders of them.", metavar="FILE|DIR…")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a file.")] = False,
    profile: Annotated[
        Path | None, typer.Option(metavar="P", help="The deck's profile (sabot enroll).")
    ] = None,
    explain: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write here, for each picture, why.")
    ] = None,
) -> None:
    """Say what is on pictures: a card, several, a back, a cutting card, nothing, or unreadable.

    A file that is no picture is told of, and the others are read; then the status is 2.
    """
    import cv2

    from vision.deck import load_profile
    from vision.enrolled import reader_for
    from vision.pictures import find_pictures, load_picture
    from vision.reader import CardReader

    files = [file for place in places for file in find_pictures(place)]
    # One picture at a time is too little for several threads to share.
    cv2.setNumThreads(1)
    reader = CardReader()
    knowing = reader_for(reader, None if profile is None else load_profile(profile))
    explained: set[str] = set()
    status = 0
    for file in files:
        try:
            image = load_picture(file)
        except PictureError as wrong:
            typer.echo(f"sabot: {wrong}", err=True)
            status = WRONG_INPUT
            continue
        start = time.perf_counter()
        look = knowing.look(image)
        elapsed_ms = (time.perf_counter() - start) * 1000
        answer = as_object(file, look, elapsed_ms)
        print(json.dumps(answer) if as_json else _as_line(answer), flush=True)
        if explain is not None:
            name = _name_of(file, explained)
            _write_explanation(explain / f"{name}.png", reader, image)
    if status:
        raise typer.Exit(status)


def _name_of(file: Path, taken: set[str]) -> str:
    """After the picture and the folder in which it lies; with a number if that is taken."""
    first = f"{file.resolve().parent.name}-{file.stem}"
    numbered = (f"{first}-{number}" for number in count(2))
    name = next(name for name in chain([first], numbered) if name not in taken)
    taken.add(name)
    return name


def _write_explanation(target: Path, reader: CardReader, image: Image) -> None:
    """One PNG of the steps."""
    import cv2

    from vision.explain import as_one_image

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(cv2.imencode(".png", as_one_image(reader.explain(image)))[1].tobytes())
    except OSError as wrong:
        raise PictureError(
            f"{wrong.filename}: {wrong.strerror}; give a folder to write in"
        ) from None


def as_object(file: Path, look: Look, elapsed_ms: float) -> dict[str, Any]:
    """One file's answer as it is printed; ``ms`` is the reading alone, without decoding."""
    cards = [
        {"card": str(seen.card), "confidence": round(seen.confidence, 4), "by": list(seen.by)}
        for seen in look.cards
    ]
    answer = {"file": str(file), "kind": look.kind, "cards": cards, "ms": round(elapsed_ms, 2)}
    # Only a reader that knows the deck can tell.
    return {**answer, "foreign": True} if look.foreign else answer


def _as_line(answer: dict[str, Any]) -> str:
    cards = ", ".join(
        f"{seen['card']} {seen['confidence']:.1%} by {' and '.join(seen['by'])}"
        for seen in answer["cards"]
    )
    told = f"{answer['kind']}: {cards}" if cards else str(answer["kind"])
    return f"{answer['file']}: {told} ({answer['ms']} ms)"
