"""One question put to a target before it is run: what came back, what was read, and what looks misread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.domain.errors import InvalidInput, PlumblineError, TargetFailed
from core.domain.results.responses import Response
from core.domain.sources.document_ids import KnownDocuments
from core.domain.sources.documents import Corpus
from core.llm import ChatModel
from core.targets.http import HttpTrial, try_http
from core.targets.over_http.config import HttpConfig
from core.targets.over_http.file import read_config
from core.targets.python_callable import PythonTarget
from core.targets.registry import open_target
from core.targets.trial.doubts import doubts_of

CASE = "test"
HTTP = "http:"


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetTrial:
    """One question put to a target.

    Attributes:
        response: What it said, None where nothing can be used; `error` says why, `hint` what to do.
        warnings: What looks misread, one sentence each.
        places: Where the answer, the passages and their ids were read, for what was read as it is.
        http: What went over the wire, for a system over HTTP.
    """

    question: str
    response: Response | None = None
    warnings: tuple[str, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    http: HttpTrial | None = None
    error: str = ""
    hint: str = ""


def try_target(
    target: str | HttpConfig,
    question: str,
    *,
    corpus: Corpus | None = None,
    documents: KnownDocuments | None = None,
    chat: Callable[[str], ChatModel] | None = None,
) -> TargetTrial:
    """Puts one question to a target, once and without patience.

    Args:
        target: Its spec, or the settings of a system over HTTP that are not saved yet.
        question: Any.
        corpus: What it searches, where it needs documents.
        documents: Those the ids of passages should name; by default those of the corpus.
        chat: Opens a model, for a target that calls one.

    Returns:
        The trial; what goes wrong with the question is told in it.

    Raises:
        InvalidInput: The target cannot be opened at all.
    """
    if documents is None and corpus is not None and corpus.documents:
        documents = KnownDocuments(document.id for document in corpus.documents)
    if isinstance(target, HttpConfig) or target.startswith(HTTP):
        config = target if isinstance(target, HttpConfig) else read_config(Path(target[len(HTTP) :]).expanduser())
        return _over_http(config, question, documents)
    opened = open_target(target, corpus, chat=chat)
    trial = TargetTrial(question=question)
    try:
        if isinstance(opened, PythonTarget):
            response, reading = opened.read(CASE, question)
            places, ids = (reading.places, reading.ids) if reading else ({}, {})
        else:
            response, places, ids = opened.answer(CASE, question), {}, {}
    except TargetFailed as error:
        return replace(trial, error=error.message, hint=error.hint)
    except InvalidInput:
        raise
    except PlumblineError as error:
        return replace(trial, error=error.message, hint=error.hint)
    return replace(
        trial, response=response, places=places, warnings=tuple(doubts_of([response], documents, ids)) + _odd(response)
    )


def _over_http(config: HttpConfig, question: str, documents: KnownDocuments | None) -> TargetTrial:
    http = try_http(config, question, case_id=CASE)
    trial = TargetTrial(question=question, http=http, error=http.error, hint=http.hint)
    found = http.extracted
    if found is None:
        return trial
    response = Response(
        case_id=CASE,
        answer=found.answer,
        contexts=found.contexts,
        abstained=found.abstained,
        latency_s=http.seconds if found.latency_s is None else found.latency_s,
        tokens=found.tokens,
    )
    warnings = [*doubts_of([response], documents, found.ids), *_odd(response)]
    if found.missing:
        warnings.append(f"The reply has nothing at the path of {', '.join(found.missing)}.")
    return replace(trial, response=response, places=found.places, warnings=tuple(warnings))


def _odd(response: Response) -> tuple[str, ...]:
    """What an answer looks like that is none."""
    answer = (response.answer or "").strip()
    if response.error:
        return (response.error,)
    if not answer and not response.abstained:
        return ("The answer is empty, and nothing says that the system declined.",)
    if answer.startswith(("{", "[{", "<!DOCTYPE", "<html")):
        return ("The answer looks like data or a page and not like a text: check where it is read.",)
    return ()
