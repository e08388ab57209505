"""The network that reads claims: a BERT encoder with changes of low rank, and a head over the states of the claim."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from transformers import AutoModel, PreTrainedConfig
from transformers.modeling_outputs import SequenceClassifierOutput
from transformers.utils import logging

HIDDEN: Final = 256
"""Width of the head's hidden layer."""
LEFT, RIGHT, WHOLE, HEAD = "left:", "right:", "whole:", "head:"
"""What names in the file of weights begin with: the factors of a change, a change as it is, weights of the head."""


class ClaimNetwork(nn.Module):  # type: ignore[misc]  # torch is not read by mypy
    """Logits of pairs of a passage and a claim.

    The logits are W_2 tanh(W_1 [m; f] + b_1) + b_2 with m the mean of the claim's states and f the first state.

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
            input_ids: Tokens of passage and claim, (pairs, tokens).
            token_type_ids: 1 for the claim's tokens, else 0.
            attention_mask: 0 for padding, else 1.
        """
        states = self.encoder(
            input_ids=input_ids, token_type_ids=token_type_ids, attention_mask=attention_mask
        ).last_hidden_state.float()
        own = (token_type_ids * attention_mask)[:, :, None].float()
        mean = (states * own).sum(dim=1) / own.sum(dim=1).clamp(min=1.0)
        return SequenceClassifierOutput(logits=self.head(torch.cat([mean, states[:, 0]], dim=1)))


def read_network(folder: Path, weights: Path, labels: Sequence[str]) -> ClaimNetwork:
    """The network of a BERT encoder's folder with the changes in a file of weights, in evaluation mode.

    Args:
        folder: Of the encoder that the changes were fitted on.
        weights: safetensors: of each changed matrix the factors ``left:NAME`` (rows, rank) and ``right:NAME`` (rank,
            columns), of other changed weights the change ``whole:NAME``, and ``head:NAME``.
        labels: Class names in the order of the logits.
    """
    logging.disable_progress_bar()
    network = ClaimNetwork(AutoModel.from_pretrained(str(folder), local_files_only=True, dtype=torch.float32), labels)
    learned = {name: tensor.float() for name, tensor in load_file(weights).items()}
    state = network.encoder.state_dict()
    with torch.no_grad():
        for name, tensor in learned.items():
            kind, _, parameter = name.partition(":")
            if f"{kind}:" == LEFT:
                state[parameter] += tensor @ learned[RIGHT + parameter]
            elif f"{kind}:" == WHOLE:
                state[parameter] += tensor
    head = {name.removeprefix(HEAD): tensor for name, tensor in learned.items() if name.startswith(HEAD)}
    network.head.load_state_dict(head)
    network.eval()
    return network
