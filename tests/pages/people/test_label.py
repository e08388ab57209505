"""The Label page: one case at a time and blind, rounds set up, a second look, agreement."""

from __future__ import annotations

import json

import pytest

from core.domain.results.labels import LabelRound, Level, Part, RoundOrigin
from core.domain.results.runs import Run
from core.domain.sources.projects import Role
from core.labelling.adjudication import adjudicate
from core.labelling.criteria import create_criterion, ensure_default_criteria, list_criteria
from core.labelling.rating.answers import Given
from core.labelling.rating.tasks import labels_of_task, next_task, progress, save_labels, tasks
from core.labelling.rounds import close_round, create_round, get_round, list_rounds
from core.labelling.sampling.records import Drawn
from core.project.service import ensure_member
from core.store.people import labels as label_table
from pages.people.label import reading as label_reading
from tests.pages.clicks import (
    MARKUP,
    as_viewer,
    as_written,
    captions,
    holding,
    keys,
    metrics,
    rendered,
    select,
    table,
)
from tests.support.runs import scored_run
from tests.support.small_bank import ACTOR, said

RATERS = ("Ada", "Grace")


@pytest.fixture
def run(store, project) -> Run:
    return scored_run.add_run(store, project.id, scored_run.rows())


@pytest.fixture
def correct(store, project):
    return ensure_default_criteria(store, project.id, actor=ACTOR)[0]


def make(store, run, criteria, n=4, **options) -> LabelRound:
    """A round of the first cases, every rater sees each."""
    items = options.pop("items", None) or [Drawn(case_id=f"case-{place}") for place in range(n)]
    given = {"name": "Pilot", "raters": RATERS, "overlap": 2, **options}
    return create_round(store, run.id, criteria=[one.id for one in criteria], items=items, actor=ACTOR, **given)


def reading(app) -> dict[str, object]:
    """What the component with the texts was given."""
    found = app.get("bidi_component")
    assert found, "no texts on the page"
    return json.loads(found[0].proto.json)


def texts(app) -> dict[str, str]:
    return {item["title"]: item["text"] for item in reading(app)["texts"]}


def click(app, start: str):
    """Clicks the button whose key begins so."""
    found = [button for button in app.button if (button.key or "").startswith(start)]
    assert found, f"no button {start} among {sorted(keys(app))}"
    return found[0].click().run()


def everything(app) -> str:
    """Every word on the page but the sidebar's, with what components and tables were given."""
    words = [
        str(node.value)
        for kind in ("markdown", "caption", "text", "title", "info", "warning", "error")
        for node in getattr(app.main, kind)
    ]
    words += [f"{button.label} {button.help}" for button in app.main.button]
    words += [f"{field.label} {field.value}" for field in [*app.main.text_area, *app.main.selectbox]]
    words += [found.proto.json for found in app.main.get("bidi_component")]
    words += [item.value.to_csv() for item in app.main.dataframe]
    return "\n".join(words).replace("\\", "")


# Empty states.


def test_without_a_run_the_page_leads_to_the_run(open_page, project):
    app = open_page("label", project=project.id)
    assert not app.exception
    app.button(key="go_run").click().run()
    assert "What does the system answer?" in app.title[0].value


def test_without_criteria_two_are_proposed(open_page, store, project, run):
    app = open_page("label", project=project.id)
    assert "has no criteria yet" in said(app)
    app.button(key="propose_criteria").click().run()
    assert not app.exception
    assert [one.name for one in list_criteria(store, project.id)] == ["Correct", "Faithful"]
    assert list(table(app, "criteria_table")["Name"]) == ["Correct", "Faithful"]


def test_without_a_round_the_label_view_leads_to_one(open_page, project, run, correct):
    app = open_page("label", project=project.id, view="label")
    assert "There is no round to label yet" in said(app)
    app.button(key="go_set_up").click().run()
    assert "round_save" in keys(app)


def test_nothing_left_is_a_calm_end_with_a_way_back(open_page, store, project, run, correct):
    of = make(store, run, [correct], n=1)
    app = open_page("label", project=project.id, round=of.id, rater="Ada")
    click(app, f"level_{correct.id}_1")
    assert "All your cases are done" in said(app)
    assert "1 case labelled" in said(app)
    click(app, "look_back")
    assert texts(app)["Question"] == "What is fee number 0?"


# Labelling.


@pytest.mark.slow
def test_a_rater_is_asked_for_once_and_kept_in_the_url(open_page, store, project, run, correct):
    of = make(store, run, [correct])
    app = open_page("label", project=project.id)
    assert "Choose who you are" in said(app)
    assert not app.get("bidi_component")
    app.selectbox(key="url_rater").set_value("Grace").run()
    assert (app.query_params["round"], app.query_params["rater"]) == (of.id, "Grace")
    assert "0 of 4" in captions(app)


