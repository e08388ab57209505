"""Fitting the readers that come with Plumbline: all of MiniLM is fitted, and its changes are kept at a low rank."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import Tensor, nn
from transformers import AutoModel

from core.encoders.classifiers.changes import HEAD, LEFT, RIGHT, WHOLE
from core.encoders.classifiers.pair_network import PairNetwork, read_network
from core.encoders.loading import minilm_folder, native_bfloat16

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
    pairs: Sequence[Pair],
    labels: Sequence[int],
    names: Sequence[str],
    rounds: Sequence[int],
    seed: int,
    weights: Path | None = None,
) -> PairNetwork:
    """A reader of pairs, fitted: all of MiniLM but `FIXED`, and the head. Each batch of a step has its process.

    Args:
        pairs: What is read.
        labels: Of each pair the place of its name.
        names: Of the classes.
        rounds: How many of the pairs, from the first on, are shown in each round.
        seed: Of the head's first weights and of the order.
        weights: Of a reader from which the fit goes on; without it begins at MiniLM as it is.
    """
    with TemporaryDirectory() as folder:
        work = _Work(pairs, labels, names, rounds, seed, weights, Path(folder))
        mp.spawn(_fit_part, (work,), nprocs=TOGETHER)
        network = _network(names, weights)
        network.load_state_dict(torch.load(work.fitted, weights_only=True))
    network.eval()
    return network


@dataclass(frozen=True, slots=True)
class _Work:
    """What `fit` was given, and a folder in which its processes meet."""

    pairs: Sequence[Pair]
    labels: Sequence[int]
    names: Sequence[str]
    rounds: Sequence[int]
    seed: int
    weights: Path | None
    folder: Path

    @property
    def fitted(self) -> Path:
        return self.folder / "fitted.pt"


def _fit_part(process: int, work: _Work) -> None:
    """Fits with the batches of one process; the gradients of a step are summed over all."""
    torch.set_num_threads(1)  # small matrices: threads would wait for each other longer than they work
    dist.init_process_group("gloo", f"file://{work.folder}/meeting", rank=process, world_size=TOGETHER)
    torch.manual_seed(work.seed)
    generator = np.random.default_rng(work.seed)
    network = _network(work.names, work.weights)
    for name, parameter in network.named_parameters():
        parameter.requires_grad_(not any(part in name for part in FIXED))
    learned = [parameter for parameter in network.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=RATE, weight_decay=DECAY)
    loss_of = nn.CrossEntropyLoss(label_smoothing=SMOOTHING)
    lengths = np.array([len(ids) for ids, _ in work.pairs])
    targets = torch.tensor(list(work.labels))
    plans = [_plan(lengths[:shown], generator) for shown in work.rounds]
    steps = [plan[at : at + TOGETHER] for plan in plans for at in range(0, len(plan), TOGETHER)]
    began = time.monotonic()
    for step, parts in enumerate(steps, start=1):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, step / (WARM * len(steps))) * (1.0 - step / (len(steps) + 1))
        optimizer.zero_grad(set_to_none=False)
        for part in parts[process : process + 1]:
            # Products of matrices in half precision, where the processor has that: it takes less than half the time.
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=native_bfloat16()):
                logits = network(**batch([work.pairs[place] for place in part])).logits
            loss = loss_of(logits.float(), targets[part]) / len(parts)
            loss.backward()
        _sum_over_processes(learned)
        nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        if step % 50 == 0 and not process:
            print(f"step {step} of {len(steps)}: {time.monotonic() - began:.0f} s", flush=True)
    if not process:
        torch.save(network.state_dict(), work.fitted)
    dist.destroy_process_group()


def _network(names: Sequence[str], weights: Path | None) -> PairNetwork:
    # the fused attention is slow backwards on processors
    encoder = AutoModel.from_pretrained(str(minilm_folder()), attn_implementation="eager", dtype=torch.float32)
    network = PairNetwork(encoder, names)
    if weights is not None:
        network.load_state_dict(read_network(minilm_folder(), weights, names).state_dict())
    network.eval()  # no dropout: the fit is short
    return network


def _sum_over_processes(learned: Sequence[nn.Parameter]) -> None:
    gradients = [torch.zeros_like(one) if one.grad is None else one.grad for one in learned]
    flat = torch.cat([gradient.flatten() for gradient in gradients])
    dist.all_reduce(flat)
    for parameter, part in zip(learned, flat.split([one.numel() for one in learned]), strict=True):
        parameter.grad = part.view_as(parameter)


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
