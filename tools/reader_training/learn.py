"""Learning: from public sets first, from questions about sites with some of the first beside them last."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from tools.reader_training.examples import Example, Judge
from tools.reader_training.network import ReaderNetwork
from tools.reader_training.site_texts import SiteText
from walker.strategies.reader.passage_reader import ReaderText, shown

log = logging.getLogger(__name__)
TOKENS_A_STEP = 4096
POOL = 2048
"""Examples that are sorted by length at a time, so that little of a batch is padding."""
WARM_UP = 0.06
FAR = -1e4
LOGGED = 50
CHOICE = 0.5
"""Weight of telling the texts of one question apart."""


class Encoded(msgspec.Struct, frozen=True, kw_only=True):
    """An example as tokens; `start` and `end` are 0, the first token, where the text does not answer."""

    ids: list[int]
    types: list[int]
    start: int
    end: int
    says: bool
    weight: float
    group: int = -1
    has_ends: bool = True
    """Whether it teaches where an answer begins and ends: a list that answers does not."""


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """How fast to learn."""

    rate: float = 1.5e-4
    seed: int = 1
    threads: int = 2


def encode(examples: Sequence[Example], tokenizer: Tokenizer) -> list[Encoded]:
    """The examples whose answer is not cut away."""
    encoded = (_encode(one, tokenizer) for one in examples)
    return [one for one in encoded if one is not None]


def _encode(example: Example, tokenizer: Any) -> Encoded | None:
    text = ReaderText(example.heading, example.text)
    tokens = tokenizer.encode(example.question, shown(text))
    start = end = 0
    if example.start is not None and example.end is not None:
        skipped = len(shown(text)) - len(example.text)
        places = [
            place
            for place, (kind, (first, last)) in enumerate(zip(tokens.type_ids, tokens.offsets, strict=True))
            if kind == 1 and first < example.end + skipped and last > example.start + skipped
        ]
        if not places or tokens.offsets[places[-1]][1] < example.end + skipped:
            return None
        start, end = places[0], places[-1]
    return Encoded(
        ids=tokens.ids,
        types=tokens.type_ids,
        start=start,
        end=end,
        says=example.says,
        weight=example.weight,
        group=example.group,
        has_ends=not example.says or example.start is not None,
    )


def learn(network: ReaderNetwork, parts: Sequence[Sequence[Encoded]], schedule: Schedule) -> None:
    """Learn in place, each part once and one after the other, with a rate that rises and then falls to nothing."""
    torch.manual_seed(schedule.seed)
    torch.set_num_threads(schedule.threads)
    random = Random(schedule.seed)  # noqa: S311 - no secret
    steps = [batch for part in parts for batch in batches(part, random)]
    optimizer = torch.optim.AdamW([one for one in network.parameters() if one.requires_grad], lr=schedule.rate)
    network.train()
    for number, batch in enumerate(steps):
        share = min(1.0, (number + 1) / (WARM_UP * len(steps))) * max(0.02, 1 - number / len(steps))
        for group in optimizer.param_groups:
            group["lr"] = schedule.rate * share
        loss = loss_of(network, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if number % LOGGED == 0:
            log.info("step %d of %d: loss %.3f", number, len(steps), float(loss.detach()))


def batches(examples: Sequence[Encoded], random: Random) -> list[list[Encoded]]:
    """All examples once, those of one question and those of like lengths together."""
    order = _units(examples)
    random.shuffle(order)
    made: list[list[Encoded]] = []
    for first in range(0, len(order), POOL):
        batch: list[Encoded] = []
        for unit in sorted(order[first : first + POOL], key=_length):
            if batch and _length(unit) * (len(batch) + len(unit)) > TOKENS_A_STEP:
                made.append(batch)
                batch = []
            batch.extend(unit)
        made.append(batch)
    random.shuffle(made)
    return made


def _units(examples: Sequence[Encoded]) -> list[list[Encoded]]:
    """The texts of one question together, others alone."""
    groups: dict[int, list[Encoded]] = {}
    for one in examples:
        if one.group >= 0:
            groups.setdefault(one.group, []).append(one)
    return [*groups.values(), *([one] for one in examples if one.group < 0)]


def _length(unit: Sequence[Encoded]) -> int:
    return max(len(one.ids) for one in unit)


def loss_of(network: ReaderNetwork, batch: Sequence[Encoded]) -> Tensor:
    """Cross-entropy of the answer's ends, of whether the text answers, and of which text of a question does."""
    ids, mask, types = _padded(batch)
    spans, relevance = _answered(network, ids, mask, types)
    allowed = mask.bool() & (types == 1)
    allowed[:, 0] = True
    spans = spans.masked_fill(~allowed.unsqueeze(-1), FAR)
    weights = torch.tensor([one.weight for one in batch])
    says = torch.tensor([float(one.says) for one in batch])
    loss = (functional.binary_cross_entropy_with_logits(relevance, says, reduction="none") * weights).mean()
    ends = torch.tensor([[one.start, one.end] for one in batch])
    missed = functional.cross_entropy(spans.transpose(1, 2).flatten(0, 1), ends.flatten(), reduction="none")
    told = torch.tensor([float(one.has_ends) for one in batch])
    return loss + (missed.view(-1, 2).mean(1) * weights * told).mean() + CHOICE * _choice(relevance, batch)


def judge_of(network: ReaderNetwork, tokenizer: Any) -> Judge:
    """Which texts this net, as it is now, takes for answers."""
    network.eval()

    def judge(question: str, texts: Sequence[SiteText]) -> list[float]:
        asked = [Example(question=question, heading=one.heading, text=one.text, says=False) for one in texts]
        if not asked:
            return []
        with torch.no_grad():
            _, relevance = _answered(network, *_padded(encode(asked, tokenizer)))
        return [float(value) for value in relevance]

    return judge


def _padded(batch: Sequence[Encoded]) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens, which of them stand for something, and their types, int64 (batch, length)."""
    longest = max(len(one.ids) for one in batch)
    ids = torch.tensor([one.ids + [0] * (longest - len(one.ids)) for one in batch])
    types = torch.tensor([one.types + [0] * (longest - len(one.types)) for one in batch])
    mask = torch.tensor([[1] * len(one.ids) + [0] * (longest - len(one.ids)) for one in batch])
    return ids, mask, types


def _answered(network: ReaderNetwork, ids: Tensor, mask: Tensor, types: Tensor) -> tuple[Tensor, Tensor]:
    """What the net says, as numbers of 32 bits."""
    # Half as many bits where the processor has them: 2.7 times as fast, and no worse.
    with torch.autocast("cpu", dtype=torch.bfloat16):
        spans, relevance = network(ids, mask, types)
    return spans.float(), relevance.float()


def _choice(relevance: Tensor, batch: Sequence[Encoded]) -> Tensor:
    """Of the texts of one question, a mean over questions: each that answers against those that do not."""
    missed: list[Tensor] = []
    for number in sorted({one.group for one in batch if one.group >= 0}):
        places = [place for place, one in enumerate(batch) if one.group == number]
        others = [place for place in places if not batch[place].says]
        if others:
            right = [place for place in places if batch[place].says]
            missed += [torch.logsumexp(relevance[[place, *others]], 0) - relevance[place] for place in right]
    return torch.stack(missed).mean() if missed else relevance.sum() * 0.0
