"""From what is weak to findings: one for each set of cases that others do not explain."""

from dataclasses import replace

import numpy as np
import pytest

from core.domain.errors import InvalidInput
from core.domain.results.findings import FindingKind, Severity
from core.weakness import CaseTable, ScoreColumn, WeaknessOptions, attribute_of, bivariate
from core.weakness.findings.drafts.drafting import draft_findings
from core.weakness.findings.drafts.facts import Labels, ScoreWords
from core.weakness.findings.drafts.families import cells, levels, pairs_of, usable
from core.weakness.findings.drafts.severity import lost_of, severity_of, spread_of
from core.weakness.slices.finder import find_slices
from tests.support.weakness.planted_table import planted_table

WORDS = ScoreWords(label="Verdict", kind="verdict")
NAMES = ("topic", "answer_type", "form")


def drafted(table, **asked):
    found = draft_findings(table, WORDS, **asked)
    return {(draft.kind.value, draft.conditions) for draft in found.drafts}


def in_cell(topic, kind, form):
    return 2 if (topic, kind) == ("loans", "number") else 8


def test_where_nothing_is_weak_nothing_is_found():
    found = draft_findings(planted_table(lambda *_: 8), WORDS)
    assert found.drafts == ()
    assert found.looked_at.attributes == NAMES
    # 4 + 3 + 2 levels; 12 + 8 + 6 cells.
    assert (found.looked_at.levels, found.looked_at.cells) == (9, 26)


def test_a_weak_cell_is_told_and_not_its_row_and_column():
    table = planted_table(in_cell)
    alone = levels(table, NAMES, WeaknessOptions())
    assert {candidate.conditions for candidate in alone.candidates} == {
        (("topic", "loans"),),
        (("answer_type", "number"),),
    }
    [draft] = draft_findings(table, WORDS).drafts
    assert draft.kind is FindingKind.CELL
    assert draft.conditions == (("topic", "loans"), ("answer_type", "number"))
    assert draft.positions.size == 20
    assert draft.figures["scored"] == 20
    assert draft.figures["mean"] == 0.2
    assert draft.figures["rest"] == pytest.approx(0.8)
    assert draft.figures["tested"] == 26
    # 0.6 of 20 cases, of 60 that fail.
    assert draft.figures["explains"] == pytest.approx(12.0)
    assert draft.figures["lost"] == 60.0 - 4 * 1.0 + 4.0
    assert draft.severity is Severity.HIGH
    assert "(4/20); all other questions in 0.80 (176/220)" in draft.text
    assert "The two attributes by themselves explain" in draft.text


def test_a_weak_level_is_told_and_not_its_cells():
    table = planted_table(lambda topic, *_: 3 if topic == "fees" else 8)
    assert drafted(table) == {("level", (("topic", "fees"),))}


def test_a_weak_level_with_a_cell_that_is_weaker_still():
    def right(topic, kind, _):
        return 0 if (topic, kind) == ("fees", "text") else 6 if topic == "fees" else 10

    assert drafted(planted_table(right)) == {
        ("level", (("topic", "fees"),)),
        ("cell", (("topic", "fees"), ("answer_type", "text"))),
    }


def donations(*, others: int) -> CaseTable:
    """Four tables of forty cases; donations all ask for a text with two values, and so do some of each other table.

    Args:
        others: How many of each other table do; they are wrong as donations are, and six of ten of the rest are right.
    """
    rows = []
    for name in ("donation", "donor", "site", "staff"):
        for place in range(40):
            two = name == "donation" or place < others
            rows.append(
                (name, "text" if two or place % 4 == 0 else "number", "2" if two or place % 4 == 1 else "1", two)
            )
    values = [0.0 if two else float(place % 5 < 3) for place, (*_, two) in enumerate(rows)]
    return CaseTable(
        case_ids=tuple(f"c{place}" for place in range(len(rows))),
        clusters=np.arange(len(rows)),
        score=ScoreColumn(name="verdict", values=np.array(values)),
        attributes=tuple(
            attribute_of(name, [row[column] for row in rows])
            for column, name in enumerate(("table", "answer_type", "placeholders"))
        ),
    )


def test_a_level_that_is_most_of_a_weak_cell_is_told():
    donation = ("level", (("table", "donation"),))
    cell = ("cell", (("answer_type", "text"), ("placeholders", "2")))
    # 40 of the 70 cases of the cell are about donations, and the other 30 are as wrong.
    assert drafted(donations(others=10)) == {donation, cell}
    # 40 of 43: without them the cell has too little to be weak.
    assert drafted(donations(others=1)) == {donation}
    # 40 of 100: the cell has the plainer name.
    assert drafted(donations(others=20)) == {cell}


def test_two_weak_levels_of_different_attributes():
    def right(topic, _, form):
        return 9 - 4 * (topic == "cards") - 4 * (form == "long")

    assert drafted(planted_table(right)) == {("level", (("topic", "cards"),)), ("level", (("form", "long"),))}


