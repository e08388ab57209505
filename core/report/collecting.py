"""One function that makes the report of a run from the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final

from core import __version__
from core.criteria.service import in_words
from core.domain.errors import InvalidInput
from core.domain.jobs import Report, silent
from core.domain.results.acceptance import CriterionResult
from core.report.collect.gather import Gathered, gather
from core.report.collect.sections.calibration import calibration
from core.report.collect.sections.change import change
from core.report.collect.sections.data import data
from core.report.collect.sections.diagnosis import diagnosis
from core.report.collect.sections.front import purpose, risks, system
from core.report.collect.sections.limitations import limitations
from core.report.collect.sections.monitoring import monitoring, sign_off
from core.report.collect.sections.reproduction import reproduction
from core.report.collect.sections.results import results
from core.report.collect.sections.robustness import robustness
from core.report.collect.sections.safety import safety
from core.report.collect.sections.soundness import soundness
from core.report.collect.sections.summary import is_open, open_of_earlier_runs, summary
from core.report.collect.sections.weaknesses import finding_json, weaknesses
from core.report.content import Block, ReportContent, Section, numbered
from core.report.outline import SECTIONS, SUMMARY, TITLES, check_sections
from core.store.database import Store

WRITERS: Final[Mapping[str, Callable[[Gathered], tuple[Block, ...]]]] = {
    SUMMARY: summary,
    "purpose": purpose,
    "risks": risks,
    "system": system,
    "data": data,
    "soundness": soundness,
    "results": results,
    "calibration": calibration,
    "diagnosis": diagnosis,
    "change": change,
    "robustness": robustness,
    "safety": safety,
    "weaknesses": weaknesses,
    "limitations": limitations,
    "monitoring": monitoring,
    "reproduction": reproduction,
    "sign_off": sign_off,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """What a report is of.

    Attributes:
        calibration_id: A calibration of the run; its newest where it is empty.
        against: The earlier run to compare with; the newest of the same questions and judge where it is empty.
        off: Keys of sections that are left out.
        date: ISO 8601; today where it is empty.
        seconds: The longest search of the documents; None for however long it takes.
    """

    calibration_id: str = ""
    against: str = ""
    off: frozenset[str] = frozenset()
    date: str = ""
    seconds: float | None = None


def collect(
    store: Store, run_id: str, options: ReportOptions | None = None, *, progress: Report = silent
) -> ReportContent:
    """The report of a run: everything the store has on it, in the outline of guidance on model risk.

    The same store gives the same record, but for its date.

    Args:
        store: Where the run is.
        run_id: The run.
        options: Which calibration, which sections, which date.
        progress: Told what is read.

    Raises:
        NotFound: There is no such run or calibration.
        InvalidInput: There is no such section, it cannot be left out, the date is none, or the calibration is of
            another run, or the runs cannot be compared.
    """
    options = options or ReportOptions()
    off = check_sections(options.off)
    stated = _date(options.date)
    gathered = gather(
        store,
        run_id,
        calibration_id=options.calibration_id,
        against=options.against,
        changes="change" not in off,
        seconds=options.seconds,
        progress=progress,
    )
    sections = numbered(
        [
            Section(
                key=outlined.key,
                title=outlined.title,
                number=0,
                blocks=WRITERS[outlined.key](gathered),
                commentary=gathered.commentary.get(outlined.key, ()),
            )
            for outlined in SECTIONS
            if outlined.key not in off
        ]
    )
    return ReportContent(
        project=gathered.masker.safe(gathered.project.name),
        project_id=gathered.project.id,
        run_id=run_id,
        calibration_id=gathered.calibration.stored.id if gathered.calibration else "",
        date=stated,
        version=__version__,
        summary=sections[0],
        sections=sections[1:],
        left_out=tuple(TITLES[outlined.key] for outlined in SECTIONS if outlined.key in off),
        figures=figures(gathered),
        findings=tuple(finding_json(gathered, finding) for finding in gathered.findings),
        made_from=_made_from(gathered),
    )


def figures(g: Gathered) -> dict[str, Any]:
    """The engine's figures as the commands give them."""
    evidence = g.calibration
    return {
        "cases": g.summary.cases,
        "facts": g.coverage.facts,
        "accuracy": g.summary.accuracy.as_json(),
        "metrics": {metric.name: {"mean": metric.mean.as_json(), "scored": metric.scored} for metric in g.metrics},
        "unscored": {name: dict(reasons) for name, reasons in g.summary.unscored.items()},
        "diagnosis": {
            name: value for name, value in g.diagnosis.as_json().items() if name not in ("by_form", "mutual", "notes")
        },
        "accepted": evidence.passing.found.estimate.as_json() if evidence and evidence.passing else None,
        "coverage": evidence.report.result.coverage.as_json() if evidence else None,
        "change": {"against": g.earlier.run.id, **g.earlier.comparison.as_json()} if g.earlier else None,
        "robustness": g.variants[0].result.as_json() if g.variants else None,
        "leaks": dict(g.safety.sections["privacy"]["leaks"]) if g.safety else None,
        "criteria": [criterion_json(g.masker.safe, item) for item in g.outcomes],
        "open_findings": sum(is_open(finding) for finding in g.findings),
        "open_findings_of_earlier_runs": open_of_earlier_runs(g),
    }


def criterion_json(safe: Callable[[str], str], item: CriterionResult) -> dict[str, Any]:
    """An acceptance criterion with how a run stands against it, plain JSON."""
    return {
        "text": in_words(item.criterion),
        "metric": item.criterion.metric,
        "bound": item.criterion.bound.value,
        "threshold": item.criterion.threshold,
        "note": safe(item.criterion.note),
        **item.estimate.as_json(),
        "verdict": item.verdict.value,
        "reason": safe(item.reason),
        "entered": item.standing,
    }


def _made_from(g: Gathered) -> dict[str, Any]:
    return {
        "run": g.run.id,
        "target": g.masker.spec(g.run.target),
        "judge": g.masker.spec(g.run.judge),
        "seed": g.run.seed,
        "options": {name: g.masker.option(name, value) for name, value in sorted(g.run.options.items())},
        "test_set": {"id": g.test_set.id, "version": g.test_set.version, "sha256": g.test_set.content_hash},
        "database": g.database.fingerprint if g.database else "",
        "documents": g.corpus.fingerprint if g.corpus else "",
        "versions": dict(g.records.versions),
        "audit": {"entry": g.records.head[0], "hash": g.records.head[2]},
    }


def _date(stated: str) -> str:
    if not stated:
        return datetime.now(UTC).date().isoformat()
    try:
        return date.fromisoformat(stated).isoformat()
    except ValueError as error:
        raise InvalidInput(f"{stated!r} is no date.", "Give it as 2026-11-30.") from error
