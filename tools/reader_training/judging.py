"""A net that has learnt before as the judge of which texts it would take for an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from tools.reader_training.examples import Judge
from tools.reader_training.network import ReaderNetwork
from tools.reader_training.site_texts import SiteText
from walker.strategies.reader.passage_reader import ReaderText, shown


def judge_of(network: ReaderNetwork, tokenizer: Any) -> Judge:
    """Log odds of each text, by this net as it is now."""
    network.eval()

    def judge(question: str, texts: Sequence[SiteText]) -> list[float]:
        if not texts:
            return []
        encoded = [tokenizer.encode(question, shown(ReaderText(one.heading, one.text))) for one in texts]
        longest = max(len(one.ids) for one in encoded)
        ids, types, mask = (torch.zeros(len(encoded), longest, dtype=torch.int64) for _ in range(3))
        for row, one in enumerate(encoded):
            length = len(one.ids)
            ids[row, :length], types[row, :length] = torch.tensor(one.ids), torch.tensor(one.type_ids)
            mask[row, :length] = 1
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            relevance = network(ids, mask, types)[1]
        return [float(value) for value in relevance.float()]

    return judge
