"""The claims of one text checked against others: extracted once, each with its verdict and where it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import cast

from core.domain.errors import BudgetSpent, CallFailed
from core.domain.status import Status
from core.judging.claims import checks, extraction
from core.judging.claims.checks import CheckedClaim, check_claims
from core.judging.claims.extraction import Claims, extract_claims
from core.llm import ChatModel
from core.metrics.claims.placing import places
from core.metrics.panel import by_panel
from core.metrics.prepared import Part, Prepared, part_texts
from core.metrics.spec import Measured, Outcome, Unscored

PROMPTS = (extraction.PROMPT, checks.PROMPT)

SOURCE = (
    "Cohere, Deep Dive Into RAG Evaluation: supported / (supported + not supported). Differs: the claims are checked "
    "in one call whose reply is read as JSON, a claim that cannot be checked is left out and counted, and the passage "
    "that decides is named."
)


def claims_supported(prepared: Prepared, of: Part, against: Part) -> Outcome:
    """The share of the claims of one part that the texts of another support, by each judge of the panel.

    Args:
        prepared: The sample; it has a panel.
        of: Whose claims: the answer's, or the first reference answer's.
        against: What they are checked against.

    Raises:
        BudgetSpent: Nothing more may be asked.
    """
    return by_panel(prepared.panel, lambda chat: _by_judge(prepared, chat, of, against))


def _by_judge(prepared: Prepared, chat: ChatModel, of: Part, against: Part) -> Outcome:
    number, text = _text(prepared, of)
    if not text.strip():
        return Unscored(status=Status.NULL_JUDGEMENT, reason=f"The {of.value} is empty and claims nothing.")
    draw, case_id = prepared.panel.draw, prepared.sample.case_id
    ask, check = (prepared.panel.prompts(prompt, variant=chat.prompts) for prompt in PROMPTS)
    detail: dict[str, object] = {
        "model": chat.spec,
        "prompts": [asdict(ask.ref), asdict(check.ref)],
        "claims_of": of.value,
        "checked_against": against.value,
    }
    try:
        kept = prepared.keep(
            f"claims of the {of.value} by {chat.spec}",
            lambda: extract_claims(
                chat, ask, prepared.sample.question, text, case_id=prepared.sample.case_id, draw=draw
            ),
        )
        extracted = cast(Claims, kept)
        detail["call_ids"] = [extracted.call_id]
        if not extracted.claims:
            reason = f"The {of.value} claims nothing that could be checked."
            return Unscored(status=Status.NULL_JUDGEMENT, reason=reason, detail=detail)
        passages = [(place, words) for place, words in enumerate(part_texts(prepared.sample, against)) if words.strip()]
        if passages:
            texts = [words for _, words in passages]
            checked, call_id = check_claims(chat, check, extracted.claims, texts, case_id=case_id, draw=draw)
            detail["call_ids"] = [extracted.call_id, call_id]
        else:
            checked = tuple(_unsupported(claim, against) for claim in extracted.claims)
    except BudgetSpent:
        raise
    except CallFailed as error:
        called = {"call_id": error.call_id, **detail}
        return Unscored(status=error.status, reason=error.message, detail=called)
    return _scored(prepared, checked, detail, (of, number), (against, [place for place, _ in passages]))


def _scored(
    prepared: Prepared,
    checked: Sequence[CheckedClaim],
    detail: dict[str, object],
    of: tuple[Part, int],
    against: tuple[Part, Sequence[int]],
) -> Outcome:
    counts = Counter(claim.verdict for claim in checked)
    rows = places(prepared, checked, of, against)
    known = {**detail, "claims": rows, "counts": dict(counts)}
    decided = counts["Yes"] + counts["No"]
    if not decided:
        reason = f"None of the {len(checked)} claims can be checked."
        return Unscored(status=Status.NULL_JUDGEMENT, reason=reason, detail=known)
    left_out = f"; {counts['Null']} that cannot be checked left out" if counts["Null"] else ""
    reason = f"{counts['Yes']} of {decided} claims of the {of[0].value} are supported{left_out}."
    return Measured(value=counts["Yes"] / decided, detail={"reason": reason, **known})


def _text(prepared: Prepared, of: Part) -> tuple[int, str]:
    """The text whose claims are taken and its place: of several reference answers, any of which will do, the first."""
    return next(((place, text) for place, text in enumerate(part_texts(prepared.sample, of)) if text.strip()), (0, ""))


def _unsupported(claim: str, against: Part) -> CheckedClaim:
    nothing = "Nothing was retrieved." if against is Part.CONTEXTS else f"The {against.value} is empty."
    return CheckedClaim(claim=claim, verdict="No", reason=nothing)
