"""Inspect (UK AI Security Institute): a log of an evaluation as JSON (``inspect log dump``, or ``log_format=json``).

Shapes as its documentation gives them (EvalLog): ``samples`` with ``input``, ``target``, ``output``, and ``scores`` by
scorer. The zip of the usual ``.eval`` file is not read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from core.domain.errors import InvalidInput
from core.io.exchange.format import REASON, Format, FormatSpec, Sign, Unpacked, exchange_format
from core.io.replies.layers import text_of
from core.io.tables.columns import Field, arrange
from core.io.tables.rows import Row, read_document

LETTERS: Final = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partial, incorrect and no answer, as Inspect's own mean counts them."""

SPEC: Final = FormatSpec(
    name="inspect",
    title="Inspect",
    about="The log of an evaluation as JSON, with the input, the output and the scores of each sample.",
    reads=(".json",),
    writes=(),
    columns={"epoch": Field.ATTRIBUTE},
    signs=(
        Sign(
            columns=("epoch", "question"),
            confidence=0.99,
            says="Samples with an epoch, an input and an output are those of a log of Inspect.",
        ),
    ),
    notes=(
        "Scores of letters count as Inspect counts them: C is 1, P is 0.5, I and N are 0.",
        "Of several epochs the first is read: a case has one answer.",
    ),
    tells_scores=True,
)


def unpack(path: Path, model: str = "") -> Unpacked:
    """The samples of a log, the first epoch of each.

    Raises:
        UnreadableFile: It is no JSON.
        InvalidInput: It is no log of Inspect.
    """
    del model
    document = read_document(path)
    content = document if isinstance(document, dict) else {}
    samples = content.get("samples") if isinstance(content.get("eval"), dict) else None
    if not isinstance(samples, list) or not samples or not all(map(_is_sample, samples)):
        raise InvalidInput(f"{path} is no log of Inspect with samples.", "Write one with: inspect log dump LOG.")
    first = min(int(sample.get("epoch") or 1) for sample in samples)
    own = [sample for sample in samples if int(sample.get("epoch") or 1) == first]
    left_out = {
        name: "It is about the whole file and no row." for name in content if name != "samples" and content[name]
    }
    if len(own) < len(samples):
        left_out["further epochs"] = f"{len(samples) - len(own):,} samples repeat a case; a case has one answer."
    scores: set[str] = set()
    rows = [(number, _row(sample, scores)) for number, sample in enumerate(own, start=1)]
    return Unpacked(rows=rows, left_out=left_out, scores=frozenset(scores))


def _is_sample(sample: object) -> bool:
    return isinstance(sample, Mapping) and "input" in sample and "output" in sample


def _row(sample: Mapping[str, Any], scores: set[str]) -> Row:
    output = sample["output"] if isinstance(sample["output"], Mapping) else {}
    usage, error = output.get("usage"), sample.get("error")
    cells: dict[str, object] = {
        "case_id": sample.get("id"),
        "epoch": sample.get("epoch") or 1,
        "question": _asked(sample["input"]),
        "answer": _said(output),
        "reference_answers": [text for text in _listed(sample.get("target")) if text.strip()] or None,
        "error": error.get("message") if isinstance(error, Mapping) else None,
        "latency_s": sample.get("total_time"),
        "tokens": usage.get("total_tokens") if isinstance(usage, Mapping) else None,
    }
    metadata = sample.get("metadata")
    if isinstance(metadata, Mapping):
        passages = next(iter(arrange(metadata).get(Field.CONTEXTS, ())), "")
        cells["contexts"] = metadata.get(passages)
        cells |= {f"metadata.{name}": value for name, value in metadata.items() if name != passages}
    scored = sample.get("scores")
    for name, score in scored.items() if isinstance(scored, Mapping) else ():
        values = _values(str(name), score)
        scores.update(values)
        cells |= values
        if isinstance(score, Mapping):
            cells |= {f"{column}{REASON}": score.get("explanation") for column in values}
    return {name: value for name, value in cells.items() if value is not None}


def _asked(given: object) -> object:
    """The question: a text, or the conversation with each turn as text."""
    if not isinstance(given, list):
        return given
    return [
        {"role": str(turn.get("role", "")), "content": text_of(turn.get("content"))}
        for turn in given
        if isinstance(turn, Mapping)
    ]


def _said(output: Mapping[str, Any]) -> str | None:
    if isinstance(output.get("completion"), str) and output["completion"]:
        return str(output["completion"])
    choices = output.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, Mapping) else None
    return text_of(message.get("content")) if isinstance(message, Mapping) else None


def _listed(target: object) -> list[str]:
    values = target if isinstance(target, list) else [target]
    return [str(value) for value in values if value is not None]


def _values(name: str, score: object) -> dict[str, object]:
    """The values of one scorer: one, or one for each of its parts."""
    value = score.get("value") if isinstance(score, Mapping) else score
    if isinstance(value, Mapping):
        return {f"{name}.{part}": _number(inner) for part, inner in value.items()}
    return {name: _number(value)}


def _number(value: object) -> object:
    return LETTERS.get(value, value) if isinstance(value, str) else value


exchange_format(Format(spec=SPEC, unpack=unpack))
