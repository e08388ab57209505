"""Faults planted in two small set-ups: each kind is called by its name."""

from dataclasses import replace

import pytest

from core.domain.errors import InvalidInput, Stopped
from core.domain.results.responses import Response
from core.domain.sources.documents import Corpus, Document
from core.faults.confusion import confusion_of, named_rightly
from core.faults.kinds import FAULTS, Cause, Combination, FaultKind
from core.faults.trial import LEAST_FACTS, NO_DONOR, NO_PAGE_LEFT, run_trial
from tests.support.bank_cases import MANAGERS, bank_cases
from tests.support.documents.orders import order_cases, orders


def branches(cities=tuple(MANAGERS)):
    """A page for each branch, with one that names them all."""
    pages = [
        Document(
            id=f"branch:{number}",
            title=f"{city} Branch",
            text=f"{city} Branch is in {city}. The manager of {city} Branch is {MANAGERS[city]}.",
        )
        for number, city in enumerate(cities, start=1)
    ]
    every = Document(
        id="list", title="Branches", text="".join(f"{city} Branch is open on Mondays. " for city in cities)
    )
    return Corpus(documents=(*pages, every))


@pytest.fixture
def never():
    def refuse(*_):
        raise AssertionError("asked")

    return refuse


def test_every_kind_is_called_by_its_name_at_the_small_bank(set_up):
    ask, judge = set_up("bm25", k=1)
    trial = run_trial(bank_cases(), branches(), ask, judge, share=0.4)
    assert (trial.cases, trial.facts, trial.sound) == (12, 6, 6)
    assert not trial.wrong_before
    assert all(trial.planted[kind] == 2 for kind in FaultKind), trial.skipped
    assert [answer for answer in trial.answers if not named_rightly(answer)] == []
    figures = confusion_of(trial)
    assert figures.planted["page_deleted"]["knowledge_gap"] == 4
    assert figures.planted["value_changed"]["contradiction"] == 4
    assert figures.planted["reader"]["reader"] == 4
    assert figures.planted["retrieval"]["retrieval"] == 4
    assert figures.false_gaps.num == 0


def test_orders_by_date_and_customer_are_never_put_down_to_the_knowledge_wrongly(set_up):
    """Two bound values, dates in words, names with quotes, a freight that half of the orders have."""
    ask, judge = set_up("bm25", k=2)
    trial = run_trial(order_cases(), orders(), ask, judge, share=0.4)
    assert trial.facts == 12
    assert trial.sound == 12, trial.unsound
    figures = confusion_of(trial)
    assert (figures.false_gaps.num, figures.false_gaps.den) == (0, 20)
    assert [answer for answer in trial.answers if not named_rightly(answer)] == []
    assert {str(kind) for kind, planted in trial.planted.items() if planted} == {str(kind) for kind in FaultKind}
    changed = [answer for answer in trial.answers if answer.planted is FaultKind.VALUE_CHANGED]
    assert changed
    assert all(answer.fault.before != answer.fault.after for answer in changed)


STACKS = tuple(fault for fault in Combination if fault.stacked)


@pytest.mark.parametrize("name", ["bank", "orders"])
def test_faults_in_one_copy_do_not_disturb_each_others_names(set_up, name):
    """Pages that are hidden for one fact are pages of others, and values that stand elsewhere are their rivals'."""
    cases, corpus = (bank_cases(), branches()) if name == "bank" else (order_cases(), orders())
    ask, judge = set_up("bm25", k=1 if name == "bank" else 2)
    trial = run_trial(cases, corpus, ask, judge, kinds=[Combination.MIXED], share=0.3)
    assert trial.planted[Combination.MIXED] >= 6
    assert len({kind for answer in trial.answers for kind in answer.fault.kinds}) >= 4
    assert [answer for answer in trial.answers if not named_rightly(answer)] == []


