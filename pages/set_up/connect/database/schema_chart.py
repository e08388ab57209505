"""The foreign-key graph: tables in layers, from those that refer to nothing down to those that refer to them."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from core.domain.sources.schema import Schema, Table
from pages.kit.look import theme

_ACROSS = 1.0
_DOWN = 1.0
_HALF_HIGH = 0.2
_HALF_WIDE = 0.42
_SPREAD = 0.3
_LOOP_WIDE, _LOOP_HIGH = 0.07, 0.1
"""How far the arrow of a table that refers to itself leaves its box, and half of what it spans of the box's side."""
_LETTERS_ACROSS, _LEAST_LETTERS = 97, 8
"""Letters that fit all boxes of a full row together, and those that a name keeps in any case."""
Spot = tuple[float, float]


def layers(schema: Schema) -> list[list[str]]:
    """Tables by depth: 0 refers to no other table, else one below the deepest table it refers to.

    Cycles are cut where they close, so that every table has exactly one place.
    """
    refers = {
        table.name: sorted({key.referred_table for key in table.foreign_keys if key.referred_table != table.name})
        for table in schema.tables
    }
    depth: dict[str, int] = {}

    def place(name: str, path: frozenset[str]) -> int:
        if name in depth:
            return depth[name]
        above = [place(other, path | {name}) for other in refers.get(name, []) if other not in path | {name}]
        depth[name] = max(above, default=-1) + 1
        return depth[name]

    for table in schema.tables:
        place(table.name, frozenset())
    rows: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for table in schema.tables:
        rows[depth[table.name]].append(table.name)
    return [_near_parents(row, refers, rows[:number]) for number, row in enumerate(rows)]


def graph(schema: Schema) -> go.Figure:
    """The graph as a figure; a click on a table returns its name (`charts.show(..., select=True)`)."""
    rows = layers(schema)
    width = max((len(row) for row in rows), default=1)
    spot = {
        name: (_ACROSS * (place + 0.5) * width / len(row), -_DOWN * number)
        for number, row in enumerate(rows)
        for place, name in enumerate(row)
    }
    figure = go.Figure()
    heads: list[Spot] = []
    for start, end in _edges(schema, spot):
        heads.append(end)
        figure.add_shape(
            type="line",
            x0=start[0],
            y0=start[1],
            x1=end[0],
            y1=end[1],
            layer="below",
            line={"color": theme.ink("faint"), "width": 1.3},
        )
    _heads(figure, [(x, y - 0.02) for x, y in heads], "triangle-up")
    loops = _loops(schema, spot)
    for path, _ in loops:
        figure.add_shape(type="path", path=path, layer="below", line={"color": theme.ink("faint"), "width": 1.3})
    _heads(figure, [end for _, end in loops], "triangle-left")
    tables = [table for table in schema.tables if table.name in spot]
    figure.add_scatter(
        x=[spot[table.name][0] for table in tables],
        y=[spot[table.name][1] for table in tables],
        mode="markers+text",
        marker={
            "symbol": "square",
            "size": 34,
            "color": [theme.ink("paper")] * len(tables),
            "line": {"color": [theme.ink("accent")] * len(tables), "width": 1.5},
            "opacity": 0,
        },
        text=[f"<b>{fitted(table.name, width)}</b><br>{table.rows:,} rows" for table in tables],
        textposition="middle center",
        textfont={"size": 12, "color": theme.ink("text")},
        selected={"textfont": {"color": theme.ink("accent")}},
        unselected={"textfont": {"color": theme.ink("text")}, "marker": {"opacity": 0}},
        customdata=[[table.name, _columns(table)] for table in tables],
        hovertemplate="<b>%{customdata[0]}</b><br>%{customdata[1]}<extra></extra>",
        showlegend=False,
    )
    figure.update_layout(
        height=60 + 92 * len(rows),
        margin={"t": 34, "b": 4},  # the tool bar stands above the tables
        xaxis={"visible": False, "range": [0, width]},
        yaxis={"visible": False, "range": [-_DOWN * (len(rows) - 1) - 0.3, 0.3]},
    )
    for table in tables:
        x, y = spot[table.name]
        figure.add_shape(
            type="rect",
            x0=x - _HALF_WIDE,
            x1=x + _HALF_WIDE,
            y0=y - _HALF_HIGH,
            y1=y + _HALF_HIGH,
            layer="below",
            fillcolor=theme.ink("paper"),
            line={
                "color": theme.ink("faint") if table.association else theme.ink("accent"),
                "width": 1.4,
                "dash": "dot" if table.association else "solid",
            },
        )
    return figure


