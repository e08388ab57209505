"""What a run is scored with: the metrics by name, and the models they need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from core.domain.errors import InvalidInput
from core.domain.results.runs import VERDICT_METRIC, Run
from core.domain.sources.document_mappings import DocumentMapping
from core.encoders.cache import StoreCache
from core.encoders.embedding import open_encoder
from core.encoders.nli import open_nli
from core.encoders.protocols import VectorCache
from core.metrics import Metric, Models, Need, find_metrics
from core.settings import settings
from core.store.database import Store

TEXTS = frozenset({Need.QUESTION, Need.ANSWER, Need.CONTEXTS, Need.REFERENCE})
"""Inputs that are cut into sentences, by the rules of a language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringOptions:
    """The models of a scoring; an empty one is that of the settings.

    Attributes:
        encoder: Of sentences.
        nli: Natural language inference; where the settings name none either, there is none.
        precision: Of the encoder.
        language: Whose rules cut sentences.
    """

    encoder: str = ""
    nli: str = ""
    precision: str = ""
    language: str = ""

    @classmethod
    def of(cls, options: Mapping[str, object]) -> ScoringOptions:
        """The options among those of a run or a job."""
        return cls(**{name: str(options.get(name) or "") for name in cls.__dataclass_fields__})


def named_metrics(names: Sequence[str]) -> tuple[Metric, ...]:
    """The metrics to score by name.

    Raises:
        InvalidInput: A name is unknown, or that of the verdict, which the judge gives.
    """
    if VERDICT_METRIC in (name.strip() for name in names):
        raise InvalidInput("The verdict is given by the run's judge.", "Leave it out; every run has it.")
    return find_metrics(names)


def metric_names(options: Mapping[str, object]) -> list[str]:
    """The metrics named in the options of a run or the parameters of a job.

    Raises:
        InvalidInput: They are no list.
    """
    names = options.get("metrics") or []
    if not isinstance(names, list | tuple):
        raise InvalidInput(f"The metrics are {names!r}, and must be a list of names.", "Name each metric separately.")
    return [str(name) for name in names]


def open_models(metrics: Sequence[Metric], options: ScoringOptions, cache: VectorCache) -> Models:
    """Opens the models that the metrics need or look at where they are there, and no other.

    Args:
        metrics: What will be measured.
        options: Which models.
        cache: Where vectors and logits are kept.

    Raises:
        InvalidInput: A model cannot be opened as asked.
    """
    inputs = set(chain.from_iterable((*metric.spec.needs, *metric.spec.uses) for metric in metrics))
    present = settings()
    encoder = nli = None
    if Need.ENCODER in inputs:
        encoder = open_encoder(options.encoder, precision=options.precision, cache=cache)
    if Need.NLI in inputs and (spec := options.nli.strip() or present.nli):
        nli = open_nli(spec, cache=cache)
    return Models(encoder=encoder, nli=nli, language=options.language or present.language)


def made_with(metric: Metric, models: Models, mapping: DocumentMapping | None = None) -> dict[str, object]:
    """What the values of a metric depend on besides the texts and its version.

    Args:
        metric: The metric.
        models: What it is measured with.
        mapping: How gold ids name documents, where somebody decided.
    """
    inputs = {*metric.spec.needs, *metric.spec.uses}
    settings_used: dict[str, object] = {}
    if Need.ENCODER in inputs:
        settings_used["encoder"] = models.encoder.name if models.encoder else ""
    if Need.NLI in inputs:
        settings_used["nli"] = models.nli.name if models.nli else ""
    if inputs & TEXTS:
        settings_used["language"] = models.language
    if Need.GOLD_DOCUMENTS in inputs and mapping and mapping.matches:
        settings_used["documents"] = mapping.id
    return settings_used


def models_of_run(store: Store, run: Run) -> tuple[tuple[Metric, ...], Models]:
    """The metrics that a run is scored with when its answers are judged, and their models; none where it names none.

    Raises:
        InvalidInput: A metric is unknown, or a model cannot be opened.
    """
    names = metric_names(run.options)
    if not names:
        return (), Models()
    metrics = named_metrics(names)
    return metrics, open_models(metrics, ScoringOptions.of(run.options), StoreCache(store, run.project_id))
