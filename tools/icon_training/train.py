"""Learning: a cosine schedule over a fixed number of steps, the running mean of the weights kept."""

from __future__ import annotations

import copy
import json
import logging
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import torch
from torch import Tensor, nn

from perception.icons.glyph_image import glyph_of
from tools.icon_training.distort import Distorter, stacked
from tools.icon_training.labels import Labels, load_labels
from tools.icon_training.network import IconNetwork
from tools.icon_training.sampling import SHARES, Batch, Sampler

log = logging.getLogger(__name__)


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """How long and how fast to learn."""

    steps: int = 7000
    size: int = 256
    rate: float = 2e-3
    decay: float = 0.05
    warm_up: int = 300
    smoothing: float = 0.05
    other_weight: float = 0.3
    """Weight of "other icon": many a drawing without a class shows nearly what a class shows."""
    words_weight: float = 0.5
    mean_of: float = 0.999
    seed: int = 1
    threads: int = 2
    shares: dict[str, float] = msgspec.field(default_factory=lambda: dict(SHARES))


ROUNDS = (
    Schedule(),
    Schedule(
        steps=3000,
        rate=1e-3,
        words_weight=0.8,
        seed=2,
        shares={"common": 0.27, "class": 0.18, "any": 0.47, "none": 0.08},
    ),
)
"""First mostly the common icons, then from there all the others and their words, by which an icon is looked for."""


def train_network(folder: Path, schedule: Schedule, start: Path | None = None) -> Path:
    """Learn from what is drawn and labelled in `folder`, from `start` on; writes and returns `network.pt`."""
    torch.set_num_threads(schedule.threads)
    cv2.setNumThreads(1)
    torch.manual_seed(schedule.seed)
    rows, labels = json.loads((folder / "icons.json").read_text()), load_labels(folder)
    drawings = np.load(folder / "icons.npy")
    sampler = Sampler(rows, labels, drawings, Distorter(schedule.seed, np.load(folder / "words.npy")), schedule.seed)
    network = IconNetwork(len(labels.classes), len(labels.words))
    if start:
        network.load_state_dict(torch.load(start))
    network = network.to(memory_format=torch.channels_last)
    mean = copy.deepcopy(network).eval()
    optimizer = torch.optim.AdamW(_groups(network, schedule.decay), lr=schedule.rate)
    rate = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, schedule.rate, schedule.steps, pct_start=schedule.warm_up / schedule.steps, cycle_momentum=False
    )
    weights = torch.ones(len(labels.classes))
    weights[-2] = schedule.other_weight
    total = 0.0
    for step, batch in enumerate(sampler.batches(schedule.size, schedule.steps, schedule.shares), 1):
        network.train()
        loss = _loss(network, batch, labels, weights, schedule)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        rate.step()
        _follow(mean, network, min(schedule.mean_of, step / (step + 10)))
        total += float(loss.detach())
        if step % 250 == 0:
            log.info("step %d loss %.3f", step, total / 250)
            total = 0.0
        if step % 1000 == 0 or step == schedule.steps:
            log.info(
                "step %d common icons of the validation set right: %.3f", step, _right(mean, rows, labels, drawings)
            )
            torch.save(mean.state_dict(), folder / "network.pt")
    return folder / "network.pt"


def _loss(network: nn.Module, batch: Batch, labels: Labels, weights: Tensor, schedule: Schedule) -> Tensor:
    pictures = torch.from_numpy(batch.pictures).to(memory_format=torch.channels_last).float() / 255
    with torch.autocast("cpu", torch.bfloat16):
        classes, words = network(pictures)
    wanted = torch.from_numpy(labels.words_of_row[np.maximum(batch.row, 0)] * (batch.row >= 0)[:, None])
    named = nn.functional.cross_entropy(
        classes.float(), torch.from_numpy(batch.class_of), weights, label_smoothing=schedule.smoothing
    )
    described = -(wanted * words.float().log_softmax(dim=1)).sum(dim=1).mean()
    return named + schedule.words_weight * described


def _groups(network: nn.Module, decay: float) -> list[dict[str, Any]]:
    """Weights that shrink, and scales and biases that do not."""
    many = [value for value in network.parameters() if value.ndim > 1]
    few = [value for value in network.parameters() if value.ndim <= 1]
    return [{"params": many, "weight_decay": decay}, {"params": few, "weight_decay": 0.0}]


def _follow(mean: nn.Module, network: nn.Module, share: float) -> None:
    for kept, new in zip(mean.state_dict().values(), network.state_dict().values(), strict=True):
        if kept.dtype.is_floating_point:
            kept.lerp_(new, 1 - share)
        else:
            kept.copy_(new)


def _right(network: nn.Module, rows: list[dict[str, str]], labels: Labels, drawings: Any) -> float:
    common = len(labels.also)
    chosen = [n for n, row in enumerate(rows) if row["use"] == "validate" and labels.class_of_row[n] < common]
    pictures = torch.from_numpy(stacked([glyph_of(255 - drawings[n]) for n in chosen])).float() / 255
    with torch.no_grad():
        guessed = network(pictures)[0][:, :-2].argmax(dim=1).numpy()
    return float((guessed == labels.class_of_row[chosen]).mean())