def _heads(figure: go.Figure, at: list[Spot], symbol: str) -> None:
    """The heads of the arrows."""
    figure.add_scatter(
        x=[x for x, _ in at],
        y=[y for _, y in at],
        mode="markers",
        marker={"symbol": symbol, "size": 9, "color": theme.ink("faint")},
        unselected={"marker": {"opacity": 1}},
        hoverinfo="skip",
        showlegend=False,
    )


def _loops(schema: Schema, spot: dict[str, Spot]) -> list[tuple[str, Spot]]:
    """For each foreign key to its own table: an arrow on the right of the box, as a path, and where it ends."""
    loops: list[tuple[str, Spot]] = []
    for table in schema.tables:
        own = [key for key in table.foreign_keys if key.referred_table == table.name]
        for number in range(1, len(own) + 1):
            part = number / len(own)  # several keys are loops inside each other
            x, y = spot[table.name][0] + _HALF_WIDE, spot[table.name][1]
            out, high = x + 4 / 3 * _LOOP_WIDE * part, _LOOP_HIGH * part
            loops.append((f"M {x},{y + high} C {out},{y + high} {out},{y - high} {x},{y - high}", (x + 0.01, y - high)))
    return loops


def fitted(name: str, across: int) -> str:
    """A table's name as it fits its box where so many stand beside each other; the whole name shows on hovering.

    >>> fitted("CustomerCustomerDemo", 7), fitted("CustomerCustomerDemo", 4)
    ('CustomerCust…', 'CustomerCustomerDemo')
    """
    letters = max(_LEAST_LETTERS, _LETTERS_ACROSS // max(1, across))
    return name if len(name) <= letters else f"{name[: letters - 1]}…"


def _edges(schema: Schema, spot: dict[str, Spot]) -> list[tuple[Spot, Spot]]:
    """Where each foreign key's line begins and ends: ends on one table are spread so that they do not fall together."""
    pairs = [
        (table.name, key.referred_table)
        for table in schema.tables
        for key in table.foreign_keys
        if key.referred_table in spot and key.referred_table != table.name
    ]

    def place(edge: int, own: int, other: int) -> float:
        """Where one end is across: the table's own, shifted by the edge's rank among those that touch the same side."""
        name = pairs[edge][own]
        peers = sorted(
            (number for number, pair in enumerate(pairs) if pair[own] == name),
            key=lambda number: (spot[pairs[number][other]][0], number),
        )
        return spot[name][0] + (_SPREAD * (2 * peers.index(edge) / (len(peers) - 1) - 1) if len(peers) > 1 else 0.0)

    return [
        (
            (place(number, 0, 1), spot[start][1] + _HALF_HIGH),
            (place(number, 1, 0), spot[end][1] - _HALF_HIGH),
        )
        for number, (start, end) in enumerate(pairs)
    ]


def keys_frame(schema: Schema) -> pd.DataFrame:
    """The edges of the graph as rows."""
    return pd.DataFrame(
        [
            {
                "table": table.name,
                "columns": ", ".join(key.columns),
                "refers to": key.referred_table,
                "their columns": ", ".join(key.referred_columns),
            }
            for table in schema.tables
            for key in table.foreign_keys
        ],
        columns=["table", "columns", "refers to", "their columns"],
    )


def _columns(table: Table) -> str:
    names = [column.name for column in table.columns]
    listing = ", ".join(names[:8])
    return f"{len(names)} columns: {listing}{', ...' if len(names) > 8 else ''}"


def _near_parents(row: list[str], refers: dict[str, list[str]], above: list[list[str]]) -> list[str]:
    """A layer ordered by the mean place of what each table refers to, so that fewer lines cross."""
    place = {name: (number + 0.5) / len(line) for line in above for number, name in enumerate(line)}

    def mean(name: str) -> float:
        places = [place[other] for other in refers.get(name, []) if other in place]
        return sum(places) / len(places) if places else 0.5

    return sorted(row, key=lambda name: (mean(name), name))
