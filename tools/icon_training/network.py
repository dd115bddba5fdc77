"""The net: a small residual trunk to an embedding, and two linear heads on it, classes and words."""

from __future__ import annotations

import torch
from torch import Tensor, nn

WIDTHS = (32, 64, 128, 256)
"""Channels at 24, 12, 6 and 3 pixels: what leaves room for the heads in 4 MB, a byte a weight."""
EMBEDDING = 192


class Residual(nn.Module):
    """Two convolutions around which the input passes."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = convolution(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, pictures: Tensor) -> Tensor:
        """The same shape as it came."""
        return torch.relu(pictures + self.second(self.first(pictures)))


class IconNetwork(nn.Module):
    """Batch x 1 x 48 x 48, 0 to 1, to class logits and word logits."""

    def __init__(self, classes: int, words: int) -> None:
        super().__init__()
        first, second, third, fourth = WIDTHS
        self.trunk = nn.Sequential(
            convolution(1, first, stride=2, size=5),
            convolution(first, second, stride=2),
            Residual(second),
            convolution(second, third, stride=2),
            Residual(third),
            Residual(third),
            convolution(third, fourth, stride=2),
            Residual(fourth),
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(fourth * 9, EMBEDDING, bias=False),
            nn.BatchNorm1d(EMBEDDING),
        )
        self.classes = nn.Linear(EMBEDDING, classes)
        self.words = nn.Linear(EMBEDDING, words)

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        """Batch x classes, batch x words."""
        embedding = self.trunk(pictures)
        return self.classes(embedding), self.words(embedding)


def convolution(taken: int, given: int, *, stride: int = 1, size: int = 3) -> nn.Sequential:
    """A convolution that keeps the size but for its stride, with its normalisation and rectifier."""
    return nn.Sequential(
        nn.Conv2d(taken, given, size, stride, size // 2, bias=False), nn.BatchNorm2d(given), nn.ReLU(inplace=True)
    )
