"""The three small networks."""

from __future__ import annotations

import torch
from torch import nn


def _conv(into: int, out: int, stride: int = 1, spread: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(into, out, 3, stride, padding=spread, dilation=spread, bias=False),
        nn.BatchNorm2d(out),
        nn.ReLU(inplace=True),
    )


class Finder(nn.Module):
    """Where indices are, which way is up, how high they are, and what kind of card lies where.

    Channels a cell of 4 x 4 pixels: index here (logit), offset x y (cells), up x y (of 16 pixels),
    middle of the card x y (of 32 pixels from the index), ground face back cut card (logits).
    """

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(1, 12, 2), _conv(12, width, 2))
        self.steps = nn.ModuleList(_conv(width, width, 1, spread) for spread in (1, 2, 1, 4, 1, 8))
        self.near = _conv(width, width)
        self.head = nn.Conv2d(width, 11, 1)
        # Hardly any cell is an index: without this the first thousand steps are spent on saying so.
        nn.init.constant_(self.head.bias[:1], -4.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.stem(x)
        for step in self.steps:
            x = x + step(x)
        return self.head(self.near(x))


class IndexNet(nn.Module):
    """A patch of 32 x 48 to rank (13 and none) and suit (4 and none), as 19 logits; 4 offsets."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            _conv(1, 16, 2),
            _conv(16, 32),
            _conv(32, 48, 2),
            _conv(48, 48),
            _conv(48, 64, 2),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(64 * 6 * 4, 80),
            nn.ReLU(inplace=True),
            nn.Linear(80, 23),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)


class BodyNet(nn.Module):
    """A card of 48 x 64 without its corners to A-10, court, none, suit (12 + 5), and 5 offsets."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            _conv(1, 16, 2),
            _conv(16, 24),
            _conv(24, 40, 2),
            _conv(40, 40),
            _conv(40, 48, 2),
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(48 * 8 * 6, 64),
            nn.ReLU(inplace=True),
            nn.Linear(64, 22),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)
