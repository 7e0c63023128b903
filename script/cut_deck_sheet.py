"""Cut a sheet of 13 by 5 cards (rows clubs, diamonds, hearts, spades, back) into 52 pictures.

cut_deck_sheet.py SHEET.png DIR
cut_deck_sheet.py --plain-back DIR     only draw a back, for artwork that has none
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2

from hw_sims.art import draw_deck
from table_controller.core.cards import DECK, RANKS

ROWS = "CDHS"
BACK_CELL = (4, 2)


def cut(sheet: Path, folder: Path) -> None:
    """Write the cells of a sheet."""
    pixels = cv2.imread(str(sheet), cv2.IMREAD_COLOR)
    if pixels is None:
        sys.exit(f"{sheet}: no picture")
    height, width = pixels.shape[0] / 5, pixels.shape[1] / 13
    cells = {(ROWS.index(card.suit), RANKS.index(card.rank)): str(card) for card in DECK}
    for (row, column), name in {**cells, BACK_CELL: "back"}.items():
        top, left = round(row * height), round(column * width)
        cell = pixels[top : round((row + 1) * height), left : round((column + 1) * width)]
        cv2.imwrite(str(folder / f"{name}.png"), cell)


def main() -> None:
    """The command."""
    if sys.argv[1] == "--plain-back":
        cv2.imwrite(str(Path(sys.argv[2]) / "back.png"), draw_deck().back)
    else:
        cut(Path(sys.argv[1]), Path(sys.argv[2]))


if __name__ == "__main__":
    main()
