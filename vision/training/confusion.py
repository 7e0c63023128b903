"""What the networks take for what, on decks kept out of training: ``docs/reader.md`` has its table.

    script/train-reader --confusion

Scenes as for training are made of :data:`SHEETS_KEPT_OUT`; indices and bodies are cut out where
they are known to lie, a little off, and named by the networks in ``vision/models``. Other scenes,
larger, are read whole, as photographs are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.body import BODY_RANKS
from vision.index import RANKS, SUITS, normalise
from vision.networks import Network, softmax
from vision.reader import CardReader
from vision.training.artwork import SHEETS_KEPT_OUT, Face, deck_faces
from vision.training.data import Example, body_examples, index_examples, stack
from vision.training.scenes import Stage

SCENES = 1500
SMALL_PX, LARGE_PX = 160, 640
SURE = 0.9
"""Least chance of both rank and suit for a sure answer."""


def confusion(name: str, ranks: str, examples: list[Example]) -> str:
    """Two tables, suits and ranks (true by row, told by column), and the share of sure answers."""
    pictures, labels, _ = stack([one for one in examples if one.rank < len(ranks)])
    parts = np.array_split(normalise(pictures), max(1, len(pictures) // 256))
    network = Network(name)
    logits = np.concatenate([network(part) for part in parts])
    split = len(ranks) + 1
    chances = softmax(logits[:, :split]), softmax(logits[:, split : split + len(SUITS) + 1])
    told = np.stack([each.argmax(axis=1) for each in chances], axis=1)
    sure = np.minimum(*(each.max(axis=1) for each in chances)) > SURE
    sure &= (told[:, 0] < len(ranks)) & (told[:, 1] < len(SUITS))
    right = (told == labels).all(axis=1)
    lines = [
        f"{name}: {len(labels)} examples, {right.mean():.1%} right; sure of {sure.mean():.1%}, "
        f"of these {(sure & ~right).sum()} wrong",
        _table(SUITS, labels[:, 1], told[:, 1]),
        _table(ranks, labels[:, 0], told[:, 0]),
    ]
    return "\n\n".join(lines)


def _table(names: str, true: NDArray[np.int64], told: NDArray[np.int64]) -> str:
    counts = np.zeros((len(names), len(names) + 1), int)
    np.add.at(counts, (true, told), 1)
    rows = [["", *names, "none"]]
    rows += [[name, *map(str, row)] for name, row in zip(names, counts, strict=True)]
    rows.insert(1, ["---"] * len(rows[0]))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def whole_reader(stage: Stage) -> str:
    """How many scenes of one card the reader names, and which of them it names wrongly."""
    reader, named, wrong = CardReader(), 0, []
    for _ in range(SCENES):
        scene = stage.single(LARGE_PX)
        face = scene.cards[0][0]
        told = [str(seen.card) for seen in reader.look(scene.pixels).cards]
        named += bool(told)
        wrong += [
            f"{face.rank}{face.suit} as {name}" for name in told if name != face.rank + face.suit
        ]
    return f"whole reader: {SCENES} scenes, {named} named, {len(wrong)} wrong {' '.join(wrong)}"


def main() -> None:
    """Print the tables of the index and of the body network, and what the whole reader names."""
    faces: list[Face] = [face for name in SHEETS_KEPT_OUT for face in deck_faces(name)]
    random = np.random.default_rng(5)
    stage = Stage([face for face in faces if face.index], random)
    indices: list[Example] = []
    bodies: list[Example] = []
    for _ in range(SCENES):
        scene = stage.single(SMALL_PX)
        indices += index_examples(scene, random)
        bodies += body_examples(scene, random)
    print(confusion("index", RANKS, indices), end="\n\n")
    print(confusion("body", BODY_RANKS, bodies), end="\n\n")
    print(whole_reader(stage))


if __name__ == "__main__":
    main()
