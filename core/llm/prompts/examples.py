"""Made-up inputs to show what a prompt looks like when it is filled; nothing here comes from a project."""

from __future__ import annotations

from collections.abc import Iterable

from core.llm.prompts.catalogue import SHORT

_EXAMPLES: dict[str, object] = {
    "question": "Who manages the branch in Harbour Street?",
    "answers": ["Ada Miller manages it [1].", "It is managed by Tom Baker [1]."],
    "answer": "Ada Miller manages it. It opened in 1998.",
    "response": "The branch in Harbour Street is managed by Ada Miller.",
    "references": ["Ada Miller", "A. Miller"],
    "contexts": [
        "The branch in Harbour Street opened in 1998. It is managed by Ada Miller.",
        "The branch at the station closed in 2011.",
    ],
    "claims": ["Ada Miller manages the branch in Harbour Street.", "The branch in Harbour Street opened in 1998."],
    "first": "Ada Miller",
    "second": "It is managed by Ada Miller.",
    "subject": "Branch in Harbour Street",
    "kind": "branch",
    "facts": "street: Harbour Street\nmanager: Ada Miller\nopened: 1998",
    "draft": "The branch in Harbour Street is managed by Ada Miller.",
    "missing": "opened: 1998",
    "schema": "table Branch\n  BranchID: INTEGER, primary key\n  Street: TEXT, descriptive\n  Manager: TEXT",
    "tables": ["Branch"],
    "count": 3,
    "criteria": "Ask about places first.",
    "accepted": ["SELECT Manager FROM Branch WHERE Street = '[Branch.Street]'"],
    "rejected": [("SELECT * FROM Branch", "It lists no columns.")],
    "sql": "SELECT Manager FROM Branch WHERE Street = '[Branch.Street]'",
    "placeholders": ["[Branch.Street]"],
    "form": "long",
    "form_criteria": "A full, polite sentence of more than twelve words.",
    "title": "Branches",
    "passage": "The branch in Harbour Street opened in 1998. It is managed by Ada Miller.",
    "text": "Who manages the branch in '[Branch.Street]'?",
}

_OF_PROMPT: dict[str, dict[str, object]] = {
    "answer_from_contexts": {
        "contexts": [
            {"title": "Branches", "text": "The branch in Harbour Street opened in 1998. It is managed by Ada Miller."},
            {"title": "", "text": "The branch at the station closed in 2011."},
        ]
    },
    "topic_names": {
        "words": "branch, opening hours, counter, manager",
        "passages": "The branch in Harbour Street opened in 1998. It is managed by Ada Miller.",
        "others": "card, limit, replacement\nmortgage, repayment",
    },
    "document_questions": {
        "kind": "Simple",
        "rules": "- It asks for one fact that one sentence or one row states.",
        "passages": [{"title": "Branches", "text": "The branch in Harbour Street is managed by Ada Miller."}],
        "facts": [
            {
                "fact": "Ada Miller manages the branch in Harbour Street.",
                "quote": "The branch in Harbour Street is managed by Ada Miller.",
            }
        ],
    },
}


def examples(prompt_id: str, inputs: Iterable[str]) -> dict[str, object]:
    """An example for each input of a prompt; an input nobody wrote one for stands for itself.

    >>> examples("knowledge_document", ["kind", "colour"])
    {'kind': 'branch', 'colour': '(colour)'}
    """
    values = _EXAMPLES | _OF_PROMPT.get(prompt_id.removesuffix(SHORT), {})
    return {name: values.get(name, f"({name})") for name in inputs}
