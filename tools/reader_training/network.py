"""The net: a transformer over question and text, with a head for the answer's ends and one for whether the text answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from tools.reader_training.base_model import BaseModel, unpacked
from tools.reader_training.vocabulary import Vocabulary

NORM_EPSILON = 1e-12
LAYERS = 8
"""Of twelve: the last ones are about the vector of a whole text, and cost as much as the others with each text that is read."""


class ReaderNetwork(nn.Module):
    """Starts as a net that embeds sentences; its word vectors stay as they are."""

    def __init__(self, base: BaseModel, vocabulary: Vocabulary) -> None:
        super().__init__()
        config = BertConfig(
            vocab_size=len(vocabulary.kept),
            hidden_size=base.width,
            num_hidden_layers=LAYERS,
            num_attention_heads=base.heads,
            intermediate_size=len(base.weights["encoder.layer.0.intermediate.dense.bias"]),
            max_position_embeddings=len(base.weights["embeddings.position_embeddings.weight"]),
            layer_norm_eps=NORM_EPSILON,
        )
        self.encoder: Any = BertModel(config, add_pooling_layer=False)
        wanted = self.encoder.state_dict().keys()
        held = {name: torch.from_numpy(value) for name, value in base.weights.items() if name in wanted}
        held["embeddings.word_embeddings.weight"] = torch.from_numpy(unpacked(base.words[list(vocabulary.kept)]))
        self.encoder.load_state_dict(held)
        self.encoder.embeddings.word_embeddings.requires_grad_(requires_grad=False)
        self.spans, self.relevance = nn.Linear(base.width, 2), nn.Linear(base.width, 1)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the ends (batch, length, 2), and log odds that the text answers (batch). Tokens: int64 (batch, length)."""
        hidden = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        return self.spans(hidden), self.relevance(hidden[:, 0]).squeeze(-1)


def load_network(file: Path, base: BaseModel, vocabulary: Vocabulary) -> ReaderNetwork:
    """A net that was saved."""
    network = ReaderNetwork(base, vocabulary)
    network.load_state_dict(torch.load(file, weights_only=True))
    return network


def mean_of(one: ReaderNetwork, other: ReaderNetwork) -> ReaderNetwork:
    """The net whose weights are the means of those of two; the first is changed."""
    others = other.state_dict()
    held = {
        name: (value + others[name]) / 2 if value.is_floating_point() else value
        for name, value in one.state_dict().items()
    }
    one.load_state_dict(held)
    return one
