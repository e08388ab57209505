"""The printed lines of the command weakness: tables with the worst first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

Row = Mapping[str, object]

MOST = 40
"""Rows of a table that are printed; JSON and CSV have all."""
LONGEST = 100
"""Characters of a name on the screen; text templates are longer."""
HEAD = f"{'mean':>7}  {'95% interval':<18}{'scored of n':<16}{'worse by':>8}  {'adjusted p':<11}{'':<16}"


def map_lines(document: Row) -> list[str]:
    """Levels of one attribute or cells of two."""
    names = " x ".join(_texts(document["by"]))
    cells = _rows(document["cells"])
    lines = [
        f"{names}: {_counted(cells, 'part')}, {document['tested']} tested, {document['weak_cells']} weak",
        *table_lines(cells, lambda row: " x ".join(_texts(row["levels"]))),
    ]
    if document["outside"]:
        single = document["outside"] == 1
        lack = "case lacks" if single else "cases lack"
        lines.append(f"{document['outside']:,} {lack} {names} and {'is' if single else 'are'} in no part.")
    if document.get("empty"):
        have = "pair of levels has" if document["empty"] == 1 else "pairs of levels have"
        lines.append(f"{document['empty']:,} {have} no case.")
    return lines


def overview_lines(document: Row) -> list[str]:
    """All attributes, each with its worst level."""
    rows = _rows(document["attributes"])
    lines = [
        f"{_counted(rows, 'attribute')}, {document['tested']} levels tested together, {document['weak_cells']} weak; "
        "the worst level of each:",
        *table_lines(
            [row["worst"] for row in rows if isinstance(row["worst"], Mapping)],
            lambda row: f"{row['attribute']} = {row['level']}",
        ),
    ]
    return [*lines, *(f"Left out: {reason}" for reason in _texts(document["left_out"]))]


def slice_lines(document: Row) -> list[str]:
    """Slices carried to the test, the weak ones first."""
    if document["reason"]:
        return [f"No slices: {document['reason']}"]
    rows = [_of_slice(row) for row in _rows(document["slices"])]
    weak = sum(bool(row["weak"]) for row in rows)
    return [
        f"Slices: {document['tried']:,} tried on {document['discovery']:,} cases, {document['carried']} carried to the "
        f"other {document['held_out']:,}, {weak} weak; figures of those {document['held_out']:,}:",
        *table_lines(rows, lambda row: str(row["named"])),
    ]


def finding_lines(findings: Sequence[Row]) -> list[str]:
    """Findings in words."""
    if not findings:
        return ["Findings: none."]
    lines = ["Findings:"]
    for row in findings:
        status = f", {row['status']}" if row.get("status") else ""
        gone = ", no longer found" if row.get("gone") else ""
        lines.append(f"  [{row['severity']}{status}{gone}] {row['text']}")
    return lines


def overall_line(label: str, document: Row) -> str:
    """The score over all cases."""
    if document["value"] is None:
        return f"{label}: no case of {document['of']:,} has a score"
    scored = f"{document['scored']:,} of {document['of']:,} scored"
    return f"{label}: {' '.join(filter(None, (_number(document['value']), _interval(document))))}, {scored}"


def table_lines(rows: Sequence[Row], name: Callable[[Row], str]) -> list[str]:
    """A line for each row, after a heading."""
    lines = [HEAD.rstrip()]
    for row in rows[:MOST]:
        of_n = f"{row['scored']:,} of {row['n']:,}"
        lines.append(
            f"{_number(row['mean']):>7}  {_interval(row):<18}{of_n:<16}{_number(row['effect'], sign=True):>8}  "
            f"{p_value(row['p_adjusted']):<11}{_mark(row):<16}{_short(name(row))}"
        )
    if len(rows) > MOST:
        lines.append(f"and {len(rows) - MOST:,} more; --json and --csv have all")
    return lines


def p_value(value: object) -> str:
    """A p-value in three digits; one that would be shown as zero is never zero.

    >>> p_value(0.0312), p_value(0.00002), p_value(None)
    ('0.031', '< 0.001', '-')
    """
    if not isinstance(value, float):
        return "-"
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"


def _of_slice(row: Row) -> Row:
    mean, effect = _mapping(row["mean"]), _mapping(row["effect"])
    conditions = " and ".join(f"{name} = {level}" for name, level in _pairs(row["conditions"]))
    return {
        "named": conditions,
        "mean": mean["value"],
        "low": mean["low"],
        "high": mean["high"],
        "n": mean["n"],
        "scored": mean["n"],
        "effect": effect["value"],
        "p_adjusted": row["p_adjusted"],
        "weak": row["weak"],
        "p_value": row["p_value"],
    }


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _mark(row: Row) -> str:
    if row["weak"]:
        return "weak, compound" if row.get("compound") else "weak"
    if row["mean"] is None:
        return "no score"
    return "" if row["p_value"] is not None else "too few to test"


def _number(value: object, *, sign: bool = False) -> str:
    if not isinstance(value, (int, float)):
        return "-"
    size = abs(value)
    digits = 0 if size >= 1000 else 1 if size >= 100 else 2 if size >= 10 else 3
    return f"{value:+,.{digits}f}" if sign else f"{value:,.{digits}f}"


def _interval(row: Row) -> str:
    if row["low"] is None or row["high"] is None:
        return ""
    return f"[{_number(row['low'])}, {_number(row['high'])}]"


def _counted(rows: Sequence[object], what: str) -> str:
    return f"{len(rows):,} {what}{'' if len(rows) == 1 else 's'}"


def rows_of(value: object) -> list[dict[str, object]]:
    """Rows of a document."""
    return [dict(row) for row in _rows(value)]


def _rows(value: object) -> list[Row]:
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def _mapping(value: object) -> Row:
    return value if isinstance(value, Mapping) else {}


def _pairs(value: object) -> list[tuple[str, str]]:
    return [(str(pair[0]), str(pair[1])) for pair in value] if isinstance(value, list) else []


def _texts(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []
