"""Fitting the readers that come with Plumbline: all of MiniLM is fitted, and its changes are kept at a low rank."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from transformers import AutoModel

from core.encoders.classifiers.changes import HEAD, LEFT, RIGHT, WHOLE
from core.encoders.classifiers.pair_network import PairNetwork
from core.encoders.loading import minilm_folder

RATE, WARM, DECAY, SMOOTHING = 2e-4, 0.06, 0.01, 0.03
TOKENS, TOGETHER = 2_600, 2
"""Tokens of a batch, and batches of a step."""
RANK = 48
"""Of the change of each matrix."""
FIXED = ("word_embeddings", "position_embeddings", "pooler")
"""Weights that stay as they are."""
Pair = tuple[Sequence[int], Sequence[int]]
"""The tokens of two texts, and 1 for each of the second, else 0."""


def fit(
    pairs: Sequence[Pair], labels: Sequence[int], names: Sequence[str], rounds: Sequence[int], seed: int
) -> PairNetwork:
    """A reader of pairs, fitted: all of MiniLM but `FIXED`, and the head.

    Args:
        pairs: What is read.
        labels: Of each pair the place of its name.
        names: Of the classes.
        rounds: How many of the pairs, from the first on, are shown in each round.
        seed: Of the head's first weights and of the order.
    """
    torch.set_num_threads(1)  # small matrices: threads would wait for each other longer than they work
    torch.manual_seed(seed)
    generator = np.random.default_rng(seed)
    # the fused attention is slow backwards on processors
    encoder = AutoModel.from_pretrained(str(minilm_folder()), attn_implementation="eager", dtype=torch.float32)
    for module in encoder.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    network = PairNetwork(encoder, names)
    for name, parameter in network.named_parameters():
        parameter.requires_grad_(not any(part in name for part in FIXED))
    learned = [parameter for parameter in network.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=RATE, weight_decay=DECAY)
    loss_of = nn.CrossEntropyLoss(label_smoothing=SMOOTHING)
    lengths = np.array([len(ids) for ids, _ in pairs])
    targets = torch.tensor(list(labels))
    plans = [_plan(lengths[:shown], generator) for shown in rounds]
    steps = [plan[at : at + TOGETHER] for plan in plans for at in range(0, len(plan), TOGETHER)]
    began = time.monotonic()
    for step, parts in enumerate(steps, start=1):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, step / (WARM * len(steps))) * (1.0 - step / (len(steps) + 1))
        losses = []
        for part in parts:
            logits = network(**batch([pairs[place] for place in part])).logits
            loss = loss_of(logits, targets[part]) / len(parts)
            loss.backward()
            losses.append(loss.item())
        nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if step % 50 == 0:
            print(f"step {step} of {len(steps)}: loss {sum(losses):.3f}, {time.monotonic() - began:.0f} s", flush=True)
    network.eval()
    return network


def batch(pairs: Sequence[Pair]) -> dict[str, Tensor]:
    """Pairs as one batch, filled up to the longest."""
    longest = max(len(ids) for ids, _ in pairs)
    table = np.zeros((3, len(pairs), longest), dtype=np.int64)
    for row, (ids, kinds) in enumerate(pairs):
        table[:, row, : len(ids)] = ids, kinds, [1] * len(ids)
    return dict(zip(("input_ids", "token_type_ids", "attention_mask"), torch.from_numpy(table), strict=True))


def _plan(lengths: np.ndarray[Any, np.dtype[np.int64]], generator: np.random.Generator) -> list[list[int]]:
    """Batches of pairs of about the same length, in any order."""
    order = np.argsort(lengths + 20 * generator.random(len(lengths)))
    plan: list[list[int]] = [[]]
    for place in order.tolist():
        if plan[-1] and lengths[[*plan[-1], place]].max() * (len(plan[-1]) + 1) > TOKENS:
            plan.append([])
        plan[-1].append(place)
    generator.shuffle(plan)
    return plan


def changes(network: PairNetwork) -> dict[str, Tensor]:
    """What was learned, in half precision: each matrix's change as two factors of rank `RANK`, all else whole."""
    before = AutoModel.from_pretrained(str(minilm_folder()), dtype=torch.float32).state_dict()
    learned = {HEAD + name: tensor for name, tensor in network.head.state_dict().items()}
    for name, tensor in network.encoder.state_dict().items():
        change = tensor - before[name]
        if not change.any():
            continue
        if change.ndim == 2 and min(change.shape) > RANK:
            left, values, right = torch.linalg.svd(change, full_matrices=False)
            learned[LEFT + name] = left[:, :RANK] * values[:RANK]
            learned[RIGHT + name] = right[:RANK]
        else:
            learned[WHOLE + name] = change
    return {name: tensor.detach().to(torch.float16).contiguous() for name, tensor in learned.items()}
