"""``sabot read``: what is on these pictures."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

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
    """Say what is on pictures: a card, several, a back, a cutting card, nothing, or unreadable."""
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
    for file in files:
        image = load_picture(file)
        start = time.perf_counter()
        look = knowing.look(image)
        elapsed_ms = (time.perf_counter() - start) * 1000
        answer = as_object(file, look, elapsed_ms)
        print(json.dumps(answer) if as_json else _as_line(answer), flush=True)
        if explain is not None:
            _write_explanation(explain, file, reader, image)


def _write_explanation(folder: Path, file: Path, reader: CardReader, image: Image) -> None:
    """One PNG of the steps, named after the picture and the folder in which it lies."""
    import cv2

    from vision.explain import as_one_image

    try:
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / f"{file.parent.name}-{file.stem}.png"
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
