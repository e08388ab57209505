"""Where answers of MTRAG are weak: what docs/mtrag-weakness.md says of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.mtrag import Scored
from bench.mtrag_weakness import DOCS, ScoreWeakness, find, read_tasks

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found(mtrag_file: Path, mtrag_scored: Scored) -> dict[str, ScoreWeakness]:
    return {one.name: one for one in find(mtrag_scored, read_tasks(mtrag_file))}


def weak(found: ScoreWeakness, *, coarse: bool = False) -> set[str]:
    margins = found.coarse if coarse else found.margins
    return {
        margin.attribute.levels[place]
        for margin in margins
        for place in margin.worst_first.tolist()
        if margin.levels.weak[place]
    }


@pytest.mark.parametrize("name", ["faithfulness of people", "completeness of people", "our faithfulness"])
def test_people_and_our_score_find_the_same_weaknesses(found: dict[str, ScoreWeakness], name: str) -> None:
    assert {"unanswerable", "partial", "Wikipedia (clapnq)"} <= weak(found[name])
    assert "unanswerable" in weak(found[name], coarse=True)


def test_no_question_type_system_or_cell_is_called_weak(found: dict[str, ScoreWeakness]) -> None:
    for one in found.values():
        assert not one.map.cells.weak.any()
        assert not weak(one) & {*one.map.rows.levels, "gpt-4o", "llama-3.1-405b-instruct"}


def test_the_page_says_so() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert text.count("| answerability | unanswerable | ") == 3
    assert "weak among them: none" in text
