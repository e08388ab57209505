"""The reading check of a test set's data quality (GRAMMAR, appendix I).

Given the gold document, a case can be answered correctly only if the document states the fact and the question asks for
it, or the model knows the fact by itself. Where it does not, the accuracy of an oracle-context run is a lower bound for
the quality of the data. The paper also claims that the facts that fail here are the gaps of the live run; the
cross-table shows whether that holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.diagnosis.attribution import states_another
from core.domain.estimates import Estimate, Proportion
from core.domain.results.diagnosis import DiagnosisRow
from core.domain.results.responses import Verdict
from core.domain.sources.evidence import FactEvidence
from core.stats.comparisons.two_by_two import fisher_exact, odds_ratio
from core.stats.intervals import clustered_proportion


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingFailure:
    """A case that is answered incorrectly with the gold document.

    Attributes:
        evidence: The evidence of the documents on its fact; None where it was not searched, because another wording
            was answered correctly.
        live_gap: Whether no wording of the fact is correct live; None without a live run, or without a verdict there.
        reason: What to check first, one sentence.
    """

    case_id: str
    group_id: str
    form: str
    evidence: FactEvidence | None
    live_gap: bool | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossTable:
    """Facts by whether they fail in reading and whether they are gaps live; a fact is a filled SQL query, all forms.

    Two forms of one query share their document, so that only whole queries are independent.

    Attributes:
        both: Fails in reading and is a gap live.
        reading_only: Fails in reading and is answered live at least once.
        gap_only: Is read without a failure and is a gap live.
        neither: Neither.
        left_out: Facts without a verdict in one of the runs.
        odds: Odds ratio of a gap where reading fails against where it does not.
        p_value: Fisher's exact test, two-sided.
        failing_in_gaps: Wrong cases of the oracle run whose fact is a gap live, of those with a live verdict; the paper
            claims that all of them are.
        conclusion: Whether they coincide as the paper claims, in words.
    """

    both: int
    reading_only: int
    gap_only: int
    neither: int
    left_out: int
    odds: Estimate
    p_value: float
    failing_in_gaps: Proportion
    conclusion: str

    @property
    def n(self) -> int:
        """Facts in the table."""
        return self.both + self.reading_only + self.gap_only + self.neither


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingCheck:
    """The quality of the data by an oracle-context run.

    Attributes:
        n: All cases.
        accuracy: Correct with the gold document, of judged cases; clustered on the filled SQL query.
        by_form: The same for each form.
        not_judged: Cases without a verdict; a case without a gold document in the corpus is among them.
        failures: The cases that fail, in order.
        cross: None without a live run.
    """

    n: int
    accuracy: Proportion
    by_form: Mapping[str, Proportion]
    not_judged: int
    failures: tuple[ReadingFailure, ...]
    cross: CrossTable | None

    def as_json(self) -> dict[str, object]:
        """The command line's form."""
        document: dict[str, object] = {
            "n": self.n,
            "accuracy": self.accuracy.as_json(),
            "by_form": {form: share.as_json() for form, share in self.by_form.items()},
            "not_judged": self.not_judged,
            "failures": [failure.case_id for failure in self.failures],
        }
        if self.cross is not None:
            document["cross_table"] = {
                "both": self.cross.both,
                "reading_only": self.cross.reading_only,
                "gap_only": self.cross.gap_only,
                "neither": self.cross.neither,
                "left_out": self.cross.left_out,
                "odds_ratio": self.cross.odds.as_json(),
                "p_value": self.cross.p_value,
                "failing_in_gaps": self.cross.failing_in_gaps.as_json(),
                "conclusion": self.cross.conclusion,
            }
        return document


@dataclass(slots=True)
class _Tally:
    judged: int = 0
    correct: int = 0

    @property
    def fails(self) -> bool:
        return self.correct < self.judged

    @property
    def gap(self) -> bool:
        return self.judged > 0 and self.correct == 0


def reading_check(oracle: Sequence[DiagnosisRow], live: Sequence[DiagnosisRow] | None = None) -> ReadingCheck:
    """Checks the data with an oracle-context run, beside a live run of the same test set where there is one.

    Args:
        oracle: Rows of the run whose context is the gold documents.
        live: Rows of the run as the system works.
    """
    facts = _tallies(oracle)
    live_facts = _tallies(live) if live is not None else {}
    judged = [row for row in oracle if row.verdict is not Verdict.NOT_JUDGED]
    failures = tuple(
        _failure(row, facts[row.group_id], live_facts.get(row.group_id))
        for row in judged
        if row.verdict is Verdict.INCORRECT
    )
    forms = dict.fromkeys(row.form for row in oracle)
    return ReadingCheck(
        n=len(oracle),
        accuracy=_accuracy(judged),
        by_form={form: _accuracy([row for row in judged if row.form == form]) for form in forms},
        not_judged=len(oracle) - len(judged),
        failures=failures,
        cross=None if live is None else _cross(facts, live_facts, failures),
    )


