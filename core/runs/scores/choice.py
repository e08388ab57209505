"""What a run is scored with: the metrics by name, and the models they need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from core.domain.errors import InvalidInput
from core.domain.results.runs import VERDICT_METRIC, Run
from core.domain.sources.document_mappings import DocumentMapping
from core.encoders.cache import StoreCache
from core.encoders.classifiers.nli import open_nli
from core.encoders.embedding import missing_encoder, open_encoder
from core.encoders.protocols import SentenceEncoder, VectorCache
from core.judging.match.abstention import without_model
from core.judging.registry import split_judges
from core.llm import ChatModel, Prompts, load_prompt
from core.metrics import Metric, Models, Need, find_metrics
from core.metrics.judges import Ensemble, Panel
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
        metric_judges: The models that judge, as specs with commas between; none where it is empty.
        ensemble: How several judgements become one: mean or majority.
    """

    encoder: str = ""
    nli: str = ""
    precision: str = ""
    language: str = ""
    metric_judges: str = ""
    ensemble: str = ""

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


MODEL_JUDGES = ("llm", "grouse")
"""Kinds of judges whose model can score metrics."""


def judging_models(judges: str) -> tuple[str, ...]:
    """The models among judges, as ``MODEL@BASE_URL``, each once.

    >>> judging_models("match,llm:a@http://x/v1,grouse:b@http://x/v1")
    ('a@http://x/v1', 'b@http://x/v1')
    """
    parted = (spec.partition(":") for spec in split_judges(judges))
    return tuple(dict.fromkeys(argument for kind, _, argument in parted if kind in MODEL_JUDGES and argument))


def open_panel(
    options: ScoringOptions, chat: Callable[[str], ChatModel] | None, prompts: Prompts = load_prompt
) -> Panel | None:
    """The judges of a scoring; None where none is named, or none may be asked.

    Raises:
        InvalidInput: A model cannot be opened, or there is no such ensemble.
    """
    models = judging_models(options.metric_judges)
    if not models or chat is None:
        return None
    ensembles = [ensemble.value for ensemble in Ensemble]
    if (options.ensemble or Ensemble.MEAN) not in ensembles:
        raise InvalidInput(f"There is no ensemble {options.ensemble!r}.", f"Use one of: {', '.join(ensembles)}.")
    return Panel(
        judges=tuple(chat(model) for model in models),
        prompts=prompts,
        ensemble=Ensemble(options.ensemble or Ensemble.MEAN),
    )


def open_models(
    metrics: Sequence[Metric],
    options: ScoringOptions,
    cache: VectorCache,
    *,
    chat: Callable[[str], ChatModel] | None = None,
    prompts: Prompts = load_prompt,
) -> Models:
    """Opens the models that the metrics need or look at where they are there, and no other.

    Args:
        metrics: What will be measured.
        options: Which models.
        cache: Where vectors and logits are kept.
        chat: Opens the model of a ``MODEL@BASE_URL``; None where no judge may be asked.
        prompts: Finds the prompts of the judges.

    Raises:
        InvalidInput: A model cannot be opened as asked. Where the packaged encoder is not installed and no other is
            asked for there is none, and what needs one says so.
    """
    inputs = set(chain.from_iterable((*metric.spec.needs, *metric.spec.uses) for metric in metrics))
    present = settings()
    encoder = nli = None
    if Need.ENCODER in inputs:
        encoder = _encoder(options, cache)
    if Need.NLI in inputs and (spec := options.nli.strip() or present.nli):
        nli = open_nli(spec, cache=cache)
    panel = open_panel(options, chat, prompts) if Need.JUDGE in inputs else None
    return Models(encoder=encoder, nli=nli, language=options.language or present.language, panel=panel)


def _encoder(options: ScoringOptions, cache: VectorCache | None) -> SentenceEncoder | None:
    """The encoder; None where nobody named one and the packaged one is not installed, so that the rest is scored."""
    if not options.encoder.strip() and missing_encoder():
        return None
    return open_encoder(options.encoder, precision=options.precision, cache=cache)


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
    if Need.JUDGE in inputs:
        return _judged_with(metric, models.panel)
    if Need.ANSWER in inputs and without_model():
        settings_used["refusals"] = "rules alone"
    if inputs & TEXTS:
        settings_used["language"] = models.language
    if Need.GOLD_DOCUMENTS in inputs and mapping and mapping.matches:
        settings_used["documents"] = mapping.id
    return settings_used


def _judged_with(metric: Metric, panel: Panel | None) -> dict[str, object]:
    """What a judged value depends on: the models, and the prompts each is asked with."""
    if panel is None:
        return {"judge": ""}
    asked = dict.fromkeys(
        f"{prompt.id} {prompt.version} ({prompt.ref.hash[:8]})"
        for judge in panel.judges
        for prompt in (panel.prompts(name, variant=judge.prompts) for name in metric.spec.prompts)
    )
    several = {"ensemble": panel.ensemble.value} if len(panel.judges) > 1 else {}
    return {"judge": ", ".join(panel.names), "prompts": ", ".join(asked), **several}


def scoring_options(run: Run, options: ScoringOptions | None = None) -> ScoringOptions:
    """The options of a scoring of a run; where none names a judging model, it is that of the run's judge."""
    options = options or ScoringOptions.of(run.options)
    return options if options.metric_judges else replace(options, metric_judges=run.judge)


def models_of_run(
    store: Store, run: Run, *, chat: Callable[[str], ChatModel] | None = None, prompts: Prompts = load_prompt
) -> tuple[tuple[Metric, ...], Models]:
    """The metrics that a run is scored with when its answers are judged, and their models; none where it names none.

    Args:
        store: Where the run is.
        run: The run.
        chat: Opens the models of its judges.
        prompts: Finds their prompts.

    Raises:
        InvalidInput: A metric is unknown, or a model cannot be opened.
    """
    names = metric_names(run.options)
    if not names:
        return (), Models()
    metrics = named_metrics(names)
    cache = StoreCache(store, run.project_id)
    return metrics, open_models(metrics, scoring_options(run), cache, chat=chat, prompts=prompts)
