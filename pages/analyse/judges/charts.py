"""The pictures of the Judges page: precision against recall, and RAGAS-Fact over its threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import plotly.graph_objects as go

from core.domain.estimates import Proportion
from core.judges.figures import CurvePoint, JudgeComparison, JudgeFigures
from core.judges.reading import LEAST, Tendency
from pages.analyse.judges.reads import called
from pages.kit.look import numbers, theme

SYMBOLS: Final = ("circle", "diamond", "square", "triangle-up", "cross", "star", "hexagon", "triangle-down")
SPAN: Final = (-0.03, 1.06)
LABEL_ABOVE, LABEL_STEP = 0.05, 0.06
"""How far a name stands over its mark, and names from each other, in units of precision."""
LABEL_BESIDE, HALF = 0.02, 0.45
"""How far a name stands beside the whiskers, and from which recall on it stands to their left, in units of recall."""


def finding(comparison: JudgeComparison) -> str:
    """The title: who can be trusted, else who errs how.

    >>> from core.domain.estimates import Proportion
    >>> finding(JudgeComparison(reference="verdict", title="", base=Proportion(num=0, den=0), judges=(), curve=(),
    ...                         pairs=(), undecided=0))
    'No judge to compare'
    """
    if not comparison.judges:
        return "No judge to compare"
    trusted = [called(item, comparison) for item in comparison.judges if item.tendency is Tendency.TRUSTED]
    if trusted:
        return (
            f"{_listed(trusted)} can be trusted: {len(trusted):,} of {numbers.count(len(comparison.judges), 'judge')}"
        )
    kind = [item for item in comparison.judges if item.tendency in (Tendency.OPTIMISTIC, Tendency.BOTH)]
    if kind:
        worst = min(kind, key=lambda item: item.precision.value or 0.0)
        return (
            f"{called(worst, comparison)} is optimistic: {worst.too_kind:,} of the {worst.precision.den:,} answers "
            f"it calls "
            "correct are wrong"
        )
    harsh = [item for item in comparison.judges if item.tendency is Tendency.CYNICAL]
    if harsh:
        worst = min(harsh, key=lambda item: item.recall.value or 0.0)
        return (
            f"{called(worst, comparison)} is cynical: it finds {worst.recall.num:,} of {worst.recall.den:,} "
            f"correct answers"
        )
    chance = [called(item, comparison) for item in comparison.judges if item.tendency is Tendency.CHANCE]
    if chance:
        return f"{_listed(chance)} {'is' if len(chance) == 1 else 'are'} no better than chance"
    if all(item.tendency is Tendency.NOTHING for item in comparison.judges):
        return "Nothing to compare: no answer has verdicts of two different judges"
    return "No judge is settled: the intervals are too wide"


def judges(comparison: JudgeComparison, chosen: str) -> go.Figure:
    """Precision against recall, a mark a judge with both its whiskers; a click returns the judge's key.

    Args:
        comparison: The comparison.
        chosen: Key of the judge that is ringed, or empty.
    """
    figure = go.Figure()
    for number, item in enumerate(comparison.judges):
        if item.precision.value is None or item.recall.value is None:
            continue
        figure.add_scatter(
            x=[item.recall.value],
            y=[item.precision.value],
            name=called(item, comparison),
            mode="markers",
            cliponaxis=False,
            marker={
                "symbol": SYMBOLS[number % len(SYMBOLS)],
                "size": 14,
                "color": theme.COLOURS["a" if item.sees_reference else "b"],
                "line": {"color": theme.ink("text"), "width": 3 if item.key == chosen else 1},
            },
            error_x=_whisker(item.recall),
            error_y=_whisker(item.precision),
            customdata=[[item.key, numbers.full(item.precision), numbers.full(item.recall), _sees(item)]],
            hovertemplate=(
                "<b>%{fullData.name}</b><br>Precision %{customdata[1]}<br>Recall %{customdata[2]}<br>"
                "%{customdata[3]}<extra></extra>"
            ),
            showlegend=False,
        )
    lows = [item.recall.low or 0.0 for item in comparison.judges]
    column = min((low for low in lows if low > HALF), default=1.0) - LABEL_BESIDE
    for item, at in _label_heights(comparison.judges):
        left = (item.recall.low or 0.0) > HALF
        figure.add_annotation(
            x=item.recall.value,
            y=item.precision.value,
            text=f"{called(item, comparison)}, n = {item.judged:,}",
            axref="x",
            ayref="y",
            ax=column if left else (item.recall.high or 0.0) + LABEL_BESIDE,
            ay=at,
            xanchor="right" if left else "left",
            arrowhead=0,
            arrowwidth=1,
            arrowcolor=theme.ink("line"),
            standoff=8,
            font={"color": theme.ink("text"), "size": 12},
        )
    for colour, name in (("a", "sees the true answer"), ("b", "does not see it")):
        figure.add_scatter(
            x=[None], y=[None], mode="markers", name=name, marker={"color": theme.COLOURS[colour], "size": 11}
        )
    line = {"color": theme.ink("faint"), "dash": "dot", "width": 1}
    figure.add_hline(y=LEAST, line=line)
    figure.add_vline(x=LEAST, line=line)
    if comparison.base.value is not None:
        figure.add_hline(
            y=comparison.base.value,
            line={"color": theme.COLOURS["not_judged"], "dash": "dash", "width": 1},
            annotation_text=f"calling everything correct: {numbers.share(comparison.base.value)}",
            annotation_position="bottom left" if comparison.base.value < LEAST else "top left",
        )
    figure.update_layout(
        title={"text": finding(comparison), "y": 0.98, "yanchor": "top"},
        height=470,
        margin={"t": 76, "r": 20},
        xaxis={
            "range": list(SPAN),
            "title": f"Recall: answers called correct, of the correct ones (cynical below {LEAST:g})",
        },
        yaxis={
            "range": [SPAN[0], 1.12],
            "tickvals": [0, 0.2, 0.4, 0.6, 0.8, 1],
            "title": f"Precision: correct answers, of those called correct (optimistic below {LEAST:g})",
        },
    )
    return figure


def curve(points: Sequence[CurvePoint], threshold: float) -> go.Figure:
    """Precision and recall of RAGAS-Fact over its threshold, with their intervals as bands."""
    figure = go.Figure()
    steps = [point.threshold for point in points]
    for name, colour, dash, shares in (
        ("Precision", "a", "solid", [point.precision for point in points]),
        ("Recall", "b", "dash", [point.recall for point in points]),
    ):
        figure.add_scatter(
            x=steps,
            y=[share.high for share in shares],
            mode="lines",
            line={"width": 0, "shape": "vh"},
            hoverinfo="skip",
            showlegend=False,
        )
        figure.add_scatter(
            x=steps,
            y=[share.low for share in shares],
            mode="lines",
            line={"width": 0, "shape": "vh"},
            fill="tonexty",
            fillcolor=_faint(theme.COLOURS[colour]),
            hoverinfo="skip",
            showlegend=False,
        )
        figure.add_scatter(
            x=steps,
            y=[share.value for share in shares],
            name=name,
            mode="lines+markers",
            line={"color": theme.COLOURS[colour], "dash": dash, "width": 2, "shape": "vh"},
            marker={"size": 6},
            customdata=[[str(step), numbers.full(share)] for step, share in zip(steps, shares, strict=True)],
            hovertemplate=f"<b>{name} from %{{x:.2f}} on</b><br>%{{customdata[1]}}<extra></extra>",
        )
    figure.add_vline(
        x=threshold,
        line={"color": theme.ink("text"), "width": 1},
        annotation_text=f"threshold {threshold:.2f}",
        annotation_position="top",
    )
    figure.update_layout(
        height=380,
        margin={"t": 60, "r": 20},
        xaxis={"range": [-0.02, 1.02], "title": "Share of supported claims from which on an answer is called correct"},
        yaxis={"range": [0, 1.03], "title": "Share, with its 95% interval"},
    )
    return figure


def _whisker(share: Proportion) -> dict[str, object]:
    value = share.value or 0.0
    low = value if share.low is None else share.low
    high = value if share.high is None else share.high
    return {
        "type": "data",
        "symmetric": False,
        "array": [high - value],
        "arrayminus": [value - low],
        "color": theme.ink("faint"),
        "thickness": 1.5,
        "width": 5,
    }


def _label_heights(judges: Sequence[JudgeFigures]) -> list[tuple[JudgeFigures, float]]:
    """Where the name of each judge stands, beside the whiskers: over its mark, and below the name above it."""
    marked_judges = [item for item in judges if item.precision.value is not None and item.recall.value is not None]
    placed: list[tuple[JudgeFigures, float]] = []
    for item in sorted(marked_judges, key=lambda item: -(item.precision.value or 0.0)):
        height = (item.precision.value or 0.0) + LABEL_ABOVE
        placed.append((item, min(height, placed[-1][1] - LABEL_STEP) if placed else height))
    return placed


def _sees(item: JudgeFigures) -> str:
    return "Sees the true answer" if item.sees_reference else "Does not see the true answer"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.14)"