def _tallies(rows: Sequence[DiagnosisRow]) -> dict[str, _Tally]:
    tallies: dict[str, _Tally] = {}
    for row in rows:
        tally = tallies.setdefault(row.group_id, _Tally())
        tally.judged += row.verdict is not Verdict.NOT_JUDGED
        tally.correct += row.verdict is Verdict.CORRECT
    return tallies


def _accuracy(rows: Sequence[DiagnosisRow]) -> Proportion:
    codes: dict[str, int] = {}
    return clustered_proportion(
        [row.verdict is Verdict.CORRECT for row in rows], [codes.setdefault(row.group_id, len(codes)) for row in rows]
    )


def _failure(row: DiagnosisRow, fact: _Tally, live_fact: _Tally | None) -> ReadingFailure:
    return ReadingFailure(
        case_id=row.case_id,
        group_id=row.group_id,
        form=row.form,
        evidence=row.evidence,
        live_gap=live_fact.gap if live_fact is not None and live_fact.judged else None,
        reason=_reason(row, fact),
    )


def _reason(row: DiagnosisRow, fact: _Tally) -> str:
    if row.evidence is FactEvidence.ABSENT:
        return "No document states the fact: complete the document, or exclude the case."
    if row.evidence is FactEvidence.CONTRADICTED:
        return f"{states_another(row)}. One of the two is wrong."
    if fact.correct:
        return "Another wording of the fact was answered correctly: check this wording first."
    if row.pending:
        return "The documents have not been searched for the fact yet: open this run on the Diagnose page."
    if row.evidence is FactEvidence.PRESENT:
        return "A document states the fact: check how the answer uses it, and the verdict."
    return "Check whether the gold document states the fact and the question asks for it."


def _cross(
    facts: Mapping[str, _Tally], live_facts: Mapping[str, _Tally], failures: Sequence[ReadingFailure]
) -> CrossTable:
    none = _Tally()
    pairs = [(fact, live_facts.get(group_id, none)) for group_id, fact in facts.items()]
    usable = [(fact.fails, live.gap) for fact, live in pairs if fact.judged and live.judged]
    both = sum(fails and gap for fails, gap in usable)
    reading_only = sum(fails and not gap for fails, gap in usable)
    gap_only = sum(gap and not fails for fails, gap in usable)
    neither = len(usable) - both - reading_only - gap_only
    with_live_verdict = [failure for failure in failures if failure.live_gap is not None]
    codes: dict[str, int] = {}
    among = clustered_proportion(
        [bool(failure.live_gap) for failure in with_live_verdict],
        [codes.setdefault(failure.group_id, len(codes)) for failure in with_live_verdict],
    )
    p_value = fisher_exact(both, reading_only, gap_only, neither)
    return CrossTable(
        both=both,
        reading_only=reading_only,
        gap_only=gap_only,
        neither=neither,
        left_out=len(pairs) - len(usable),
        odds=odds_ratio(both, reading_only, gap_only, neither),
        p_value=p_value,
        failing_in_gaps=among,
        conclusion=_conclusion(both, reading_only, gap_only, neither, p_value),
    )


def _conclusion(both: int, reading_only: int, gap_only: int, neither: int, p_value: float) -> str:
    """Whether reading failures and gaps coincide, as the paper claims of its own data."""
    failing, reading = both + reading_only, gap_only + neither
    if not failing + reading:
        return "No fact has a verdict in both runs, so the two cannot be compared."
    if not failing:
        gaps = f"{gap_only:,} of {_fact_count(reading)} {'is a gap' if gap_only == 1 else 'are gaps'} live nevertheless"
        return f"Every fact was read correctly in every wording, so no reading failure can be a gap; {gaps}."
    failing_part = (
        f"Of {_fact_count(failing)} with a reading failure {both:,} {'is a gap' if both == 1 else 'are gaps'} live"
    )
    reading_part = f"of {_fact_count(reading)} without one {gap_only:,}" if reading else "no fact is without one"
    lead = f"{failing_part}, {reading_part}."
    chance = "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"
    if not reading or not (reading_only + neither):
        return f"{lead} One of the two is the same for every fact, so their association cannot be tested."
    if both == failing:
        link = "The association is significant" if p_value <= 0.05 else "Chance may explain this"
        return f"{lead} All reading failures are gaps, as the paper claims of its data. {link} ({chance})."
    if p_value <= 0.05 and both * reading > gap_only * failing:
        return f"{lead} They are associated ({chance}) but do not coincide as the paper claims of its data."
    if p_value <= 0.05:
        return f"{lead} They exclude each other rather than coincide as the paper claims of its data ({chance})."
    return f"{lead} They do not coincide as the paper claims of its data, and no association is shown ({chance})."


def _fact_count(facts: int) -> str:
    return f"{facts:,} fact{'' if facts == 1 else 's'}"
