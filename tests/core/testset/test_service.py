"""Test sets: built, thinned out, frozen, deleted."""

import threading
from collections import Counter

import pytest

from core.domain.errors import Conflict, Forbidden, InvalidInput, InvalidTemplate, NotFound
from core.domain.testset.cases import cases_hash
from core.domain.testset.templates import TemplateStatus
from core.store.database import Store
from core.store.testset import testsets
from core.store.trail import audit
from core.testset.service import (
    build_test_set,
    delete_test_set,
    exclude_case,
    expected_questions,
    freeze_test_set,
)
from core.testset.templates.review import set_sql_status, set_text_status
from tests.core.testset.conftest import CITY, CITY_SHORT, MANAGER
from tests.support.small_bank import ACTOR
from tests.support.stores import sqlite_url

LONG = (
    "I am writing a letter to somebody who has asked about it, and before I send it off today I would like to be quite "
    "sure in which city I would find the branch '[branch.name]'."
)


@pytest.fixture
def ready(bank):
    """The bank with one template, worded twice in short and once in long form: six branches."""
    template = bank.approved_sql(CITY, CITY.replace("SELECT city", "SELECT city, branch_id"))
    for text in (CITY_SHORT, "'[branch.name]': its city"):
        bank.approved_text(template, text)
    bank.approved_text(template, LONG, "long")
    return bank


def build(bank, **options):
    return build_test_set(bank.store, bank.project_id, actor=ACTOR, **{"name": "Cities", **options})


def cases_of(bank, test_set, **options):
    with bank.store.read() as connection:
        return testsets.cases(connection, test_set.id, **options)


def in_parallel(*jobs):
    """Runs jobs at the same time; the error of each, None where it went through."""
    outcomes = [None] * len(jobs)
    barrier = threading.Barrier(len(jobs))

    def run(place, job):
        barrier.wait()
        try:
            job()
        except Conflict as error:
            outcomes[place] = error

    threads = [threading.Thread(target=run, args=(place, job)) for place, job in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_a_test_set_is_built_from_what_is_approved(ready):
    draft = build(ready, name="  Cities ")
    assert (draft.name, draft.version, draft.frozen, draft.content_hash) == ("Cities", 1, False, "")
    # Balanced: one wording a form, as the long form has; 6 branches.
    assert draft.counts == {
        "sql_templates": 1,
        "sql_queries": 6,
        "text_templates": {"short": 1, "long": 1},
        "questions": {"short": 6, "long": 6},
    }
    assert draft.drops == {}
    assert draft.options["balanced"] is True
    assert draft.options["source_fingerprint"]
    cases = cases_of(ready, draft)
    assert Counter(case.form for case in cases) == Counter(short=6, long=6)
    assert {case.gold_document_ids for case in cases} == {(f"branch:{number}",) for number in range(1, 7)}
    assert build(ready, balanced=False).counts["questions"] == {"short": 12, "long": 6}
    assert "test_set.build" in ready.actions()


@pytest.mark.slow
def test_a_name_again_is_its_next_version(ready):
    assert [build(ready).version, build(ready).version, build(ready, name="Other").version] == [1, 2, 1]
    with pytest.raises(InvalidInput, match="has no name"):
        build(ready, name="  ")


def test_nothing_approved_makes_no_test_set(bank):
    with pytest.raises(InvalidInput, match="No SQL template is approved"):
        build(bank)
    template = bank.approved_sql(CITY)
    bank.saved_text(template, CITY_SHORT)
    with pytest.raises(InvalidInput, match="No text template is approved"):
        build(bank)


def test_the_reasons_are_said_when_no_question_comes_out(bank):
    city, manager = bank.approved_sql(CITY), bank.approved_sql(MANAGER)
    bank.approved_text(city, CITY_SHORT)
    bank.approved_text(manager, "Who manages '[branch.name]'", "formal")
    with pytest.raises(InvalidInput, match=r"no question \(template without a wording in every form: 2\)"):
        build(bank)


@pytest.mark.slow
def test_a_limit_keeps_whole_groups(ready):
    limited = build(ready, limit=5)
    # A group has 2 questions, so that 5 hold two groups.
    assert (limited.counts["sql_queries"], limited.drops) == (2, {"over the limit": 4})
    with pytest.raises(InvalidInput, match="A limit of 1 questions is below one group"):
        build(ready, limit=1)
    with pytest.raises(InvalidInput, match="at most 0 questions"):
        build(ready, limit=0)


def test_the_same_seed_makes_the_same_test_set(ready):
    first, second = (freeze_test_set(ready.store, build(ready, limit=6, seed=3).id, actor=ACTOR) for _ in range(2))
    other = freeze_test_set(ready.store, build(ready, limit=6, seed=4).id, actor=ACTOR)
    assert first.content_hash == second.content_hash != other.content_hash


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("ALTER TABLE branch RENAME COLUMN city TO town", "city"),
        ("UPDATE branch SET name = 'Same'", "0 of 1 placeholder values"),
        ("UPDATE branch SET city = NULL", "holds no value"),
    ],
)
def test_an_approved_template_whose_database_changed(ready, change, reason):
    manager = ready.approved_sql(MANAGER)
    ready.approved_text(manager, "Manager of '[branch.name]'")
    ready.change(change)
    with pytest.raises(InvalidTemplate, match=rf"no longer fits the database: SELECT city.*{reason}"):
        build(ready)