def test_a_round_that_everybody_has_finished_leads_to_a_new_one(open_page, store, project, run, correct):
    of = make(store, run, [correct], n=2)
    app = open_page("label", project=project.id, view="label")
    assert "set_up_more" not in keys(app)
    for rater in RATERS:
        for task in tasks(store, of.id, rater):
            save_labels(store, of.id, rater, task.case_id, given={correct.id: Given(value=1.0)}, seconds=1, actor=ACTOR)
    app = open_page("label", project=project.id, view="label")
    assert "Everybody has finished Pilot" in said(app)
    assert app.selectbox(key="url_rater"), "the labels can still be looked through"
    later = make(store, run, [correct], n=1, name="Later")
    assert "Everybody has finished" not in said(open_page("label", project=project.id, view="label"))
    close_round(store, later.id, actor=ACTOR)
    app = open_page("label", project=project.id, view="label")
    app.button(key="set_up_more").click().run()
    assert not app.exception
    assert (app.query_params["view"], app.query_params["run"]) == ("setup", run.id)
    assert next(part for part in app.expander if part.label == "New round").proto.expanded


@pytest.mark.slow
def test_where_several_rounds_are_open_the_person_chooses_one(open_page, store, project, run, correct):
    first = make(store, run, [correct])
    newest = make(store, run, [correct], name="Main", raters=["Hedy"], overlap=1)
    app = open_page("label", project=project.id)
    assert not app.exception
    assert "2 rounds are open" in said(app)
    assert app.selectbox(key="url_round").value == ""
    # Nobody is taken for the only rater of a round they did not choose.
    assert not app.get("bidi_component")
    assert "url_rater" not in {field.key for field in app.selectbox}
    app.selectbox(key="url_round").set_value(newest.id).run()
    assert app.query_params["round"] == newest.id
    assert reading(app)
    app.selectbox(key="url_round").set_value(first.id).run()
    assert "Choose who you are" in said(app)


def test_a_rater_of_one_of_several_rounds_is_led_to_it(open_page, store, project, run, correct):
    first = make(store, run, [correct])
    make(store, run, [correct], name="Main", raters=["Hedy", "Mary"])
    app = open_page("label", project=project.id, rater="Nobody", view="label")
    assert "2 rounds are open" in said(app)
    app = open_page("label", project=project.id, rater="Ada", view="label")
    assert not app.exception
    assert app.query_params["round"] == first.id
    assert reading(app)


def test_one_rater_is_not_asked_and_a_name_of_nobody_is_told(open_page, store, project, run, correct):
    alone = make(store, run, [correct], raters=["You"], overlap=1)
    app = open_page("label", project=project.id, round=alone.id)
    assert not app.exception
    assert reading(app)
    several = make(store, run, [correct], name="Main")
    for of in (alone, several):
        app = open_page("label", project=project.id, round=of.id, rater="Nobody")
        assert any("Nobody is no rater of this round." in caption.value for caption in app.caption)
        assert not app.get("bidi_component")


def test_one_answer_saves_the_case_and_brings_the_next(open_page, store, project, run, correct):
    of = make(store, run, [correct])
    app = open_page("label", project=project.id, round=of.id, rater="Ada")
    first = next_task(store, of.id, "Ada")
    question = texts(app)["Question"]
    click(app, f"level_{correct.id}_1")
    assert not app.exception
    label = labels_of_task(store, of.id, "Ada", first.case_id)[correct.id]
    assert (label.value, label.rater) == (1.0, "Ada")
    assert texts(app)["Question"] != question
    assert "1 of 4" in captions(app)


def test_every_answer_is_in_the_store_at_once_and_survives_a_new_browser(open_page, store, project, run, correct):
    both = list_criteria(store, project.id)
    of = make(store, run, both)
    app = open_page("label", project=project.id, round=of.id, rater="Ada")
    first = next_task(store, of.id, "Ada")
    click(app, f"level_{both[0].id}_0")
    assert labels_of_task(store, of.id, "Ada", first.case_id)[both[0].id].value == 0.0
    # The second criterion is the one the keys are for; the first is a line.
    assert "Correct: Incorrect" in everything(app)
    fresh = open_page("label", project=project.id, round=of.id, rater="Ada")
    assert "Correct: Incorrect" in everything(fresh)
    click(fresh, f"level_{both[1].id}_4")
    assert "1 of 4" in captions(fresh)


