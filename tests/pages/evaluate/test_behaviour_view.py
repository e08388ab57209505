"""The table answerable x answered on a page: counts, empty rows, what is left out, which cell was clicked."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def shown(script, **samples):
    app = AppTest.from_function(script, kwargs=samples, default_timeout=120).run()
    assert not app.exception
    return app


def page(right=0, refused=0, invented=0, declined=0, unknown=0, failed=0, partly=0, told=None, modules=None):
    import streamlit as st

    from core.criteria.declining import by_documents
    from core.diagnosis import Attribution
    from core.diagnosis.service.blame import Blame
    from core.metrics.samples.answerability import behaviour
    from core.metrics.samples.sample import Sample
    from pages.evaluate.results import behaviour_view

    yes, no = "The fee is 5 euros.", "I do not know."
    kinds = [
        *[(yes, True)] * right,
        *[(no, True)] * refused,
        *[(yes, False)] * invented,
        *[(no, False)] * declined,
        *[(yes, None)] * unknown,
        *[(None, True)] * failed,
        *[("It is 5 euros for the Gold account. The fee of the Premium account is not stated.", True)] * partly,
    ]
    samples = [
        Sample(case_id=f"c{place}", question="What is the fee?", answer=answer, answerable=can, abstained=told)
        for place, (answer, can) in enumerate(kinds)
    ]
    ids = [sample.case_id for sample in samples if sample.answer == no and sample.answerable]
    causes = {
        case_id: Blame(module=Attribution(module), reason="")
        for case_id, module in zip(ids, modules or (), strict=bool(modules))
    }
    by_document = None if modules is None else by_documents(ids, {}, causes)
    clicked = behaviour_view.draw(behaviour(samples, [sample.case_id for sample in samples]), by_document)
    st.text(f"clicked {clicked.value if clicked else 'nothing'}")


def words(app):
    return "\n".join(item.value for item in [*app.markdown, *app.caption])


def test_four_cells_say_counts_shares_and_intervals():
    app = shown(page, right=8, refused=2, invented=1, declined=3)
    said = words(app)
    assert "**Answered, answerable: 8 of 10**" in said
    assert "**Declined, answerable: 2 of 10**" in said
    assert "**Answered, not answerable: 1 of 4**" in said
    assert "**Declined, not answerable: 3 of 4**" in said
    # Wilson's interval of 8 of 10 is [0.490, 0.943].
    assert "0.80 [0.49, 0.94]" in said
    assert app.text[0].value == "clicked nothing"


def test_right_and_wrong_cells_have_marks_beside_their_colour():
    said = words(shown(page, right=1, refused=1, invented=1, declined=1))
    assert said.count("✓") == 2
    assert said.count("✗") == 2


def test_answers_that_decline_a_part_are_counted():
    assert "a part of what was asked" not in words(shown(page, right=1))
    said = words(shown(page, right=1, partly=2))
    assert "**Answered, answerable: 3 of 3**" in said
    assert "2 answers decline a part of what was asked and answer the rest; counted as answered." in said


def test_a_click_names_the_cell():
    app = shown(page, right=8, refused=2, invented=1, declined=3)
    app.button(key="show_behaviour_answered_unanswerable").click().run()
    assert app.text[0].value == "clicked answered_unanswerable"


def test_an_empty_cell_cannot_be_opened():
    app = shown(page, right=8, declined=1)
    assert app.button(key="show_behaviour_declined_answerable").disabled
    assert not app.button(key="show_behaviour_answered_answerable").disabled


def test_without_unanswerable_cases_the_second_row_says_why_it_is_empty():
    app = shown(page, right=3, refused=1)
    assert "Every case counts as answerable, because" in words(app)
    assert "not answerable:" not in words(app)
    assert "0 of 0" not in words(app)


def test_without_answerable_cases_the_first_row_says_why_it_is_empty():
    said = words(shown(page, invented=1, declined=1))
    assert "No case is known to be answerable" in said
    assert "Declined, not answerable: 1 of 2" in said


def test_where_answerability_is_unknown_for_all_the_page_says_what_to_give():
    app = shown(page, unknown=4)
    assert "Give the cases the attribute answerable" in words(app)
    assert "Answered: 4 of 4 cases." in words(app)
    assert not app.button


def test_what_is_in_no_cell_is_counted_apart():
    said = words(shown(page, right=3, unknown=1, failed=2, told=False))
    assert "2 cases have no answer: the target failed; they are in no cell." in said
    assert "Of 1 case it is unknown whether the documents hold an answer; answered: 1." in said
    assert "whether it declined in 4 cases; our rules read its answer the same way in 4 of 4." in said


def test_a_run_without_answers_says_so():
    assert "No case has been answered yet." in words(shown(page))
    assert "The target failed on every case" in words(shown(page, failed=2))


GAPS = ["retrieval", "language_model", "knowledge_gap", "knowledge_gap", "knowledge_gap", "undecided"]


def test_declines_are_told_apart_by_what_the_documents_state():
    app = shown(page, right=4, refused=6, modules=GAPS)
    said = words(app)
    assert "○**] **Declined, answerable: 6 of 10**" in said, "right or wrong is said of its parts"
    assert "Of the 6 declined, by the diagnosis of the run (known of 5):" in said
    assert "✗**] **Declined although the documents state it: 2 of 6**" in said
    assert "✓**] **Declined, and the documents do not state it: 3 of 6**" in said
    assert "○**] **Declined, not known whether they state it: 1 of 6**" in said
    app.button(key="show_behaviour_declined_not_stated").click().run()
    assert app.text[0].value == "clicked declined_not_stated"


def test_without_a_diagnosis_it_says_what_is_not_known_and_what_to_do():
    said = words(shown(page, right=4, refused=2, modules=["unresolved_gap", "unresolved_gap"]))
    assert "✗**] **Declined, answerable: 2 of 6**" in said
    assert "not known of the 2 declined questions: an honest decline counts here as a fault too. Open Diagnose" in said
    assert "not known of the" not in words(shown(page, right=4, modules=[]))
