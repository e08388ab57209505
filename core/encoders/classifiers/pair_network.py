"""The network of the readers that come with Plumbline: a BERT encoder, and a head over the second text's states."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import torch
from safetensors.numpy import load_file
from torch import Tensor, nn
from transformers import AutoModel, PreTrainedConfig
from transformers.modeling_outputs import SequenceClassifierOutput
from transformers.utils import logging

from core.encoders.classifiers.changes import applied, head_of
from core.encoders.protocols import Floats

HIDDEN: Final = 256
"""Width of the head's hidden layer."""


class PairNetwork(nn.Module):  # type: ignore[misc]  # torch is not read by mypy
    """Logits of pairs of texts, such as a passage and a claim or a question and a reply.

    The logits are W_2 tanh(W_1 [m; f] + b_1) + b_2 with m the mean of the second text's states and f the first state.

    Args:
        encoder: A BERT encoder.
        labels: Class names in the order of the logits.
    """

    config: PreTrainedConfig

    def __init__(self, encoder: Any, labels: Sequence[str]) -> None:
        super().__init__()
        self.encoder = encoder
        self.config = encoder.config
        self.config.id2label = dict(enumerate(labels))
        self.head = nn.Sequential(
            nn.Linear(2 * self.config.hidden_size, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, len(labels))
        )

    def forward(self, input_ids: Tensor, token_type_ids: Tensor, attention_mask: Tensor) -> SequenceClassifierOutput:
        """The logits of a batch, (pairs, labels).

        Args:
            input_ids: Tokens of both texts, (pairs, tokens).
            token_type_ids: 1 for the second text's tokens, else 0.
            attention_mask: 0 for padding, else 1.
        """
        states = self.encoder(
            input_ids=input_ids, token_type_ids=token_type_ids, attention_mask=attention_mask
        ).last_hidden_state.float()
        own = (token_type_ids * attention_mask)[:, :, None].float()
        mean = (states * own).sum(dim=1) / own.sum(dim=1).clamp(min=1.0)
        return SequenceClassifierOutput(logits=self.head(torch.cat([mean, states[:, 0]], dim=1)))


def read_network(folder: Path, weights: Path, labels: Sequence[str]) -> PairNetwork:
    """The network of a BERT encoder's folder with the changes in a file of weights, in evaluation mode.

    Args:
        folder: Of the encoder that the changes were fitted on.
        weights: safetensors, as `core.encoders.classifiers.changes` has them.
        labels: Class names in the order of the logits.
    """
    logging.disable_progress_bar()
    network = PairNetwork(AutoModel.from_pretrained(str(folder), local_files_only=True, dtype=torch.float32), labels)
    learned = load_file(weights)
    before = {name: tensor.numpy() for name, tensor in network.encoder.state_dict().items()}
    network.encoder.load_state_dict(_tensors(applied(before, learned)))
    network.head.load_state_dict(_tensors(head_of(learned)))
    network.eval()
    return network


def _tensors(arrays: dict[str, Floats]) -> dict[str, Tensor]:
    return {name: torch.from_numpy(values.copy()) for name, values in arrays.items()}