@pytest.mark.slow
def test_cannot_judge_skip_undo_back_and_next(open_page, store, project, run, correct):
    of = make(store, run, [correct])
    order = [task.case_id for task in tasks(store, of.id, "Ada")]
    app = open_page("label", project=project.id, round=of.id, rater="Ada")
    click(app, "cannot_")
    assert labels_of_task(store, of.id, "Ada", order[0])[correct.id].status == "cannot_judge"
    click(app, "skip_")
    assert "1 skipped" in captions(app)
    click(app, f"level_{correct.id}_1")
    assert labels_of_task(store, of.id, "Ada", order[2])[correct.id].value == 1.0
    click(app, "back_")
    click(app, "back_")
    assert app.query_params["place"] == "1"
    click(app, "next_")
    assert app.query_params["place"] == "3"
    click(app, "next_")
    assert "place" not in app.query_params
    click(app, "undo_")
    assert labels_of_task(store, of.id, "Ada", order[2]) == {}
    assert app.query_params["place"] == "3"
    # The case that was put off is the last to come.
    click(app, f"level_{correct.id}_0")
    click(app, f"level_{correct.id}_0")
    assert next_task(store, of.id, "Ada").case_id == order[1]


@pytest.mark.slow
def test_a_comment_is_saved_with_the_answer_and_can_follow_it(open_page, store, project, run, correct):
    of = make(store, run, [correct])
    first = next_task(store, of.id, "Ada")
    app = open_page("label", project=project.id, round=of.id, rater="Ada")
    app.text_area(key=f"comment_{correct.id}_1").set_value("Says it twice.").run()
    assert labels_of_task(store, of.id, "Ada", first.case_id) == {}
    click(app, f"level_{correct.id}_1")
    assert labels_of_task(store, of.id, "Ada", first.case_id)[correct.id].comment == "Says it twice."
    click(app, "back_")
    app.text_area(key=f"comment_{correct.id}_1").set_value("Says it three times.").run()
    label = labels_of_task(store, of.id, "Ada", first.case_id)[correct.id]
    assert (label.comment, label.value) == ("Says it three times.", 1.0)


def test_a_round_that_asks_for_words_waits_for_enter(open_page, store, project, run, correct):
    words = create_criterion(store, project.id, name="Why", question="Why?", kind="comment", actor=ACTOR)
    of = make(store, run, [correct, words])
    first = next_task(store, of.id, "Ada")
    app = open_page("label", project=project.id, round=of.id, rater="Ada")
    click(app, f"level_{correct.id}_1")
    assert app.query_params["place"] == "1"
    app.text_area(key=f"comment_{words.id}_1").set_value("It is in the first passage.")
    click(app, "save_1")
    assert "place" not in app.query_params
    assert labels_of_task(store, of.id, "Ada", first.case_id)[words.id].comment == "It is in the first passage."


@pytest.mark.slow
def test_practice_tells_what_was_expected_and_waits(open_page, store, project, run, correct):
    items = [
        Drawn(case_id="case-0", part=Part.PRACTICE, gold={correct.id: 1.0}, explanation="The fee is named."),
        Drawn(case_id="case-1"),
    ]
    of = make(store, run, [correct], items=items)
    app = open_page("label", project=project.id, round=of.id, rater="Ada")
    assert "practice 1 of 1" in captions(app)
    assert "The fee is named." not in everything(app)
    click(app, f"level_{correct.id}_0")
    assert "another answer was expected" in everything(app)
    assert "The fee is named." in everything(app)
    assert not [key for key in keys(app) if key.startswith("level_")]
    click(app, "go_on_")
    assert texts(app)["Question"] == "What is fee number 1?"
    other = open_page("label", project=project.id, round=of.id, rater="Grace")
    click(other, f"level_{correct.id}_1")
    assert "Correct: right." in everything(other)
    found = {one.rater: one for one in progress(store, of.id)}
    assert (found["Ada"].practice_right, found["Grace"].practice_right) == (0, 1)


@pytest.mark.slow
def test_time_is_measured_and_a_repeat_looks_like_any_case(open_page, store, project, run, correct):
    of = make(store, run, [correct], n=2, repeat_share=0.5)
    app = open_page("label", project=project.id, round=of.id, rater="Ada")
    for number in range(3):
        assert f"{number} of 3" in captions(app)
        assert "2 cases, 1 of them shown twice" in captions(app)
        assert "second time" not in everything(app).lower()
        assert "repeat" not in everything(app).lower()
        click(app, f"level_{correct.id}_1")
    assert "All your cases are done" in said(app)
    assert "2 cases labelled, 1 of them twice" in said(app)
    with store.read() as connection:
        found = label_table.seconds_of(connection, of.id)["Ada"]
    assert all(0.0 < seconds < 60.0 for seconds in found)


@pytest.mark.slow
def test_a_rater_sees_nothing_of_machines_and_of_others(open_page, store, project, run, correct):
    of = make(store, run, [correct], show_reference=False)
    for task in tasks(store, of.id, "Grace"):
        given = {correct.id: Given(value=0.0, comment="Grace thinks it is quite wrong.")}
        save_labels(store, of.id, "Grace", task.case_id, given=given, seconds=1, actor=ACTOR)
    app = open_page("label", project=project.id, round=of.id, rater="Ada")
    for _ in range(4):
        shown = everything(app)
        for hint in (
            "Grace",
            "quite wrong",
            "recorded",
            run.target,
            "verdict",
            "Verdict",
            "A reference.",
            "score",
            "groundedness",
            "0.9",
            "0.34",
            "target",
            run.id,
        ):
            assert hint not in shown, hint
        assert set(reading(app)) == {"task", "markable", "texts"}
        click(app, f"level_{correct.id}_1")