@pytest.mark.parametrize("stack", STACKS)
def test_two_faults_in_one_fact_are_called_by_the_first(set_up, stack):
    ask, judge = set_up("bm25", k=2)
    trial = run_trial(order_cases(), orders(), ask, judge, kinds=[stack], share=0.5)
    assert trial.planted[stack] >= 4
    assert trial.answers
    assert all(answer.fault.kinds == stack.stacked for answer in trial.answers)
    assert [answer for answer in trial.answers if not named_rightly(answer)] == []
    assert {answer.expected for answer in trial.answers} == {
        Combination.DELETED_MISREAD: {Cause.KNOWLEDGE_GAP},
        Combination.CHANGED_MISREAD: {Cause.CONTRADICTION},
        Combination.CHANGED_HIDDEN: {Cause.CONTRADICTION},
        Combination.MOVED_HIDDEN: {Cause.RETRIEVAL},
        Combination.MOVED_MISREAD: {Cause.READER},  # two of twelve short pages: the search finds the new one
        Combination.HIDDEN_MISREAD: {Cause.RETRIEVAL},
    }[stack]


def test_the_reader_of_a_changed_page_gives_a_third_value(set_up):
    ask, judge = set_up("bm25", k=2)
    trial = run_trial(order_cases(), orders(), ask, judge, kinds=[Combination.CHANGED_MISREAD], share=0.5)
    said = [(answer.answer.removeprefix("It is ").rstrip("."), answer.fault.after) for answer in trial.answers]
    assert said
    assert all(value not in after for value, after in said)


def test_only_wordings_that_were_right_before_are_asked_again_and_counted(set_up):
    """The long wording of every branch but one is misunderstood: its fact is sound by the short one."""
    ask, judge = set_up("bm25", k=1)
    asked = []

    def deaf(corpus, cases):
        asked.append([case.case_id for case in cases])
        responses = ask(corpus, cases)
        return {
            key: replace(response, answer="On Mondays.") if key.endswith("-long") and key != "arden-long" else response
            for key, response in responses.items()
        }

    kinds = [FaultKind.PAGE_DELETED, FaultKind.READER, Combination.MIXED]
    trial = run_trial(bank_cases(), branches(), deaf, judge, kinds=kinds, share=1.0)
    assert (trial.sound, trial.wordings, trial.unused) == (6, 7, 5)
    assert trial.planted[FaultKind.PAGE_DELETED] == 6
    assert len(asked[0]) == 12
    assert all(case_id.endswith("-short") or case_id == "arden-long" for case_ids in asked[1:] for case_id in case_ids)
    assert {answer.case_id for answer in trial.answers} <= {*asked[1]}
    assert sum(answer.planted is FaultKind.PAGE_DELETED for answer in trial.answers) == 7
    assert [answer for answer in trial.answers if not named_rightly(answer)] == []


def test_a_set_up_of_one_right_wording_a_fact_can_be_tried(set_up):
    """It was refused while every wording had to be right."""
    ask, judge = set_up("bm25", k=1)

    def deaf(corpus, cases):
        return {
            key: replace(response, answer="On Mondays.") if key.endswith("-long") else response
            for key, response in ask(corpus, cases).items()
        }

    trial = run_trial(bank_cases(), branches(), deaf, judge, kinds=FAULTS, share=0.5)
    assert (trial.sound, trial.wordings, trial.unused) == (6, 6, 6)
    assert [answer for answer in trial.answers if not named_rightly(answer)] == []


def test_the_draw_follows_the_seed_and_nothing_else(set_up):
    ask, judge = set_up("keyword", k=1)

    def drawn(seed):
        trial = run_trial(bank_cases(), branches(), ask, judge, kinds=[FaultKind.READER], share=0.3, seed=seed)
        return {answer.group_id for answer in trial.answers}

    assert drawn(1) == drawn(1)
    assert len({frozenset(drawn(seed)) for seed in range(6)}) > 1


def test_a_page_that_another_one_repeats_is_no_gap_when_it_goes(set_up):
    corpus = branches()
    copy = tuple(replace(page, id=f"copy:{page.id}") for page in corpus.documents[:-1])
    ask, judge = set_up("bm25", k=1)
    trial = run_trial(
        bank_cases(), Corpus(documents=(*corpus.documents, *copy)), ask, judge, kinds=[FaultKind.PAGE_DELETED]
    )
    assert trial.planted[FaultKind.PAGE_DELETED] == 1
    assert all(answer.expected is not Cause.KNOWLEDGE_GAP for answer in trial.answers)
    assert len(trial.answers) + trial.still_right[FaultKind.PAGE_DELETED] == 2