def test_a_slice_with_the_cases_of_a_cell_is_told_as_the_cell():
    table = planted_table(in_cell)
    found = find_slices(table)
    assert [one.conditions for one in found.weak]
    assert drafted(table, slices=found) == {("cell", (("topic", "loans"), ("answer_type", "number")))}


def test_a_slice_that_nothing_simpler_explains():
    def right(topic, kind, form):
        return 0 if (topic, kind, form) == ("loans", "number", "long") else 9

    rows = [planted_table(right) for _ in range(4)]
    table = CaseTable(
        case_ids=tuple(f"c{place}" for place in range(960)),
        clusters=np.arange(960),
        score=ScoreColumn(name="verdict", values=np.concatenate([one.score.values for one in rows])),
        attributes=tuple(
            attribute_of(name, [one.attribute(name).levels[code] for one in rows for code in one.attribute(name).codes])
            for name in NAMES
        ),
    )
    slices = find_slices(table)
    found = [draft for draft in draft_findings(table, WORDS, slices=slices).drafts if draft.kind is FindingKind.SLICE]
    [draft] = found
    assert set(draft.conditions) == {("topic", "loans"), ("answer_type", "number"), ("form", "long")}
    assert draft.positions.size == 40
    assert draft.figures["search"]["n"] == 40
    assert draft.figures["explains"] == pytest.approx(0.9 * 40, abs=1.5)
    assert draft.text.startswith("On the ")


def test_the_same_parts_under_two_names_are_looked_at_once():
    table = planted_table(lambda topic, *_: 3 if topic == "fees" else 8)
    codes = table.attribute("topic")
    twin = attribute_of("subject", [f"about {codes.levels[code]}" for code in codes.codes])
    both = CaseTable(
        case_ids=table.case_ids, clusters=table.clusters, score=table.score, attributes=(*table.attributes, twin)
    )
    found = draft_findings(both, WORDS)
    assert [draft.conditions for draft in found.drafts] == [(("topic", "fees"),)]
    assert found.looked_at.left_out == ("subject divides the cases as topic does.",)
    assert usable(both)[1] == found.looked_at.left_out


def test_a_share_without_a_score_is_a_note_and_makes_nothing_weak():
    table = planted_table(lambda *_: 4, missing=lambda topic, *_: 5 if topic == "savings" else 0)
    found = draft_findings(table, WORDS)
    # 24 of 30 scored savings questions are right, 72 of 180 others: they are better, not worse.
    [draft] = found.drafts
    assert (draft.kind, draft.conditions) == (FindingKind.UNSCORED, (("topic", "savings"),))
    assert draft.severity is Severity.LOW
    assert "have no score in 0.50 (30/60), all others in 0.00 (0/180)" in draft.text


@pytest.mark.parametrize("value", [np.nan, 0.0, 1.0])
def test_no_scores_or_all_the_same_are_no_weakness(value):
    table = planted_table(lambda *_: 10)
    score = ScoreColumn(name="verdict", values=np.full(len(table), value))
    same = CaseTable(case_ids=table.case_ids, clusters=table.clusters, score=score, attributes=table.attributes)
    assert draft_findings(same, WORDS).drafts == ()


def test_no_cases_and_no_attributes():
    none = CaseTable(
        case_ids=(),
        clusters=np.empty(0, dtype=np.int64),
        score=ScoreColumn(name="v", values=np.empty(0)),
        attributes=(),
    )
    found = draft_findings(none, WORDS)
    assert (found.drafts, found.looked_at.levels, found.looked_at.cells) == ((), 0, 0)


def test_only_what_is_named_is_looked_at():
    table = planted_table(in_cell)
    assert drafted(table, attributes=["form"]) == set()
    assert drafted(table, attributes=["topic"], pairs=[]) == {("level", (("topic", "loans"),))}
    pair = [("answer_type", "topic")]
    assert drafted(table, attributes=[], pairs=pair) == {("cell", (("answer_type", "number"), ("topic", "loans")))}
    with pytest.raises(InvalidInput, match="no attribute colour"):
        drafted(table, attributes=["colour"])
    with pytest.raises(InvalidInput, match="Both attributes are form"):
        drafted(table, pairs=[("form", "form")])


def test_attributes_are_called_as_people_call_them():
    table = planted_table(lambda _, kind, __: 2 if kind == "date" else 8)
    labelled = CaseTable(
        case_ids=table.case_ids,
        clusters=table.clusters,
        score=table.score,
        attributes=(
            attribute_of(
                "len", [table.attribute("answer_type").levels[c] for c in table.attribute("answer_type").codes]
            ),
        ),
    )
    [draft] = draft_findings(labelled, WORDS, labels=Labels(of={"len": "length of the question"})).drafts
    assert draft.text.startswith("Questions with length of the question: date are answered")