def test_the_reference_is_shown_where_the_round_shows_it(open_page, store, project, run, correct):
    of = make(store, run, [correct])
    app = open_page("label", project=project.id, round=of.id, rater="Ada")
    assert texts(app)["Reference answer"] == "A reference."
    assert "Passage 1 of 2: doc-0" in texts(app)


@pytest.mark.slow
def test_a_text_of_a_hundred_thousand_characters_is_only_text(open_page, store, project, correct):
    row = scored_run.Row(
        question="<script>alert(1)</script>",
        answer="Long é words. " * 7_200,
        passages=("", "# Head " * 15_000),
        support=(0.5,),
    )
    run = scored_run.add_run(store, project.id, [row])
    of = make(store, run, [correct], n=1)
    app = open_page("label", project=project.id, round=of.id, rater="Ada")
    assert not app.exception
    assert len(texts(app)["Answer"]) > 100_000
    assert "The text of this passage is not known." in texts(app).values()
    assert "<script>" not in " ".join(item.value for item in app.markdown)


def test_a_closed_round_refuses_a_label_and_keeps_the_case_in_view(open_page, store, project, run, correct):
    of = make(store, run, [correct])
    app = open_page("label", project=project.id, round=of.id, rater="Ada")
    close_round(store, of.id, actor=ACTOR)
    click(app, f"level_{correct.id}_1")
    assert not app.exception
    assert progress(store, of.id)[0].done == 0
    assert "closed" in said(app) + everything(app)


def test_a_link_to_a_round_that_is_not_there_leads_to_the_open_ones(open_page, store, project, run, correct):
    make(store, run, [correct])
    app = open_page("label", project=project.id, round="rnd_nowhere", rater="Ada")
    assert not app.exception
    app.button(key="show_open").click().run()
    assert "Choose who you are" in said(app)


@pytest.mark.slow
def test_a_signed_in_person_labels_as_themselves_only(open_page, store, project, run, correct, monkeypatch):
    ensure_member(store, project.id, "ada@example.com", Role.LABELLER, actor=ACTOR)
    of = make(store, run, [correct], raters=("ada@example.com", "grace@example.com"))
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "true")
    app = open_page("label", project=project.id, round=of.id, rater="grace@example.com")
    app.user = {"is_logged_in": True, "email": "ada@example.com"}
    app.run()
    assert not app.exception
    click(app, f"level_{correct.id}_1")
    assert {one.rater: one.done for one in progress(store, of.id)} == {"ada@example.com": 1, "grace@example.com": 0}
    # A labeller finds nothing that would unblind them.
    assert not list(app.main.get("button_group"))
    for view in ("setup", "second", "agreement"):
        app.query_params["view"] = view
        app.run()
        assert not app.exception
        assert "grace@example.com" not in everything(app)


def test_a_viewer_cannot_label(open_page, store, project, run, correct, monkeypatch):
    make(store, run, [correct])
    app = as_viewer(open_page("label", project=project.id), store, project, monkeypatch)
    assert "takes the role of a labeller" in said(app)
    assert not [key for key in keys(app) if key.startswith(("level_", "round_", "propose"))]


def test_agreement_is_of_a_run_that_people_were_asked_about_unless_a_link_names_another(
    open_page, store, project, run, correct
):
    make(store, run, [correct])
    later = scored_run.add_run(store, project.id, scored_run.rows(), name="Later")
    assert open_page("label", project=project.id, view="setup").query_params["run"] == later.id
    assert open_page("label", project=project.id, view="agreement", run="").query_params["run"] == run.id
    assert open_page("label", project=project.id, view="agreement", run=later.id).query_params["run"] == later.id


# Setting up.


@pytest.mark.slow
def test_a_round_is_made_with_its_draw_and_a_link_for_each_rater(open_page, store, project, run, correct):
    app = open_page("label", project=project.id, view="setup")
    app.text_input(key="round_name_0").set_value("First look")
    app.text_area(key="round_raters").set_value("Ada\nGrace\n")
    app.number_input(key="round_cases").set_value(6)
    app.button(key="round_save").click().run()
    assert not app.exception
    assert not app.error
    of = list_rounds(store, project.id)[0]
    assert (of.name, of.raters, of.design["drawn"]) == ("First look", ("Ada", "Grace"), 6)
    assert app.query_params["round"] == of.id
    links = [f"./label?project={project.id}&round={of.id}&rater={name}" for name in RATERS]
    assert [field.value for field in app.code] == links
    drawn = holding(app, "Wanted")
    assert (drawn["Wanted"][0], drawn["Drawn"][0], drawn["Of"][0]) == (6.0, 6, 12)


