"""How well the reader does on labelled pictures: ``python -m vision.measure FOLDER [--csv FILE]``.

The table of labels has the columns ``file`` (below the folder) and ``label`` (a card, ``joker``,
``empty``), or ``labels`` (several cards, parted by blanks). One line is printed for each first
folder in the files' names: right, wrong and refused pictures, and the processor time of reading.

For pictures of several cards the share is of cards, and a wrong answer is a card that is not there.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from vision.frame import Look
from vision.pictures import load_picture
from vision.reader import CardReader

NO_CARD = {"joker": ("unreadable", "back", "cut_card", "empty"), "empty": ("empty",)}


@dataclass
class Score:
    """The count of one set."""

    right: int = 0
    wrong: int = 0
    asked: int = 0
    several: int = 0
    pictures: int = 0
    times_ms: list[float] = field(default_factory=list)
    misread: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def add(self, name: str, labels: list[str], look: Look, elapsed_ms: float) -> None:
        """Count one picture."""
        told = [str(seen.card) for seen in look.cards]
        self.pictures += 1
        self.times_ms.append(elapsed_ms)
        self.several += look.kind == "several"
        if labels[0] in NO_CARD:
            self.asked += 1
            self.right += look.kind in NO_CARD[labels[0]]
            self.wrong += bool(told)
        else:
            self.asked += len(labels)
            self.right += sum(label in told for label in labels)
            self.wrong += sum(card not in labels for card in told)
        if any(card not in labels for card in told):
            self.misread.append(f"{name}: {labels} read as {told}")
        elif look.kind == "unreadable" or any(label not in told for label in labels):
            self.refused.append(f"{name}: {look.kind} {told}")

    def line(self, name: str) -> str:
        """The count in one line."""
        times = np.array(self.times_ms)
        return (
            f"{name:12} {self.pictures:5} pictures {self.asked:5} asked  "
            f"right {self.right / max(1, self.asked):7.2%}  wrong {self.wrong:3}  "
            f"several {self.several:3}  "
            f"ms p50 {np.percentile(times, 50):6.2f} p99 {np.percentile(times, 99):6.2f}"
        )


def labelled(table: Path) -> Iterator[tuple[str, list[str]]]:
    """File names and labels of a table."""
    with table.open(newline="") as rows:
        for row in csv.DictReader(rows):
            yield row["file"], (row.get("labels") or row["label"]).split()


def measure(folder: Path, table: Path, only: str = "") -> dict[str, Score]:
    """Read every picture of a table; the scores by set."""
    reader, scores = CardReader(), defaultdict[str, Score](Score)
    for name, labels in labelled(table):
        if only and only not in name:
            continue
        image = load_picture(folder / name)
        start = time.thread_time()
        look = reader.look(image)
        elapsed_ms = (time.thread_time() - start) * 1000
        scores[name.split("/")[0] if "/" in name else folder.name].add(
            name, labels, look, elapsed_ms
        )
    return scores


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--csv", type=Path, help="labels (index.csv or labels.csv in FOLDER)")
    arguments.add_argument("--only", default="", help="only files with this in their names")
    arguments.add_argument("--verbose", action="store_true", help="name misread and refused ones")
    chosen = arguments.parse_args()
    cv2.setNumThreads(1)
    tables = [chosen.csv] if chosen.csv else list(chosen.folder.glob("*.csv"))
    for table in tables:
        for name, score in sorted(measure(chosen.folder, table, chosen.only).items()):
            print(score.line(name), flush=True)
            for text in score.misread:
                print("   WRONG", text)
            for text in score.refused if chosen.verbose else ():
                print("   refused", text)


if __name__ == "__main__":
    main()
