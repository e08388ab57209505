"""Requests to a model that writes templates, and their results, as records and as plain JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from core.domain.errors import InvalidInput
from core.llm import Limits
from core.testset.grounded.llm.forms import form_criteria
from core.testset.grounded.llm.proposals import Delivery
from core.testset.grounded.llm.round_trip import RoundTrips
from core.testset.grounded.llm.sql_generator import MOST_PER_SET
from core.testset.grounded.llm.text_generator import MOST_PER_FORM
from core.testset.templates.text_review import form_name

WHATS = ("sql", "text", "round_trip")
KEPT_REJECTED = 500
"""Rejected proposals listed one by one; the others are only counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """What a model is to write.

    Attributes:
        what: ``"sql"`` for SQL templates, ``"text"`` for wordings of approved SQL templates, ``"round_trip"`` to check
            the wordings that are drafts.
        model: ``MODEL@BASE_URL``.
        criteria: Further criteria of the user, or empty.
        sizes: How many tables a table set may have.
        tables: Tables the sets are made of; empty for all.
        per_set: SQL templates wanted of each table set.
        forms: Names of forms and their descriptions; those of built-in ones may be empty.
        n: Wordings wanted of each SQL template in each form.
        round_trip: Whether new wordings are turned back into SQL.
        limits: The spending limits.
    """

    what: str = "sql"
    model: str = ""
    criteria: str = ""
    sizes: tuple[int, ...] = (1, 2)
    tables: tuple[str, ...] = ()
    per_set: int = 5
    forms: Mapping[str, str] = field(default_factory=dict)
    n: int = 3
    round_trip: bool = False
    limits: Limits = field(default_factory=Limits)

    def check(self) -> None:
        """Refuses what cannot be written.

        Raises:
            InvalidInput: No model is named, a form has no description, or a number is beyond what can be asked for.
            InvalidTemplate: A form has no usable name.
        """
        if self.what not in WHATS:
            raise InvalidInput(f"A model cannot write {self.what!r}.", f"Use one of: {', '.join(WHATS)}.")
        if not self.model.strip():
            raise InvalidInput("No model is named.", "Name it as MODEL@BASE_URL.")
        if self.what == "sql" and not 1 <= self.per_set <= MOST_PER_SET:
            raise InvalidInput(
                f"{self.per_set} templates of each table set cannot be asked for.", f"Use 1 to {MOST_PER_SET}."
            )
        if self.what == "text" and not 1 <= self.n <= MOST_PER_FORM:
            raise InvalidInput(f"{self.n} wordings of each form cannot be asked for.", f"Use 1 to {MOST_PER_FORM}.")
        if self.what == "sql" and not self.sizes:
            raise InvalidInput("No size of table set is chosen.", "Choose single tables, pairs or triples.")
        if self.what == "text":
            if not self.forms:
                raise InvalidInput("No form is chosen.", "Choose at least one form for the wordings.")
            for form, words in self.forms.items():
                form_criteria(form_name(form), words)

    @classmethod
    def of(cls, params: Mapping[str, object]) -> Generation:
        """The generation that a job's parameters describe."""
        sizes, tables, forms = params.get("sizes"), params.get("tables"), params.get("forms")
        return cls(
            what=str(params.get("what", "sql")),
            model=str(params.get("model", "")),
            criteria=str(params.get("criteria", "")),
            sizes=tuple(int(str(size)) for size in sizes) if isinstance(sizes, list | tuple) else (),
            tables=tuple(map(str, tables)) if isinstance(tables, list | tuple) else (),
            per_set=int(str(params.get("per_set", 5))),
            forms={str(form): str(words) for form, words in forms.items()} if isinstance(forms, Mapping) else {},
            n=int(str(params.get("n", 3))),
            round_trip=params.get("round_trip") is True,
            limits=Limits.of(params),
        )

    def as_params(self) -> dict[str, object]:
        """Plain JSON, for a job and for the audit trail."""
        plain = {name: value for name, value in asdict(self).items() if name != "limits"}
        lists = {"sizes": list(self.sizes), "tables": list(self.tables), "forms": dict(self.forms)}
        return {**plain, **lists, **self.limits.as_params()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The expected calls of a generation, before it is started.

    Attributes:
        requests: Table sets, or SQL templates times forms, or wordings to turn back.
        wanted: Templates or wordings asked for; 0 where only round trips are made.
        least_calls: Calls where nothing is rejected and everything is new to the ledger.
        most_calls: Calls where something of each request is rejected; repairs and retries not counted.
    """

    requests: int
    wanted: int
    least_calls: int
    most_calls: int


def result_document(
    generation: Generation,
    deliveries: Sequence[Delivery],
    trips: RoundTrips | None = None,
) -> dict[str, object]:
    """The request and its result, as plain JSON."""
    rejected = [
        {
            "subject": delivery.subject,
            "form": delivery.form,
            "proposal": item.text,
            "check": item.check,
            "reason": item.reason,
            "round": item.round,
        }
        for delivery in deliveries
        for item in delivery.rejected
    ]
    document: dict[str, object] = {
        **generation.as_params(),
        "requested": sum(delivery.requested for delivery in deliveries),
        "delivered": sum(delivery.delivered for delivery in deliveries),
        "duplicates": sum(delivery.duplicates for delivery in deliveries),
        "surplus": sum(delivery.surplus for delivery in deliveries),
        "calls": sum(delivery.calls for delivery in deliveries),
        "calls_from_cache": sum(delivery.cached for delivery in deliveries),
        "by_subject": [
            {
                "subject": delivery.subject,
                "form": delivery.form,
                "requested": delivery.requested,
                "delivered": delivery.delivered,
                "missing": delivery.missing,
            }
            for delivery in deliveries
        ],
        "unanswered": sum(bool(delivery.failure) for delivery in deliveries),
        "rejected": rejected[:KEPT_REJECTED],
        "rejected_in_all": len(rejected),
    }
    if trips is not None:
        document["round_trips"] = {
            "passed": trips.passed,
            "flagged": trips.flagged,
            "failed": len(trips.failures),
            "failures": list(dict.fromkeys(trips.failures))[:20],
        }
    return document