@pytest.mark.slow
def test_a_second_click_makes_no_second_round(open_page, store, project, run, correct):
    app = open_page("label", project=project.id, view="setup")
    app.text_input(key="round_name_0").set_value("First look")
    app.text_area(key="round_raters").set_value("Ada")
    app.number_input(key="round_cases").set_value(3)
    app.button(key="round_save").click().run()
    assert not app.error
    app.button(key="round_save").click().run()
    assert "The name of a round" in app.error[0].value
    app.text_input(key="round_name_1").set_value("first LOOK ")
    app.button(key="round_save").click().run()
    assert "has a round named First look" in app.error[0].value
    assert [one.name for one in list_rounds(store, project.id)] == ["First look"]
    # Who labels and how many is as likely the same for the next round.
    assert (app.text_area(key="round_raters").value, app.number_input(key="round_cases").value) == ("Ada", 3)


@pytest.mark.slow
def test_forms_of_a_criterion_and_a_rater_are_empty_after_use(open_page, store, project, run, correct):
    of = make(store, run, [correct])
    app = open_page("label", project=project.id, view="setup", round=of.id)
    app.text_input(key="criterion_name_0").set_value("Helpful")
    app.text_input(key="criterion_question_0").set_value("Does it help?")
    app.text_area(key="criterion_anchors_0").set_value("No\nYes")
    app.text_area(key="criterion_guidelines_0").set_value("Think of a customer.")
    app.button(key="criterion_save").click().run()
    assert not app.error
    fields = [*app.text_input, *app.text_area]
    assert {field.key: field.value for field in fields if field.key.startswith("criterion_")} == {
        "criterion_name_1": "",
        "criterion_question_1": "",
        "criterion_anchors_1": "",
        "criterion_guidelines_1": "",
    }
    app.text_input(key="rater_name_0").set_value("Hedy")
    app.button(key="rater_add").click().run()
    assert app.text_input(key="rater_name_1").value == ""


@pytest.mark.slow
def test_links_are_full_addresses_to_copy_as_the_browser_knows_the_server(open_page, store, project, run, correct):
    of = make(store, run, [correct], raters=("Ada Byron", "Grace"))
    app = open_page("label", project=project.id, view="setup", round=of.id)
    app.context = {"url": "https://host.example/plumbline/label"}
    app.run()
    start = f"https://host.example/plumbline/label?project={project.id}&round={of.id}&rater="
    assert [field.value for field in app.code] == [f"{start}Ada+Byron", f"{start}Grace"]
    assert "on this computer only" not in captions(app)
    app.context = {"url": "http://localhost:8501/label"}
    assert "on this computer only" in captions(app.run())
    close_round(store, of.id, actor=ACTOR)
    # A closed round opens for nobody.
    assert not app.run().code


def test_links_of_many_raters_are_one_text_to_copy(open_page, store, project, run, correct):
    names = [f"rater {place}" for place in range(9)]
    of = make(store, run, [correct], raters=names)
    app = open_page("label", project=project.id, view="setup", round=of.id)
    (field,) = app.code
    assert [line.split("  ")[0] for line in field.value.splitlines()] == names


def test_what_cannot_be_drawn_is_told(open_page, store, project, run, correct):
    app = open_page("label", project=project.id, view="setup")
    app.text_input(key="round_name_0").set_value("First look")
    app.text_area(key="round_raters").set_value("Ada")
    app.number_input(key="share_uncertainty").set_value(50)
    app.button(key="round_save").click().run()
    assert not app.exception
    assert "shares of the draw" in app.error[0].value
    assert list_rounds(store, project.id) == ()


@pytest.mark.slow
def test_a_criterion_is_written_changed_and_retired(open_page, store, project, run, correct):
    app = open_page("label", project=project.id, view="setup")
    app.text_input(key="criterion_name_0").set_value("Helpful")
    app.selectbox(key="criterion_kind").set_value("likert")
    app.text_input(key="criterion_question_0").set_value("Does it help?")
    app.text_area(key="criterion_anchors_0").set_value("No\nA little\nYes")
    app.number_input(key="criterion_accept").set_value(3)
    app.button(key="criterion_save").click().run()
    assert not app.error
    made = list_criteria(store, project.id)[-1]
    assert [(level.value, level.anchor) for level in made.levels] == [(1, "No"), (2, "A little"), (3, "Yes")]
    assert made.accept_from == 3
    select(app, "criteria_table", 2, "id")
    app.text_input(key=f"change_name_{made.id}").set_value("Useful")
    app.button(key=f"change_save_{made.id}").click().run()
    assert list_criteria(store, project.id)[-1].name == "Useful"
    app.button(key=f"change_retire_{made.id}").click().run()
    assert [one.name for one in list_criteria(store, project.id)] == ["Correct", "Faithful"]