COLLECTED = "SELECT GROUP_CONCAT(a.name) FROM account AS a, account AS b, branch WHERE branch.name = '[branch.name]'"
MORE = """INSERT INTO account SELECT account_id + (SELECT MAX(account_id) FROM account), name, monthly_fee, branch_id
FROM account;"""


@pytest.mark.slow
def test_a_template_that_a_limit_ends_is_left_out_and_named_and_the_set_is_built(ready):
    before = build(ready)
    collected = ready.approved_sql(COLLECTED)
    ready.approved_text(collected, "Which accounts has '[branch.name]'?")
    ready.approved_text(collected, "Accounts of '[branch.name]'")
    ready.approved_text(collected, LONG.replace("in which city I would find", "which accounts belong to"), "long")
    ready.change(MORE * 10)  # 12,288 accounts: every pairing of them is too much for one value
    after = build(ready)
    assert [case.question for case in cases_of(ready, after)] == [case.question for case in cases_of(ready, before)]
    assert after.drops == {"template ended by a limit": 1}
    (named,) = after.options["stopped_templates"]
    assert (named["template_id"], named["sql"]) == (collected.id, COLLECTED)
    assert "could collect" in named["reason"]
    assert named["remedy"]
    others = [template.id for template in ready.sql() if template.id != collected.id]
    set_sql_status(ready.store, ready.project_id, others, TemplateStatus.REJECTED, actor=ACTOR)
    with pytest.raises(InvalidInput, match="a limit ended the template SELECT GROUP_CONCAT"):
        build(ready)


def test_how_many_templates_no_longer_fit(ready):
    ready.approved_sql(MANAGER)
    ready.change("UPDATE branch SET name = 'Same'")
    with pytest.raises(InvalidTemplate, match="1 more no longer fit either"):
        build(ready)
    set_sql_status(ready.store, ready.project_id, [one.id for one in ready.sql()], TemplateStatus.REJECTED, actor=ACTOR)
    with pytest.raises(InvalidInput, match="No SQL template is approved"):
        build(ready)


@pytest.mark.slow
def test_a_frozen_set_never_changes(ready):
    draft = build(ready)
    cases = cases_of(ready, draft)
    exclude_case(ready.store, draft.id, cases[0].case_id, " odd ", actor=ACTOR)
    frozen = freeze_test_set(ready.store, draft.id, actor=ACTOR)
    assert frozen.content_hash == cases_hash(cases[1:]) == cases_hash(tuple(reversed(cases[1:])))
    assert frozen.frozen
    for change in (
        lambda: freeze_test_set(ready.store, draft.id, actor=ACTOR),
        lambda: exclude_case(ready.store, draft.id, cases[1].case_id, "late", actor=ACTOR),
        lambda: exclude_case(ready.store, draft.id, cases[0].case_id, "", actor=ACTOR),
        lambda: delete_test_set(ready.store, draft.id, actor=ACTOR),
    ):
        with pytest.raises(Conflict, match="frozen"):
            change()
    assert cases_of(ready, draft) == cases[1:]
    # What it was made from may go; the cases stay.
    set_text_status(ready.store, ready.project_id, [ready.texts()[0].id], TemplateStatus.REJECTED, actor=ACTOR)
    assert cases_hash(cases_of(ready, draft)) == frozen.content_hash


def test_the_audit_trail_says_how_many_cases_were_frozen(ready):
    draft = build(ready)
    freeze_test_set(ready.store, draft.id, actor=ACTOR)
    with ready.store.read() as connection:
        (entry,) = [one for one in audit.entries(connection, ready.project_id) if one.action == "test_set.freeze"]
    assert (entry.subject, entry.detail) == (draft.id, '{"cases":12}')


