"""The input of the command weakness: the cases of a run or the rows of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.output import tell
from core.domain.errors import InvalidInput

if TYPE_CHECKING:
    from core.domain.results.runs import Run
    from core.store.database import Store
    from core.weakness import CaseTable, WeaknessOptions
    from core.weakness.binning import Binning
    from core.weakness.findings.drafts.facts import ScoreWords
    from core.weakness.table import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaknessRequest:
    """What somebody wants to see."""

    names: tuple[str, ...]
    slices: bool
    findings: bool
    record: bool
    threshold: float | None
    options: WeaknessOptions
    bins: Mapping[str, Binning]
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cases:
    """What it is looked for in.

    Attributes:
        source: What was named: run and score, or file and column.
        table: The cases with all attributes, the threshold applied.
        unchanged: The same with the score as it is.
        words: How the score is spoken of.
        labels: What attributes are called.
        offered: Attributes that can show a weakness.
        searched: Those of them that slices and findings are made of.
        store: Where the run is, None for a file.
        verdict: Whether each case is right, for a score that is no verdict; None where nobody says so.
        ignored: Columns of a file that are not looked at, with the reason.
    """

    source: dict[str, str]
    table: CaseTable
    unchanged: CaseTable
    words: ScoreWords
    labels: Mapping[str, str]
    offered: tuple[str, ...]
    searched: tuple[str, ...]
    store: Store | None = None
    verdict: Floats | None = None
    ignored: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileColumns:
    """What the columns of a file are, beside the score.

    Attributes:
        cluster: The column of the source that rows share.
        lower: Whether less is better.
        verdict: The column that says whether an answer is right.
        accept_from: The lowest value in it that counts as right.
    """

    cluster: str = ""
    lower: bool = False
    verdict: str = ""
    accept_from: float | None = None


def of_run(store: Store, run: Run, score: str, request: WeaknessRequest) -> Cases:
    """The cases of a run with one score; the first of its scores where none is named."""
    from core.domain.results.runs import VERDICT_METRIC, RunState
    from core.weakness.findings.search import at_threshold, telling, words_of
    from core.weakness.service.data import described, run_attributes, score_choices, table_of

    if run.state is not RunState.FINISHED:
        tell("The run is not finished; cases without a score are left out.")
    attributes = run_attributes(store, run.id)
    key = score or next((choice.key for choice in score_choices(store, run.id)), "verdict")
    infos = described(attributes)
    offered = tuple(info.name for info in infos if info.useful and not info.same_as)
    names = [*dict.fromkeys([*offered, *telling(infos), *request.names, *request.bins])]
    table = table_of(store, attributes, key, attributes=names, bins=request.bins)
    return Cases(
        source={"run": run.id, "score": key},
        table=at_threshold(table, request.threshold),
        unchanged=table,
        words=words_of(store, run.id, key, table, request.threshold),
        labels={attribute.name: attribute.label for attribute in attributes.attributes},
        offered=offered,
        searched=telling(infos),
        store=store,
        verdict=None
        if key == VERDICT_METRIC
        else table_of(store, attributes, VERDICT_METRIC, attributes=()).score.values,
    )


def of_file(path: Path, metric: str, request: WeaknessRequest, columns: FileColumns) -> Cases:
    """The rows of a file with one score."""
    from core.io.tables.layout import tell_ignored
    from core.weakness.findings.drafts.facts import score_words
    from core.weakness.findings.search import at_threshold
    from core.weakness.service.files import read_weakness_file

    if not metric:
        raise InvalidInput("No column of scores is given.", "Add --metric COL.")
    file = read_weakness_file(
        path,
        metric,
        attributes=request.names,
        bins=request.bins,
        cluster=columns.cluster,
        lower_is_better=columns.lower,
        verdict=columns.verdict,
        accept_from=columns.accept_from,
    )
    tell_ignored(path, file.ignored)
    table = file.table
    names = tuple(attribute.name for attribute in table.attributes)
    return Cases(
        source={"data": str(path), "metric": metric},
        table=at_threshold(table, request.threshold),
        unchanged=table,
        words=score_words(metric, "verdict" if metric == "verdict" else "metric", table.score, request.threshold),
        labels={},
        offered=names,
        searched=names,
        verdict=file.verdict,
        ignored=file.ignored,
    )