@pytest.mark.slow
def test_a_round_is_closed_and_opened_again_and_gets_a_rater(open_page, store, project, run, correct):
    of = make(store, run, [correct])
    app = open_page("label", project=project.id, view="setup", round=of.id)
    app.text_input(key="rater_name_0").set_value("Hedy")
    app.button(key="rater_add").click().run()
    assert get_round(store, of.id).raters == ("Ada", "Grace", "Hedy")
    app.button(key="round_close").click().run()
    assert get_round(store, of.id).closed
    app.button(key="round_close").click().run()
    assert not get_round(store, of.id).closed


@pytest.mark.slow
def test_labels_go_out_as_a_file(open_page, store, project, run, correct):
    label_all(store, run, correct)
    app = open_page("label", project=project.id, view="setup")
    app.button(key="labels_prepare").click().run()
    assert not app.exception
    assert not app.error
    assert "Download 16 labels" in [item.label for item in app.get("download_button")]


@pytest.mark.slow
def test_labels_of_a_file_come_in_as_a_round_all_or_none(open_page, store, project, run, correct):
    app = open_page("label", project=project.id, view="setup")
    rows = "case_id,criterion,rater,value\ncase-0,Correct,Hedy,1\ncase-1,Correct,Hedy,7\n"
    app.file_uploader[0].upload("labels.csv", rows.encode())
    app.text_input(key="import_name").set_value("Study")
    app.button(key="import_save").click().run()
    assert not app.exception
    assert "7 is no level of Correct" in app.error[0].value
    assert list_rounds(store, project.id) == ()
    app.file_uploader[0].upload("labels.csv", rows.replace("7", "0").encode())
    app.button(key="import_save").click().run()
    assert not app.error
    assert [(one.name, one.origin, one.raters) for one in list_rounds(store, project.id)] == [
        ("Study", RoundOrigin.IMPORTED, ("Hedy",))
    ]
    assert "imported" in everything(app)


def test_a_table_with_a_column_for_each_rater_comes_in_under_the_criterion_that_is_chosen(
    open_page, store, project, run, correct
):
    app = open_page("label", project=project.id, view="setup")
    rows = "case_id,rater_1,human_label_2\ncase-0,Correct,no\ncase-1,Incorrect,\n"
    app.file_uploader[0].upload("study.csv", rows.encode())
    app.selectbox(key="import_criterion").set_value("Correct")
    app.button(key="import_save").click().run()
    assert not app.exception
    assert not app.error
    (of,) = list_rounds(store, project.id)
    assert set(of.raters) == {"rater_1", "human_label_2"}
    with store.read() as connection:
        found = label_table.of_run(connection, run.id, correct.id)
    assert sorted((one.case_id, one.rater, one.value) for one in found) == [
        ("case-0", "human_label_2", 0.0),
        ("case-0", "rater_1", 1.0),
        ("case-1", "rater_1", 0.0),
    ]


# Second look and agreement.


def label_all(store, run, criterion, n=8, *, apart=(1,), origin=RoundOrigin.PEOPLE) -> LabelRound:
    """Both raters label every case, 1 on even and 0 on odd cases; Grace says the opposite on those of `apart`."""
    of = make(store, run, [criterion], n=n, origin=origin)
    for rater in RATERS:
        for task in tasks(store, of.id, rater):
            place = int(task.case_id.removeprefix("case-"))
            value = float(place % 2 == 0)
            value = 1.0 - value if rater == "Grace" and place in apart else value
            given = {criterion.id: Given(value=value, comment=f"{rater} on {place}")}
            save_labels(store, of.id, rater, task.case_id, given=given, seconds=4, actor=ACTOR)
    return of


@pytest.mark.slow
def test_a_disputed_case_is_opened_and_decided_with_a_reason(open_page, store, project, run, correct):
    label_all(store, run, correct)
    app = open_page("label", project=project.id, view="second")
    assert "1 case with different labels, 1 not adjudicated" in captions(app)
    assert select(app, "disputes_table", 0, "case_id") == "case-1"
    shown = everything(app)
    assert "Ada on 1" in shown
    assert "Grace on 1" in shown
    own = f"case-1_{correct.id}"
    app.radio(key=f"decision_value_{own}_0").set_value("1 Correct")
    app.button(key=f"decision_save_{own}_0").click().run()
    assert "reason" in app.error[0].value
    app.text_area(key=f"decision_reason_{own}_0").set_value("The fee is right.")
    app.button(key=f"decision_save_{own}_0").click().run()
    assert not app.error
    with store.read() as connection:
        found = label_table.adjudications_of(connection, run.id, correct.id)["case-1"]
    assert (found.value, found.reason) == (1.0, "The fee is right.")
    assert table(app, "disputes_table")["State"][0] == "decided"
    # Used, the form is empty: a second click decides nothing again.
    app.button(key=f"decision_save_{own}_1").click().run()
    assert "Choose a label first" in said(app)
    assert app.text_area(key=f"decision_reason_{own}_1").value == ""


