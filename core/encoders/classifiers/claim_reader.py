"""The reader of claims that comes with Plumbline: MiniLM, taught to tell whether a passage supports a claim.

The packaged MiniLM reads passage and claim together. What was learned lies beside this module: of each linear layer a
change of low rank, the changed biases and norms, and a head of two layers over the mean of the claim's states and the
first state. ``python -m bench.claim_model`` fits it and says on which claims, and how well it does on authors left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from core.encoders.classifiers.nli import CrossEncoderNli
from core.encoders.loading import minilm_folder
from core.encoders.opened import opened_once
from core.settings import forbid_telemetry

WEIGHTS: Final = Path(__file__).with_name("claim_reader.safetensors")
TITLE: Final = "minilm-claims"
LABELS: Final = ("entailment", "contradiction", "neutral")


@opened_once
def open_claim_reader() -> CrossEncoderNli:
    """The reader of claims, opened once in a process; threads may share it.

    Raises:
        InvalidInput: MiniLM is not installed, or its weights are not the official ones.
    """
    forbid_telemetry()
    from transformers import AutoTokenizer

    from core.encoders.classifiers.pair_network import read_network
    from core.encoders.classifiers.pairs import PairClassifier

    folder = minilm_folder()
    tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    return CrossEncoderNli(PairClassifier(TITLE, tokenizer, read_network(folder, WEIGHTS, LABELS)))
