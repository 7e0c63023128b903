"""``sabot print-codes``: a sheet of codes to stick along the edges of a deck's cards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from table_controller.errors import InputError


def run(
    out: Annotated[Path, typer.Argument(help="The file to write: .pdf or .png.")],
    deck: Annotated[str, typer.Option(help="The deck's name, printed in each code.")] = "1",
    code: Annotated[
        str, typer.Option(help="code128, code39, itf, ean13, ean8, databar, qr or datamatrix.")
    ] = "code128",
    first_serial: Annotated[int, typer.Option(help="The number of the first card.", min=1)] = 1,
) -> None:
    """Make a sheet of codes, two for each card, to print in true size and stick on a deck."""
    from vision.code_sheet import save, sheets
    from vision.code_text import FORMATS

    format_ = next((known for known in FORMATS if known == code), None)
    if format_ is None:
        raise InputError(f"--code: {code!r} is not known: write one of {', '.join(FORMATS)}")
    try:
        written = save(sheets(deck, format_, first_serial), out)
    except ValueError as wrong:
        raise InputError(f"{out}: {wrong}") from None
    except OSError as wrong:
        raise InputError(
            f"{out}: cannot be written ({wrong.strerror}): name another place"
        ) from None
    for path in written:
        typer.echo(f"{path}: print in true size (100 %)")