def test_a_target_with_its_own_documents_gets_the_answers_of_other_questions(set_up):
    ask, judge = set_up("bm25", k=1)
    asked = []

    def ask_once(corpus, cases):
        asked.append(len(cases))
        return ask(corpus, cases)

    cases = [replace(case, sql_template_id="s", text_template_id=case.form) for case in bank_cases()]
    kinds = [FaultKind.READER, FaultKind.RETRIEVAL]
    trial = run_trial(cases, branches(), ask_once, judge, kinds=kinds, share=0.5, searches_documents=False)
    assert asked == [12]
    assert trial.planted == {FaultKind.READER: 3, FaultKind.RETRIEVAL: 3}
    assert [answer for answer in trial.answers if not named_rightly(answer)] == []


def test_where_no_other_question_has_other_pages_nothing_is_swapped(set_up):
    ask, judge = set_up("bm25", k=1)
    alone = [replace(case, sql_template_id=case.group_id) for case in bank_cases()]
    kinds = [FaultKind.RETRIEVAL]
    trial = run_trial(alone, branches(), ask, judge, kinds=kinds, share=0.5, searches_documents=False)
    assert trial.planted[FaultKind.RETRIEVAL] == 0
    assert trial.skipped[FaultKind.RETRIEVAL] == {NO_DONOR: 3}


def test_a_search_without_any_page_left_is_not_tried(set_up):
    ask, judge = set_up("bm25", k=1)
    corpus = Corpus(documents=branches().documents[:-1])
    kinds = [FaultKind.RETRIEVAL, FaultKind.PAGE_DELETED]
    trial = run_trial(bank_cases(), corpus, ask, judge, kinds=kinds, share=1.0)
    assert trial.planted == {FaultKind.RETRIEVAL: 0, FaultKind.PAGE_DELETED: 0}
    assert trial.skipped[FaultKind.RETRIEVAL] == {NO_PAGE_LEFT: 6}
    assert trial.answers == []


def test_too_few_sound_facts_are_refused_with_the_reasons(set_up):
    ask, judge = set_up("bm25", k=1)
    four = branches(tuple(MANAGERS)[: LEAST_FACTS - 1])
    with pytest.raises(InvalidInput, match="Only 4 of 6 facts are stated by the documents") as refused:
        run_trial(bank_cases(), four, ask, judge)
    assert "2 have no wording that is answered rightly" in refused.value.message


def test_a_target_that_fails_is_told_from_one_that_is_wrong(set_up):
    _, judge = set_up("bm25", k=1)

    def ask(corpus, cases):
        return {case.case_id: Response(case_id=case.case_id, answer=None, error="no reply") for case in cases}

    with pytest.raises(InvalidInput, match="6 have no wording with an answer and a verdict"):
        run_trial(bank_cases(), branches(), ask, judge)


@pytest.mark.parametrize(
    ("change", "options", "says"),
    [
        ({"sql_params": {}}, {}, "No case of the test set has a filled query"),
        ({"reference_answers": ()}, {}, "No case of the test set has a filled query"),
        ({"group_id": "one"}, {}, "The test set has 1 facts with a filled query"),
        ({}, {"share": 0.0}, "The share of facts is 0"),
        ({}, {"share": 1.5}, "The share of facts is 1.5"),
        ({}, {"kinds": ()}, "No kind of fault is chosen"),
        ({}, {"searches_documents": False}, "The target has documents of its own"),
    ],
)
def test_what_cannot_be_tried_is_refused_before_anything_is_asked(never, change, options, says):
    cases = [replace(case, **change) for case in bank_cases()]
    with pytest.raises(InvalidInput, match=says):
        run_trial(cases, branches(), never, never, **options)


def test_a_stop_is_obeyed_between_kinds(set_up):
    ask, judge = set_up("keyword", k=1)
    with pytest.raises(Stopped):
        run_trial(bank_cases(), branches(), ask, judge, should_stop=lambda: True)
