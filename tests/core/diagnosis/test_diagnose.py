"""Groups, figures and attribution, with the arithmetic shown."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.diagnosis import Attribution, Diagnosis, DiagnosisRow, Tag, diagnose, open_domain_groups
from core.domain.errors import InvalidInput
from core.domain.results.responses import Verdict
from core.domain.sources.evidence import FactEvidence
from core.domain.testset.cases import LOOK_UP, OPERATION

NUMBER = itertools.count()
KEYS = (
    "n",
    "not_judged",
    "accuracy",
    "id_match",
    "context_comparison",
    "refined",
    "retrieval_db",
    "groups",
    "attribution",
    "dangling_ids",
)


def row(
    group: str,
    verdict: str,
    retrieved: Sequence[str] | None = ("d1",),
    gold: Sequence[str] = ("d1",),
    *,
    form: str = "short",
    evidence: FactEvidence | None = None,
    facts: Sequence[str] = (),
    in_context: bool | None = None,
    with_gold: Verdict | None = None,
) -> DiagnosisRow:
    return DiagnosisRow(
        case_id=f"c{next(NUMBER)}",
        group_id=group,
        form=form,
        verdict={"+": Verdict.CORRECT, "-": Verdict.INCORRECT, "?": Verdict.NOT_JUDGED}[verdict],
        true_ids=tuple(gold),
        retrieved_ids=None if retrieved is None else tuple(retrieved),
        evidence=evidence,
        fact_document_ids=tuple(facts),
        in_context=in_context,
        with_gold=with_gold,
    )


def attributions(found: Diagnosis) -> list[Attribution]:
    return [one.attribution for group in found.groups for one in group.rows]


def test_no_rows_give_no_figures() -> None:
    found = diagnose([])
    document = found.as_json()
    assert set(KEYS) <= set(document)
    assert found.n == 0
    assert found.figures.accuracy.value is None
    assert found.figures.retrieval_db.value is None
    assert found.figures.identity.right is None
    assert found.figures.identity.holds
    assert document["groups"] == {tag: {"groups": 0, "rows": 0} for tag in ("gap", "robust", "non_robust")}
    assert document["dangling_ids"] == {"rows": None, "ids": None}, "unknown is not zero"
    assert found.notes == ()


def test_all_groups_gap() -> None:
    found = diagnose([row("g1", "-"), row("g1", "-"), row("g2", "-")]).figures
    assert (found.accuracy.num, found.accuracy.den) == (0, 3)
    assert found.refined.accuracy.value is None
    assert found.identity.right == 0.0
    assert found.identity.holds
    assert (found.retrieval_db.num, found.retrieval_db.den) == (0, 2)


def test_no_judged_row_is_untagged_and_not_incorrect() -> None:
    found = diagnose([row("g1", "?"), row("g1", "?")])
    assert found.groups[0].tag is Tag.UNTAGGED
    assert found.figures.accuracy.value is None
    assert (found.figures.id_match.num, found.figures.id_match.den) == (2, 2), "ids need no verdict"
    assert found.as_json()["untagged"] == {"groups": 1, "rows": 2}
    assert found.notes[0] == "2 of 2 rows have no verdict; they are left out of accuracies."
    replayed = diagnose([row("g1", "?"), row("g1", "+")], unjudged="incorrect")
    assert (replayed.figures.accuracy.num, replayed.figures.accuracy.den) == (1, 2)
    assert replayed.not_judged == 1
    assert "as in the paper" in replayed.notes[0]


def test_figures_of_a_small_run() -> None:
    rows = [
        row("gap", "-", ["d2"]),
        row("gap", "-", ["d2"]),
        row("robust", "+"),
        row("robust", "+"),
        row("mixed", "+", ["d1"]),
        row("mixed", "-", ["d1"]),
        row("mixed", "-", ["d3"]),
        row("mixed", "?", ["d1"]),
    ]
    found = diagnose(rows, known_ids=["d1", "d2", "d3"])
    figures = found.figures
    assert (figures.accuracy.num, figures.accuracy.den) == (3, 7)
    assert (figures.id_match.num, figures.id_match.den) == (5, 8)
    assert (figures.context_comparison.num, figures.context_comparison.den) == (4, 7), "one wrong row had d1"
    assert (figures.refined.accuracy.num, figures.refined.accuracy.den) == (3, 5)
    assert (figures.identity.share.num, figures.identity.share.den) == (5, 7)
    assert figures.identity.holds, "3/7 = 3/5 * 5/7"
    assert (figures.retrieval_db.num, figures.retrieval_db.den) == (2, 3)
    assert dict(figures.attribution) == {
        Attribution.CORRECT: 3,
        Attribution.KNOWLEDGE_GAP: 0,
        Attribution.RETRIEVAL: 3,
        Attribution.LANGUAGE_MODEL: 1,
        Attribution.UNDECIDED: 0,
        Attribution.UNRESOLVED_GAP: 0,
        Attribution.NOT_JUDGED: 1,
    }
    assert figures.attribution_paper[Attribution.KNOWLEDGE_GAP] == 2
    assert figures.accuracy.clusters == 3
    assert figures.shares[Attribution.RETRIEVAL].num == 3
    assert not found.balanced
    assert found.groups[2].attribution == {
        Attribution.CORRECT: 1,
        Attribution.LANGUAGE_MODEL: 1,
        Attribution.RETRIEVAL: 1,
        Attribution.NOT_JUDGED: 1,
    }
    assert (found.groups[2].correct, found.groups[2].judged, found.groups[2].true_ids) == (1, 3, ("d1",))


@pytest.mark.parametrize(
    ("made", "known", "attribution", "reason"),
    [
        (row("g", "-", evidence=FactEvidence.ABSENT), ["d1"], Attribution.KNOWLEDGE_GAP, "No document"),
        (row("g", "-", evidence=FactEvidence.CONTRADICTED), ["d1"], Attribution.KNOWLEDGE_GAP, "another value"),
        (row("g", "-", ["d2", "d1"]), ["d1"], Attribution.LANGUAGE_MODEL, "(d1) was retrieved"),
        (row("g", "-", ["d2"]), ["d1", "d2"], Attribution.RETRIEVAL, "(d1) is in the corpus"),
        (row("g", "-", ["d2"], []), ["d2"], Attribution.UNRESOLVED_GAP, "not known which document"),
        (row("g", "-", ["d2"]), ["d2"], Attribution.UNRESOLVED_GAP, "names no document"),
        (row("g", "-", ["d2"]), None, Attribution.UNRESOLVED_GAP, "without the corpus"),
        (row("g", "-", ["d2"], evidence=FactEvidence.PRESENT), None, Attribution.RETRIEVAL, "is in the corpus"),
        (
            row("g", "-", ["d2"], evidence=FactEvidence.PRESENT),
            ["d2"],
            Attribution.UNRESOLVED_GAP,
            "does not identify it",
        ),
        (row("g", "-", ["d2"], ["x"], facts=["d1"]), ["d1", "d2"], Attribution.RETRIEVAL, "is in the corpus"),
        (row("g", "-", ["d2"], [], facts=["d2"]), ["d2"], Attribution.LANGUAGE_MODEL, "(d2) was retrieved"),
        (row("g", "-", ["d2"], list("abcde")), ["d2"], Attribution.UNRESOLVED_GAP, "a, b, c and 2 more"),
        (row("g", "-", []), ["d1"], Attribution.UNRESOLVED_GAP, "does not report"),
        (row("g", "-", evidence=FactEvidence.UNKNOWN), ["d1"], Attribution.LANGUAGE_MODEL, "was retrieved"),
    ],
)
def test_gap_rows_go_by_evidence(
    made: DiagnosisRow, known: list[str] | None, attribution: Attribution, reason: str
) -> None:
    found = diagnose([made], known_ids=known).groups[0].rows[0]
    assert found.attribution is attribution
    assert reason in found.reason
    assert found.reason.endswith(".")
    assert found.paper is Attribution.KNOWLEDGE_GAP


PRESENT, ABSENT, CONTRADICTED = FactEvidence.PRESENT, FactEvidence.ABSENT, FactEvidence.CONTRADICTED


@pytest.mark.parametrize(
    ("evidence", "in_context", "with_gold", "attribution", "reason"),
    [
        (FactEvidence.UNDECIDED, None, None, Attribution.UNDECIDED, "Words cannot tell"),
        (FactEvidence.UNDECIDED, True, None, Attribution.UNDECIDED, "Words cannot tell"),
        (PRESENT, True, None, Attribution.LANGUAGE_MODEL, "passages state the fact"),
        # the document was retrieved, but not the passage of it that states the fact
        (PRESENT, False, None, Attribution.RETRIEVAL, "which d1 does"),
        (ABSENT, False, None, Attribution.KNOWLEDGE_GAP, "No document"),
        (ABSENT, True, None, Attribution.UNDECIDED, "retrieved passages state it"),
        (CONTRADICTED, True, None, Attribution.UNDECIDED, "retrieved passages state it"),
        # the third witness
        (ABSENT, False, Verdict.CORRECT, Attribution.UNDECIDED, "answered correctly from its gold documents"),
        (CONTRADICTED, False, Verdict.CORRECT, Attribution.UNDECIDED, "answered correctly from its gold documents"),
        (ABSENT, False, Verdict.INCORRECT, Attribution.KNOWLEDGE_GAP, "No document"),
        (PRESENT, False, Verdict.INCORRECT, Attribution.UNDECIDED, "wrong from its gold documents too"),
        (PRESENT, False, Verdict.CORRECT, Attribution.RETRIEVAL, "which d1 does"),
        (PRESENT, True, Verdict.INCORRECT, Attribution.LANGUAGE_MODEL, "passages state the fact"),
        (PRESENT, True, Verdict.NOT_JUDGED, Attribution.LANGUAGE_MODEL, "passages state the fact"),
    ],
)
def test_where_witnesses_disagree_nobody_is_accused(
    evidence: FactEvidence,
    in_context: bool | None,
    with_gold: Verdict | None,
    attribution: Attribution,
    reason: str,
) -> None:
    wrong = row("g", "-", evidence=evidence, facts=["d1"], in_context=in_context, with_gold=with_gold)
    found = diagnose([wrong], known_ids=["d1"]).groups[0].rows[0]
    assert found.attribution is attribution
    assert reason in found.reason
    assert found.paper is Attribution.KNOWLEDGE_GAP


@pytest.mark.parametrize(
    ("retrieved", "in_context", "with_gold", "attribution"),
    [
        (["d1"], None, None, Attribution.LANGUAGE_MODEL),  # as the paper compares contexts
        (["d2"], None, None, Attribution.RETRIEVAL),
        (["d1"], True, None, Attribution.LANGUAGE_MODEL),
        # no other wording was right with these documents, and yet the fact was before the reader
        (["d2"], True, None, Attribution.LANGUAGE_MODEL),
        (["d2"], False, None, Attribution.RETRIEVAL),
        # a right wording with the same documents, of which this one's passages do not state the fact
        (["d1"], False, None, Attribution.UNDECIDED),
        (["d2"], False, Verdict.INCORRECT, Attribution.UNDECIDED),
    ],
)
def test_a_wrong_wording_beside_a_right_one(
    retrieved: list[str], in_context: bool | None, with_gold: Verdict | None, attribution: Attribution
) -> None:
    wrong = row("g", "-", retrieved, evidence=PRESENT, facts=["d1"], in_context=in_context, with_gold=with_gold)
    found = diagnose([row("g", "+"), wrong], known_ids=["d1", "d2"]).groups[0].rows[1]
    assert found.attribution is attribution
    assert found.sufficient is (retrieved == ["d1"]), "the paper's figure stays the paper's"


@pytest.mark.parametrize(
    ("evidence", "in_context", "attribution"),
    [
        (FactEvidence.ABSENT, False, Attribution.UNDECIDED),
        (FactEvidence.CONTRADICTED, False, Attribution.UNDECIDED),
        (FactEvidence.CONTRADICTED, None, Attribution.UNDECIDED),
        (FactEvidence.ABSENT, True, Attribution.LANGUAGE_MODEL),
        (FactEvidence.UNKNOWN, False, Attribution.LANGUAGE_MODEL),
    ],
)
def test_a_right_wording_of_what_no_document_states_accuses_nobody(
    evidence: FactEvidence, in_context: bool | None, attribution: Attribution
) -> None:
    """The documents lack the fact, says their evidence; they suffice, says the right answer: one of them is wrong."""
    wrong = row("g", "-", ["d1"], evidence=evidence, in_context=in_context)
    found = diagnose([row("g", "+"), wrong], known_ids=["d1", "d2"]).groups[0].rows[1]
    assert found.attribution is attribution
    assert ("another wording" in found.reason) is (attribution is Attribution.UNDECIDED)


@pytest.mark.parametrize(("operation", "said"), [("count", "computed from several rows"), (LOOK_UP, "Words cannot")])
def test_a_computed_answer_that_no_document_states_is_said_to_be_one(operation: str, said: str) -> None:
    wrong = replace(row("g", "-", ["d1"], evidence=FactEvidence.UNDECIDED), attributes={OPERATION: operation})
    found = diagnose([wrong], known_ids=["d1"]).groups[0].rows[0]
    assert found.attribution is Attribution.UNDECIDED
    assert said in found.reason


def test_a_target_that_tells_nothing_is_not_accused_of_retrieval() -> None:
    for retrieved in (None, ()):
        rows = [row("g", "+", retrieved), row("g", "-", retrieved), row("h", "-", retrieved)]
        found = diagnose(rows, known_ids=["d1"])
        assert found.figures.attribution[Attribution.UNRESOLVED_GAP] == 2
        assert found.figures.id_match.value is None
        assert found.figures.context_comparison.value is None
        assert "retrieval cannot be assessed" in " ".join(found.notes)


def test_a_row_that_retrieved_nothing_among_others_is_a_miss() -> None:
    found = diagnose([row("g", "-", []), row("h", "+")], known_ids=["d1"])
    assert attributions(found)[0] is Attribution.RETRIEVAL


def test_context_comparison_beyond_one_document() -> None:
    rows = [
        row("g", "+", ["d9", "d1"]),
        row("g", "-", ["d1", "d8"]),  # has d1, the gold one the correct row needed
        row("g", "-", ["d9", "d8"]),  # has not
        row("g", "-", ["d9", "d1"]),  # the very same, in order
        row("g", "-", ["d1", "d9"]),  # the same set
    ]
    found = diagnose(rows)
    assert [one.sufficient for one in found.groups[0].rows] == [None, True, False, True, True]
    assert [one.sufficient_ordered for one in found.groups[0].rows] == [None, False, False, True, False]
    assert (found.figures.context_comparison.num, found.figures.context_comparison_ordered.num) == (4, 2)
    assert rows[0].case_id in found.groups[0].rows[1].reason
    assert found.groups[0].rows[2].reason.startswith("No other wording of the group")


def test_without_gold_all_retrieved_ids_must_be_there() -> None:
    rows = [row("g", "+", ["a", "b"], []), row("g", "-", ["b", "c", "a"], []), row("g", "-", ["a", "c"], [])]
    assert [one.sufficient for one in diagnose(rows).groups[0].rows] == [None, True, False]


def test_a_correct_row_that_missed_the_gold_document_vouches_with_what_it_had() -> None:
    rows = [row("g", "+", ["x", "y"]), row("g", "-", ["x", "y", "z"]), row("g", "-", ["x"])]
    assert [one.sufficient for one in diagnose(rows).groups[0].rows] == [None, True, False]


def test_a_correct_row_without_documents_vouches_only_for_its_like() -> None:
    rows = [row("g", "+", []), row("g", "-", []), row("g", "-", ["d1"]), row("h", "+")]
    assert [one.sufficient for one in diagnose(rows).groups[0].rows] == [None, True, False]


def test_two_gold_documents_and_two_witnesses() -> None:
    gold = ["a", "b"]
    rows = [row("g", "+", ["a", "b"], gold), row("g", "-", ["b", "x", "a"], gold), row("g", "-", ["b", "x"], gold)]
    assert [one.sufficient for one in diagnose(rows).groups[0].rows] == [None, True, False]
    partly = diagnose([row("g", "+", ["b", "x"], gold), *rows[1:]])
    assert [one.sufficient for one in partly.groups[0].rows] == [None, True, True]


@pytest.mark.parametrize("seed", range(40))
def test_context_comparison_is_definition_six(seed: int) -> None:
    draw = random.Random(seed)
    rows = [
        row(
            f"g{draw.randrange(4)}",
            draw.choice("++--?"),
            draw.sample("abcde", draw.randint(1, 3)),
            draw.sample("abc", 2),
        )
        for _ in range(60)
    ]
    found = diagnose(rows)
    for group in found.groups:
        correct = [one.row for one in group.rows if one.correct]
        for one in group.rows:
            if one.verdict is not Verdict.INCORRECT or not correct:
                assert one.sufficient is None
                continue
            have = set(one.row.retrieved_ids or ())
            needs = [(set(c.true_ids) & set(c.retrieved_ids or ())) or set(c.retrieved_ids or ()) for c in correct]
            assert one.sufficient == any(need <= have for need in needs)
    figures = found.figures
    assert figures.context_comparison.num >= figures.context_comparison_ordered.num >= figures.accuracy.num
    assert sum(figures.attribution.values()) == len(rows) == sum(figures.attribution_paper.values())
    assert figures.identity.holds
    shuffled = rows.copy()
    draw.shuffle(shuffled)
    assert diagnose(shuffled).figures == figures, "order does not matter"


def test_override_trusts_ids_over_the_judge() -> None:
    rows = [row("g", "+", ["d2"]), row("g", "+", ["d1"]), row("g", "?", ["d2"]), row("g", "+", ["d2"], [])]
    found = diagnose(rows, policy="override").figures
    assert (found.accuracy.num, found.accuracy.den) == (2, 4), "unknown gold leaves the verdict as it is"


def test_namespaces_keep_tables_apart() -> None:
    rows = [
        row("g", "+", ["people:1"], ["company:1"]),
        row("h", "+", ["1"], ["Company:1.0"]),
        row("i", "+", ["company:1"], ["1"]),
    ]
    assert [one.documents.id_match for group in diagnose(rows).groups for one in group.rows] == [False, True, False]


def test_forms_are_groups_of_their_own_unless_pooled() -> None:
    rows = [row("g", "+"), row("g", "+"), row("g", "-", form="long"), row("h", "-"), row("h", "-", form="long")]
    apart, pooled = diagnose(rows), diagnose(rows, grouping="pooled")
    assert [group.tag for group in apart.groups] == [Tag.ROBUST, Tag.GAP, Tag.GAP, Tag.GAP]
    assert [group.tag for group in pooled.groups] == [Tag.NON_ROBUST, Tag.GAP]
    assert attributions(pooled)[2] is Attribution.LANGUAGE_MODEL, "the short form was answered with the same document"
    for found in (apart, pooled):
        assert found.form is None
        assert [one.n for one in found.by_form.values()] == [3, 2]
        assert found.by_form["long"].figures.tags[Tag.GAP].groups == 2
        assert found.mutual is not None
        assert found.mutual.tags == {"g": Tag.NON_ROBUST, "h": Tag.GAP}
        refined = {form: (one.num, one.den) for form, one in found.mutual.refined.items()}
        assert refined == {"short": (2, 2), "long": (0, 1)}
        assert not found.mutual.comparable
        document = found.as_json()
        assert list(document["by_form"]) == ["short", "long"]  # type: ignore[call-overload]
        assert document["mutual"]["groups"]["gap"] == {"groups": 1, "rows": 2}  # type: ignore[index]
    assert apart.figures.accuracy.clusters == 2
    alone = diagnose([row("g", "?"), row("g", "?", form="long")])
    assert alone.mutual is not None
    assert alone.mutual.tags == {"g": Tag.UNTAGGED}


def test_open_domain_groups_are_taken_out() -> None:
    model_alone = [row("g1", "+", None), row("g2", "-", None), row("g3", "?", None)]
    outside = open_domain_groups(model_alone)
    assert outside == {"g1"}
    found = diagnose([row("g1", "+"), row("g2", "+"), row("g3", "-")], open_domain=outside)
    assert found.retrieval_db_closed is not None
    assert (found.retrieval_db_closed.num, found.retrieval_db_closed.den) == (1, 2)
    assert "retrieval_db_without_open_domain" in found.as_json()


def test_groups_of_one_are_counted_apart() -> None:
    found = diagnose([row("a", "+"), row("b", "-"), row("c", "-"), row("c", "?"), row("d", "+"), row("d", "+")])
    assert dict(found.singles) == {Tag.GAP: 2, Tag.ROBUST: 1}
    assert "3 groups have one judged row" in " ".join(found.notes)
    assert "1 group has one judged row" in " ".join(diagnose([row("a", "+"), row("b", "-"), row("b", "-")]).notes)


def test_evidence_of_a_group_is_the_first_that_was_looked_up() -> None:
    found = diagnose([row("a", "-"), row("a", "-", evidence=FactEvidence.ABSENT)]).groups[0]
    assert found.evidence is FactEvidence.ABSENT
    assert diagnose([row("a", "-")]).groups[0].evidence is None


@pytest.mark.parametrize("option", [{"policy": "strict"}, {"unjudged": "maybe"}, {"grouping": "table"}])
def test_unknown_options_are_refused(option: dict[str, str]) -> None:
    with pytest.raises(InvalidInput, match="Choose one of"):
        diagnose([], **option)  # type: ignore[arg-type]


def test_dangling_ids_need_a_corpus() -> None:
    rows = [row("a", "-", ["d2"], ["x", "d1"]), row("b", "-", ["d2"], ["x"]), row("c", "-", ["d2"], [])]
    found = diagnose(rows, known_ids=["d1", "d2"])
    assert found.as_json()["dangling_ids"] == {"rows": 2, "ids": 1}
    assert diagnose(rows).dangling is None


def test_a_contradiction_names_the_document_and_its_value():
    """The case has no gold document: another one states another value, and a person has to find it."""
    contradicted = replace(
        row("g", "-", gold=(), evidence=FactEvidence.CONTRADICTED), other_document_id="hut.txt", other_value="38.50"
    )
    found = diagnose([contradicted], known_ids=["hut.txt"]).groups[0].rows[0]
    assert found.attribution is Attribution.KNOWLEDGE_GAP
    assert found.reason == 'hut.txt states another value than the database: "38.50".'