def test_a_case_is_excluded_with_a_reason_and_put_back(ready):
    draft = build(ready)
    case = cases_of(ready, draft)[3]
    exclude_case(ready.store, draft.id, case.case_id, "ambiguous", actor=ACTOR)
    assert len(cases_of(ready, draft)) == 11
    assert [one.excluded for one in cases_of(ready, draft, include_excluded=True) if one.excluded] == ["ambiguous"]
    exclude_case(ready.store, draft.id, case.case_id, "  ", actor=ACTOR)
    assert cases_of(ready, draft)[3] == case
    assert {"test_set.exclude", "test_set.include"} <= set(ready.actions())
    with pytest.raises(NotFound):
        exclude_case(ready.store, draft.id, "c_no", "x", actor=ACTOR)


def test_an_empty_set_is_not_frozen(ready):
    draft = build(ready, limit=2)
    for case in cases_of(ready, draft):
        exclude_case(ready.store, draft.id, case.case_id, "no", actor=ACTOR)
    with pytest.raises(InvalidInput, match="no case left"):
        freeze_test_set(ready.store, draft.id, actor=ACTOR)
    with ready.store.read() as connection:
        assert not testsets.get(connection, draft.id).frozen
    assert "test_set.freeze" not in ready.actions()


@pytest.mark.slow
def test_two_freeze_at_once_and_one_does(ready, tmp_path):
    with Store.open(sqlite_url(tmp_path / "data")) as second:
        for _ in range(5):
            draft = build(ready)
            outcomes = in_parallel(
                lambda draft=draft: freeze_test_set(ready.store, draft.id, actor=ACTOR),
                lambda draft=draft: freeze_test_set(second, draft.id, actor=ACTOR),
            )
            assert [type(error) for error in outcomes].count(Conflict) == 1


@pytest.mark.slow
def test_what_is_hashed_is_what_is_frozen(ready, tmp_path):
    with Store.open(sqlite_url(tmp_path / "data")) as second:
        for _ in range(5):
            draft = build(ready)
            case = cases_of(ready, draft)[0]
            in_parallel(
                lambda draft=draft: freeze_test_set(ready.store, draft.id, actor=ACTOR),
                lambda draft=draft, case=case: exclude_case(second, draft.id, case.case_id, "x", actor=ACTOR),
            )
            with ready.store.read() as connection:
                frozen = testsets.get(connection, draft.id)
            assert frozen.content_hash == cases_hash(cases_of(ready, draft))


@pytest.mark.slow
def test_two_builds_at_once_are_two_versions(ready, tmp_path):
    with Store.open(sqlite_url(tmp_path / "data")) as second:
        for _ in range(3):
            outcomes = in_parallel(
                lambda: build(ready),
                lambda: build_test_set(second, ready.project_id, actor=ACTOR, name="Cities"),
            )
            assert outcomes == [None, None]
    with ready.store.read() as connection:
        versions = [one.version for one in testsets.all(connection, ready.project_id)]
    assert sorted(versions) == [1, 2, 3, 4, 5, 6]


@pytest.mark.slow
def test_a_draft_may_be_deleted(ready):
    draft = build(ready)
    delete_test_set(ready.store, draft.id, actor=ACTOR)
    assert cases_of(ready, draft) == ()
    for change in (
        lambda: delete_test_set(ready.store, draft.id, actor=ACTOR),
        lambda: freeze_test_set(ready.store, draft.id, actor=ACTOR),
        lambda: exclude_case(ready.store, draft.id, "c", "x", actor=ACTOR),
    ):
        with pytest.raises(NotFound, match="no test set"):
            change()


def test_only_validators_change_test_sets(ready):
    draft = build(ready)
    for change in (
        lambda: build_test_set(ready.store, ready.project_id, actor="eve", name="x"),
        lambda: freeze_test_set(ready.store, draft.id, actor="eve"),
        lambda: exclude_case(ready.store, draft.id, "c", "x", actor="eve"),
        lambda: delete_test_set(ready.store, draft.id, actor="eve"),
    ):
        with pytest.raises(Forbidden, match="requires the role validator"):
            change()


def test_the_size_of_a_test_set_is_known_before_it_is_built(bank, ready):
    """Six branches in three wordings; the second template is worded nowhere and adds nothing."""
    bank.approved_sql(MANAGER)
    assert expected_questions(ready.store, ready.project_id) == 6 * 3


def test_without_an_approved_template_no_question_is_expected(bank):
    bank.saved_text(bank.approved_sql(CITY), CITY_SHORT)
    assert expected_questions(bank.store, bank.project_id) == 0