@pytest.mark.slow
def test_a_decision_is_withdrawn_and_the_case_waits_again(open_page, store, project, run, correct):
    label_all(store, run, correct)
    own = f"case-1_{correct.id}"
    app = open_page("label", project=project.id, view="second", case="case-1")
    assert f"withdraw_{own}" not in keys(app)
    adjudicate(store, run.id, "case-1", correct.id, value=1.0, reason="First thought.", actor=ACTOR)
    app.run()
    app.button(key=f"withdraw_{own}").click().run()
    assert not app.exception
    assert not app.error
    with store.read() as connection:
        assert label_table.adjudications_of(connection, run.id, correct.id) == {}
    assert table(app, "disputes_table")["State"][0] == "open"
    assert f"withdraw_{own}" not in keys(app)
    assert "withdrawn" in said(app)


@pytest.mark.slow
def test_a_case_that_cannot_be_judged_is_a_decision_too(open_page, store, project, run, correct):
    label_all(store, run, correct)
    adjudicate(store, run.id, "case-1", correct.id, value=1.0, reason="First thought.", actor=ACTOR)
    app = open_page("label", project=project.id, view="second", case="case-1")
    own = f"case-1_{correct.id}"
    app.radio(key=f"decision_value_{own}_0").set_value("cannot be judged")
    app.text_area(key=f"decision_reason_{own}_0").set_value("The passages say both.")
    app.button(key=f"decision_save_{own}_0").click().run()
    with store.read() as connection:
        assert label_table.adjudications_of(connection, run.id, correct.id)["case-1"].value is None


@pytest.mark.slow
def test_agreement_is_told_in_figures_and_words(open_page, store, project, run, correct):
    label_all(store, run, correct)
    app = open_page("label", project=project.id, view="agreement")
    assert not app.exception
    # Eight cases, 16 values: 9 ones, 7 zeros; one pair differs: D_o = 2/16, D_e = 2 * 9 * 7 / (16 * 15) = 126/240.
    assert metrics(app)["Krippendorff's alpha"] == f"{1 - (2 / 16) / (126 / 240):.2f}"
    assert app.title[0].value == "Do people agree with each other?"
    assert "Calibration" in everything(app) or "calibrate" in everything(app)
    assert "simulated" not in everything(app)
    rows = holding(app, "With the others")
    assert list(rows["Rater"]) == list(RATERS)
    assert list(rows["Time per case"]) == ["4 seconds"] * 2
    assert len(app.get("plotly_chart")) == 1


@pytest.mark.slow
def test_simulated_raters_are_marked_wherever_they_show(open_page, store, project, run, correct):
    of = label_all(store, run, correct, origin=RoundOrigin.SIMULATED)
    for view in ("setup", "second", "agreement"):
        app = open_page("label", project=project.id, view=view, round=of.id, case="case-1")
        assert not app.exception
        assert "simulated raters" in everything(app), view
    app = open_page("label", project=project.id, view="label")
    assert "There is no round to label yet" in said(app)


@pytest.mark.slow
def test_a_machine_among_people_makes_their_agreement_no_good_news(open_page, store, project, run, correct):
    label_all(store, run, correct, apart=())
    app = open_page("label", project=project.id, view="agreement")
    assert "Good enough to calibrate against" in everything(app)
    of = make(store, run, [correct], name="Played", raters=["Bot"], overlap=1, origin=RoundOrigin.SIMULATED)
    for task in tasks(store, of.id, "Bot"):
        value = float(int(task.case_id.removeprefix("case-")) % 2 == 0)
        save_labels(store, of.id, "Bot", task.case_id, given={correct.id: Given(value=value)}, seconds=1, actor=ACTOR)
    shown = everything(app.run())
    assert "Some of these labels are by simulated raters" in shown
    assert "Good enough to calibrate against" not in shown


@pytest.mark.slow
def test_what_a_machine_played_is_said_once(open_page, store, project, run, correct):
    names = ("Simulated rater A", "Bot")
    of = make(store, run, [correct], n=4, raters=names, name="Simulated raters", origin=RoundOrigin.SIMULATED)
    for value, rater in enumerate(names):
        for task in tasks(store, of.id, rater):
            given = {correct.id: Given(value=float(value if task.case_id == "case-1" else 1))}
            save_labels(store, of.id, rater, task.case_id, given=given, seconds=4, actor=ACTOR)
    app = open_page("label", project=project.id, view="second", case="case-1")
    assert [one.value for one in app.warning] == [
        "All of these labels are by simulated raters: they say nothing about people."
    ]
    assert table(app, "disputes_table")["Labels"][0] == "Bot (simulated): 1 Correct, Simulated rater A: 0 Incorrect"
    app.query_params["view"] = "agreement"
    app.run()
    assert list(holding(app, "With the others")["Rater"]) == ["Bot (simulated)", "Simulated rater A"]
    shown = everything(app)
    assert shown.count("they say nothing about people") == 1
    app.query_params["view"], app.query_params["round"] = "setup", of.id
    app.run()
    assert "**Simulated raters**" in [one.value for one in app.markdown]