def test_a_family_is_adjusted_as_a_whole():
    table = planted_table(in_cell)
    family = cells(table, [("topic", "answer_type"), ("topic", "form"), ("answer_type", "form")], WeaknessOptions())
    assert family.tested == 26
    one = cells(table, [("topic", "answer_type")], WeaknessOptions())
    assert one.tested == 12
    assert one.candidates[0].p_value == family.candidates[0].p_value
    assert one.candidates[0].facts.p_adjusted < family.candidates[0].facts.p_adjusted
    assert one.candidates[0].limit >= one.candidates[0].p_value


def test_pairs_that_say_nothing_new_are_left_out():
    n = 600
    fine = attribute_of("fine", [f"f{place % 12:02}" for place in range(n)])
    coarse = attribute_of("coarse", [f"c{place % 12 // 3}" for place in range(n)])
    many = attribute_of("many", [f"m{place % 60:02}" for place in range(n)])
    pairs, left_out = pairs_of([fine, coarse, many])
    assert pairs == ()
    assert left_out == ("many has 60 levels, too many to be paired.",)
    rng = np.random.default_rng(1)
    random = [attribute_of(f"a{number:02}", [str(value) for value in rng.integers(3, size=n)]) for number in range(11)]
    pairs, left_out = pairs_of(random)
    assert len(pairs) == 45
    assert left_out == ("10 of 55 pairs were left out; name the pairs to examine.",)


def test_five_thousand_levels_and_one_level():
    n = 5_000
    table = CaseTable(
        case_ids=tuple(map(str, range(n))),
        clusters=np.arange(n),
        score=ScoreColumn(name="v", values=(np.arange(n) % 5 > 0).astype(float)),
        attributes=(attribute_of("own", [str(place) for place in range(n)]), attribute_of("all", ["same"] * n)),
    )
    found = draft_findings(table, WORDS)
    assert found.drafts == ()
    assert found.looked_at.levels == 0
    assert found.looked_at.left_out == ("all has one level.", "own has 5,000 levels, too many to be paired.")


def test_the_worst_comes_first():
    def right(topic, kind, form):
        return 0 if topic == "loans" else 4 if (topic, kind, form) == ("fees", "date", "long") else 9

    found = draft_findings(planted_table(right), WORDS).drafts
    assert found[0].conditions == (("topic", "loans"),)
    assert [draft.rank() for draft in found] == sorted(draft.rank() for draft in found)


def test_severity_by_rule():
    # What a part explains is effect x cases; 60 are lost.
    assert severity_of(0.20, 30, 60.0) is Severity.HIGH  # 6 of 60
    assert severity_of(0.19, 60, 60.0) is Severity.MEDIUM  # effect below 0.20
    assert severity_of(0.20, 29, 60.0) is Severity.MEDIUM  # 5.8, less than a tenth
    assert severity_of(0.50, 5, 60.0) is Severity.LOW  # 2.5 cases
    assert severity_of(0.20, 20, 200.0) is Severity.LOW  # 4 of 200, 2%


def test_what_is_lost_is_told_in_parts_of_the_range():
    values = np.array([0.0, 1.0, np.nan, 0.5])
    assert lost_of(ScoreColumn(name="v", values=values)) == 1.5
    assert lost_of(ScoreColumn(name="v", values=values, higher_is_better=False)) == 1.5
    assert lost_of(ScoreColumn(name="v", values=1.0 + 4.0 * values, low=1.0, high=5.0)) == 1.5
    free = ScoreColumn(name="v", values=np.array([1.0, 3.0]), low=None, high=None)
    # Mean 2, deviation 1: the first lacks 1 of 4.
    assert (spread_of(free), lost_of(free)) == (4.0, 0.25)
    assert lost_of(ScoreColumn(name="v", values=np.full(3, np.nan))) == 0.0


def test_cells_of_a_family_are_those_of_the_map():
    rng = np.random.default_rng(7)
    table = planted_table(in_cell)
    holes = tuple(
        replace(attribute, codes=np.where(rng.random(240) < 0.1, -1, attribute.codes)) for attribute in table.attributes
    )
    table = replace(table, attributes=holes, clusters=np.arange(240) // 2)
    [candidate] = cells(table, [("topic", "answer_type")], WeaknessOptions()).candidates
    whole = bivariate(table, "topic", "answer_type")
    [place] = np.flatnonzero(whole.cells.weak)
    assert candidate.conditions == (("topic", "loans"), ("answer_type", "number"))
    assert candidate.positions.tolist() == np.flatnonzero(whole.codes == place).tolist()
    assert candidate.p_value == whole.cells.p_value[place]
    assert candidate.facts.p_adjusted == whole.cells.p_adjusted[place]
    assert (candidate.facts.mean, candidate.facts.rest) == (whole.cells.mean[place], whole.cells.rest[place])
