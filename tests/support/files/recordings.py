"""Recorded runs in GRAMMAR's format, small enough to count by hand."""

from __future__ import annotations


def recorded_rows(
    *, groups: int = 4, wordings: int = 2, right: bool = True, judged: bool = True
) -> list[dict[str, object]]:
    """Rows of an ``eval_results`` file: each group asks for one branch's city in so many wordings.

    Args:
        groups: Filled SQL queries.
        wordings: Questions of each.
        right: Whether the first, third... group is answered right in each wording; otherwise none is.
        judged: Whether each row carries its verdict.
    """
    rows: list[dict[str, object]] = []
    for group in range(groups):
        correct = right and group % 2 == 0
        for wording in range(wordings):
            row: dict[str, object] = {
                "query": f"Wording {wording} of the city of branch {group}?",
                "answer": f"City {group}",
                "gpt_response": [f"City {group}" if correct else "I do not know"],
                "query_tag": group,
                "true_document_ids": [[group]],
                "retrieved_document_ids": [group if correct else group + 1],
                "retrieval_judgement": int(correct),
            }
            if judged:
                row["judgement"] = "Correct" if correct else "Incorrect"
            rows.append(row)
    return rows
