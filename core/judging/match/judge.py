"""The match judge: one verdict for one answer, with the rule that decided."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.results.responses import Judgement, Verdict
from core.judging.match.abstention import Outcome, Reading, read_answer, says_nothing
from core.judging.match.booleans import BOTH, said_truth
from core.judging.match.citations import without_citations
from core.judging.match.context import Objection
from core.judging.match.date_match import COARSER
from core.judging.match.equivalence import is_prose, is_statement, open_question
from core.judging.match.readers.normalise import match_text
from core.judging.match.reference import MAX_TYPED, Reference, find_value, read_reference
from core.judging.match.settings import DEFAULT, CoarseDates, MatchSettings
from core.judging.match.standing import NEEDS_A_JUDGE
from core.judging.match.stated import CLOSENESS, MAX_HITS, MAX_READ, AnswerText, figure_stated, shortened, stated
from core.judging.match.values import Hit

VERSION = 3
"""Of the rules, raised when they decide otherwise; 3 reads the figure that an answer concludes with, reads abstention
as the metrics do, and leaves to a judge what words cannot decide."""
PARTLY = 0.5
"""What a partly correct answer counts for in the detail of its verdict."""


def judge_match(
    question: str, reference_answers: Sequence[str], answer: str | None, settings: MatchSettings = DEFAULT
) -> Judgement:
    """Judges an answer by rules, without a model.

    Correct means: at least one acceptable answer is stated, in any usual format, and the words around it do not deny
    it, hedge it, take it back, ask it or offer it as one of several. Marks of citation such as ``[1]`` say nothing. The
    order of the rules is in ``docs/match-judge.md``.

    Args:
        question: The case's question; its own words do not count as the answer.
        reference_answers: Every acceptable answer; any of them will do. A list in one of them wants all its parts.
        answer: The target's answer; None where it failed.
        settings: The tolerance for figures and what coarser dates count for.

    Returns:
        The verdict with the rule that decided, a sentence, and what was compared. ``not_judged`` where there is no
        answer ("no answer") or no reference ("no reference").

    >>> judge_match("Who manages it?", ["Ann Lee"], "It is managed by Ann Lee.").verdict.value
    'correct'
    >>> judge_match("What was the revenue?", ["1,250,000"], "Revenue was 1.25 million.").reason
    'number: 1,250,000 = 1.25 million'
    >>> judge_match("Who manages it?", ["Ann Lee"], "I could not find this in the documents.").rule
    'abstained'
    """
    references = [reference for reference in reference_answers if reference and reference.strip()]
    if not references:
        return Judgement(
            verdict=Verdict.NOT_JUDGED, rule="no reference", reason="The case has no reference answer to compare with."
        )
    if answer is None:
        return Judgement(
            verdict=Verdict.NOT_JUDGED, rule="no answer", reason="The target failed, so there is no answer to judge."
        )
    detail: dict[str, object] = {"references": list(references)}
    if len(answer) > MAX_READ:
        detail["characters_read"] = MAX_READ
        detail["characters"] = len(answer)
    if (uncited := without_citations(answer, references)) != answer:
        detail["citations_left_out"] = True
        answer = uncited
    answer_text = AnswerText(
        answer=answer,
        plain=match_text(answer[:MAX_READ]),
        question=match_text(question[:MAX_READ]),
        question_as_written=question[:MAX_READ],
        settings=settings,
    )
    allies = _every_hit(references, answer_text)
    reading = read_answer(question[:MAX_READ], answer)
    judgements = [_judge_one(reference, answer_text, allies, reading) for reference in references]
    best = next((judgement for judgement in judgements if judgement.verdict is Verdict.CORRECT), None)
    if best is None:
        best = max(judgements, key=lambda judgement: CLOSENESS.index(judgement.rule))
    reason = best.reason
    if best.rule == "exact" and "citations_left_out" in detail:
        reason = "Apart from citation marks, the answer is the reference, word for word."
    return Judgement(verdict=best.verdict, rule=best.rule, reason=reason, detail={**detail, **best.detail})


def _judge_one(reference_text: str, answer_text: AnswerText, allies: Sequence[Hit], reading: Reading) -> Judgement:
    answer, text, question = answer_text.answer, answer_text.plain, answer_text.question
    if len(reference_text) <= MAX_READ and len(answer) <= MAX_READ:
        plain = match_text(reference_text)
        if _stripped(text) == _stripped(plain):
            return _correct(reference_text, "exact", "The answer is the reference, word for word.")
    elif " ".join(reference_text.casefold().split()) == " ".join(answer.casefold().split()):
        return _correct(reference_text, "exact", "The answer is the reference, word for word.")
    if len(reference_text) > MAX_READ:
        return _incorrect(reference_text, "no match", "The answer does not hold the reference.")
    silence = reading.words if reading.says_so else ""
    if _has_no_answer(reference_text, question):
        return _judge_silence(reference_text, reading)
    if not text or says_nothing(text):
        return _incorrect(
            reference_text, "abstained", "The answer is empty." if not text else f'The answer says nothing: "{text}".'
        )
    reference = read_reference(reference_text, question)
    if reference.truth is not None:
        return _judge_truth(reference, text, question, silence)
    if reference.figures:
        return _judge_figures(reference, answer_text, silence)
    outcome = stated(reference, answer_text, allies, many=bool(reference.parts))
    if isinstance(outcome, Hit):
        return _found(reference_text, outcome, answer_text.settings)
    if reference.parts and not is_prose(reference.plain, len(reference.parts)):
        return _judge_list(reference, answer_text, silence, outcome)
    may_say_it = reading.outcome is Outcome.ANSWERED or (
        reading.outcome is Outcome.PARTLY and is_statement(reference.plain)
    )
    if outcome.rule == "no match" and may_say_it and (why := open_question(reference_text, answer, question)):
        return _undecided(reference_text, why)
    return _missed(reference_text, outcome, silence)


def _has_no_answer(reference_text: str, question: str) -> bool:
    """Whether the reference itself is a blank, or a sentence that declines."""
    if says_nothing(match_text(reference_text)):
        return True
    return len(reference_text) <= MAX_TYPED and read_answer(question, reference_text).outcome is Outcome.DECLINED


def _judge_silence(reference_text: str, reading: Reading) -> Judgement:
    said = f'The reference says there is no answer ("{shortened(reference_text.strip())}")'
    if reading.outcome is Outcome.DECLINED:
        return _correct(
            reference_text,
            "abstention expected",
            f'The reference says there is no answer, and so does "{reading.words}".',
        )
    if reading.outcome is Outcome.ASKS_BACK:
        return _incorrect(reference_text, "abstained", f"{said} and the answer asks back.")
    if reading.outcome is Outcome.PARTLY:
        return _undecided(
            reference_text, f'{said}; the answer declines ("{reading.words}") and tells something besides.'
        )
    return _incorrect(reference_text, "no match", f"{said} and the answer gives one.")


def _every_hit(references: Sequence[str], answer_text: AnswerText) -> list[Hit]:
    """Where the acceptable answers stand, when there is more than one: "USA or United States" is no choice."""
    if len(references) < 2:
        return []
    question = answer_text.question
    readable = [read_reference(reference, question) for reference in references if len(reference) <= MAX_READ]
    return [
        hit
        for reference in readable
        for hit in find_value(reference, answer_text.read_for(reference), question).hits[:MAX_HITS]
    ]


def _stripped(text: str) -> str:
    return text.strip(" .\"'\n")


def _judge_truth(reference: Reference, text: str, question: str, silence: str) -> Judgement:
    truth, words = said_truth(text, question)
    if truth is None:
        if words:
            return _incorrect(reference.text, "hedged", f'The answer is only a guess: "{words}".')
        if silence:
            return _incorrect(reference.text, "abstained", f'The answer says "{silence}".')
        if BOTH.match(text):
            return _incorrect(reference.text, "no match", "The answer says neither yes nor no.")
        return _undecided(reference.text, "The answer says neither yes nor no in words that rules can read.")
    meaning = "yes" if truth else "no"
    if truth == reference.truth:
        return _correct(
            reference.text, "boolean", f'boolean: "{shortened(words)}" says {meaning}, as the reference does.'
        )
    if silence and words not in {"yes", "no", "true", "false"}:
        return _incorrect(reference.text, "abstained", f'The answer says "{silence}".')
    return _incorrect(
        reference.text, "other value", f'"{shortened(words)}" says {meaning}, the reference the opposite.'
    )


def _judge_figures(reference: Reference, answer_text: AnswerText, silence: str) -> Judgement:
    """Every figure that the question asks for must be stated."""
    many = len(reference.figures) > 1
    stated: list[str] = []
    missing: list[tuple[str, Objection]] = []
    last: Hit | None = None
    for figure in reference.figures:
        outcome = figure_stated(figure, reference, answer_text, many=many)
        shown = figure.number.text.strip()
        if isinstance(outcome, Hit):
            stated.append(shown)
            last = outcome
        else:
            missing.append((shown, outcome))
    if not missing and last is not None:
        if not many:
            return _found(reference.text, last, answer_text.settings)
        return _correct(
            reference.text, "figures", f"All {len(stated)} figures of the reference are stated: {_listed(stated)}."
        )
    if stated:
        names = [shown for shown, _ in missing]
        reason = (
            f"{len(stated)} of {len(reference.figures)} figures of the reference are stated; missing: {_listed(names)}."
        )
        return _incorrect(reference.text, "partial figures", reason, {"found": stated, "missing": names})
    return _missed(reference.text, missing[0][1], silence)


def _judge_list(reference: Reference, answer_text: AnswerText, silence: str, whole: Objection) -> Judgement:
    missing: list[str] = []
    reasons: list[str] = []
    denied: Objection | None = None
    for part in reference.parts:
        outcome = stated(read_reference(part, answer_text.question), answer_text, (), many=True)
        if isinstance(outcome, Hit):
            reasons.append(part)
            continue
        missing.append(part)
        if outcome.rule not in {"no match", "other value"}:
            denied = outcome
    if not missing:
        return _correct(reference.text, "list", f"All {len(reference.parts)} parts are stated: {_listed(reasons)}.")
    detail: dict[str, object] = {"found": reasons, "missing": missing}
    if reasons:
        reason = f"{len(reasons)} of {len(reference.parts)} parts are stated; missing: {_listed(missing)}."
        return _incorrect(reference.text, "partial list", reason, detail)
    return _missed(reference.text, denied or whole, silence)


def _missed(reference_text: str, outcome: Objection, silence: str) -> Judgement:
    if outcome.rule == NEEDS_A_JUDGE:
        return _undecided(reference_text, outcome.reason)
    if silence and outcome.rule in {"no match", "other value", "echo", "question"}:
        return _incorrect(reference_text, "abstained", f'The answer says "{silence}".')
    return _incorrect(reference_text, outcome.rule, outcome.reason)


def _found(reference: str, hit: Hit, settings: MatchSettings) -> Judgement:
    """Correct, unless the value says less than the reference and the project counts that as partly correct."""
    if hit.rule != COARSER:
        return _correct(reference, hit.rule, hit.reason)
    if settings.coarse_dates is CoarseDates.PARTLY:
        reason = f"{hit.reason}; the project counts a coarser date as partly correct."
        return _incorrect(reference, "partly correct", reason, {"credit": PARTLY})
    return _correct(reference, COARSER, f"{hit.reason}; the project accepts a coarser date.")


def _undecided(reference: str, why: str) -> Judgement:
    return Judgement(
        verdict=Verdict.NOT_JUDGED,
        rule=NEEDS_A_JUDGE,
        reason=f"{why} This needs a judge or a person.",
        detail={"reference": reference},
    )


def _correct(reference: str, rule: str, reason: str) -> Judgement:
    return Judgement(verdict=Verdict.CORRECT, rule=rule, reason=reason, detail={"reference": reference})


def _incorrect(reference: str, rule: str, reason: str, detail: dict[str, object] | None = None) -> Judgement:
    return Judgement(
        verdict=Verdict.INCORRECT, rule=rule, reason=reason, detail={"reference": reference, **(detail or {})}
    )


def _listed(parts: Sequence[str]) -> str:
    listing = ", ".join(parts[:5])
    return listing if len(parts) <= 5 else f"{listing} and {len(parts) - 5} more"