@pytest.mark.slow
def test_pairs_that_share_no_case_are_not_counted_and_equal_ones_not_ranked(open_page, store, project, run, correct):
    for place, raters in enumerate((("Ada", "Grace"), ("Ada", "Hedy"))):
        items = [Drawn(case_id=f"case-{place * 6 + number}") for number in range(6)]
        of = make(store, run, [correct], name=f"R{place}", raters=raters, items=items)
        for rater in raters:
            for task in tasks(store, of.id, rater):
                given = {correct.id: Given(value=float(int(task.case_id.removeprefix("case-")) % 2))}
                save_labels(store, of.id, rater, task.case_id, given=given, seconds=2, actor=ACTOR)
    app = open_page("label", project=project.id, view="agreement")
    assert not app.exception
    assert "2 of 3 pairs" in captions(app)
    assert "Both pairs of raters agree equally: kappa 1.00" in app.get("plotly_chart")[0].proto.spec


def test_raters_who_share_no_case_get_a_reason_and_no_number(open_page, store, project, run, correct):
    of = make(store, run, [correct], n=4, overlap=1)
    for rater in RATERS:
        for task in tasks(store, of.id, rater):
            save_labels(store, of.id, rater, task.case_id, given={correct.id: Given(value=1.0)}, seconds=2, actor=ACTOR)
    app = open_page("label", project=project.id, view="agreement")
    assert not app.exception
    assert metrics(app)["Krippendorff's alpha"] == "-"
    assert "no case has labels of two raters" in everything(app)


@pytest.mark.slow
def test_a_name_with_markup_is_shown_as_it_is_everywhere(open_page, store, project, run):
    anchors = [Level(value=0, anchor=f"No {MARKUP}"), Level(value=1, anchor=f"Yes {MARKUP}")]
    given = {"name": MARKUP, "question": MARKUP, "kind": "binary", "levels": anchors}
    one, other = (
        create_criterion(store, project.id, **{**given, "name": name}, actor=ACTOR) for name in (MARKUP, f"{MARKUP} 2")
    )
    raters = (f"Ada {MARKUP}", f"Grace {MARKUP}")
    gold = Drawn(case_id="case-9", part=Part.PRACTICE, gold={one.id: 1.0})
    items = [gold, *(Drawn(case_id=f"case-{place}") for place in range(2))]
    of = make(store, run, [one, other], name=MARKUP, raters=raters, items=items)
    make(store, run, [one], name=f"{MARKUP} 2", raters=raters)

    def check(app, *, name=True):
        assert not app.exception
        assert [text for text in rendered(app) if MARKUP in text] == []
        # Neither does an escape show where nothing is rendered.
        assert [text for text in as_written(app) if "\\*" in text] == []
        assert any(MARKUP in text.replace("\\", "") for text in [*rendered(app), *as_written(app)]) is name

    check(open_page("label", project=project.id, view="label"))
    app = open_page("label", project=project.id, view="label", round=of.id)
    check(app)
    app.query_params["rater"] = raters[0]
    check(app.run())
    click(app, f"level_{one.id}_0")
    check(app)
    click(app, f"level_{other.id}_0")
    assert "another answer was expected" in everything(app)
    check(app)
    for place, rater in enumerate(raters):
        for task in tasks(store, of.id, rater)[1:]:
            said_so = {criterion.id: Given(value=float(place)) for criterion in (one, other)}
            save_labels(store, of.id, rater, task.case_id, given=said_so, seconds=1, actor=ACTOR)
    del app.query_params["rater"]
    for view in ("setup", "second", "agreement"):
        app.query_params.update({"view": view, "criterion": one.id, "case": "case-0"})
        check(app.run())
    adjudicate(store, run.id, "case-0", one.id, value=1.0, reason="So.", actor=ACTOR)
    app.query_params["view"] = "second"
    check(app.run())


# The marks.


def test_a_mark_of_a_browser_is_checked():
    answer = label_reading.Piece(where="answer", kind="answer", title="Answer", text="It is 5 percent.")
    good = {"where": "answer", "start": 6, "end": 7, "task": "t", "remove": False}
    assert label_reading.parse(good, [answer], "t") is not None
    changes = ({"task": "u"}, {"where": "context 1"}, {"start": -1}, {"end": 17}, {"start": 7}, {"start": True})
    for wrong in (None, [], {**good, "end": "7"}, *({**good, **change} for change in changes)):
        assert label_reading.parse(wrong, [answer], "t") is None
