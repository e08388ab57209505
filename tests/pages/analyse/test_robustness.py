"""The page of robustness: what it waits for, the form with its preview, the result, what a viewer sees."""

import pytest

from core import jobs
from core.domain.results.runs import RunState
from core.robustness.service import KIND, create_variant_run
from core.runs.execute import execute_run
from core.store.results import runs
from core.store.testset import testsets
from core.testset.variants.making import Recipe
from core.testset.variants.service import VariantPlan, build_variants
from pages.analyse.robustness import words
from tests.pages.clicks import as_viewer, captions, keys
from tests.support.small_bank import ACTOR

KINDS = ("spelling", "case_punctuation", "unfamiliar_near", "poisoned_passage", "repeat")


@pytest.fixture
def varied(finished, bank):
    """A run on variants of the small bank that is done."""
    with finished.read() as connection:
        (parent,) = runs.all(connection, bank.id)
    plan = VariantPlan(recipe=Recipe(kinds=KINDS, n=8, repeats=1), encoder="none")
    test_set = build_variants(finished, parent.test_set_id, plan, actor=ACTOR)
    run = create_variant_run(finished, parent.id, test_set.id, actor=ACTOR)
    assert execute_run(finished, run.id, actor=ACTOR)
    return run


def test_without_a_run_it_names_the_next_step(project, open_page):
    at = open_page("robustness", project=project.id)
    assert not at.exception
    assert "go_run" in keys(at)


@pytest.mark.slow
def test_before_the_first_variants_it_offers_the_form_with_a_preview(bank, open_page):
    at = open_page("robustness", project=bank.id)
    assert not at.exception
    assert "start_variants" in keys(at)
    assert "Right: same answer." in captions(at)
    assert any(":orange-background[" in markdown.value for markdown in at.markdown)


@pytest.mark.slow
def test_the_button_starts_a_worker_with_the_chosen_kinds(finished, bank, open_page, monkeypatch):
    monkeypatch.setattr(jobs.control, "spawn", lambda *_: None)
    at = open_page("robustness", project=bank.id)
    at.number_input(key="variants_n").set_value(3).run()
    at.button(key="start_variants").click().run()
    (job,) = [job for job in jobs.list_jobs(finished, bank.id) if job.kind == KIND]
    assert job.params["plan"]["recipe"]["n"] == 3


@pytest.mark.slow
def test_the_result_has_a_row_per_kind_and_each_variant_beside_its_parent(bank, varied, open_page):
    at = open_page("robustness", project=bank.id, run=varied.id, kind="spelling", status="all")
    assert not at.exception
    table = next(frame.value for frame in at.dataframe if "Finding" in frame.value.columns)
    assert list(table["Kind"]) == [words.title_of(kind) for kind in KINDS if kind != "repeat"]
    assert "verdicts change when asked again" in captions(at)
    assert {"Before", "Variant", "Reference"} <= {caption.value for caption in at.caption}
    assert {"to_weakness", "to_parent", "to_variant"} <= keys(at)


@pytest.mark.slow
@pytest.mark.parametrize("view", ["change", "broke", "right"])
def test_every_measure_draws(bank, varied, open_page, view):
    assert not open_page("robustness", project=bank.id, run=varied.id, view=view).exception


@pytest.mark.slow
def test_other_pages_open_with_the_run_on_the_cases_themselves(finished, bank, varied, open_page):
    with finished.read() as connection:
        newest, parent = runs.all(connection, bank.id)
        assert (newest.id, newest.state) == (varied.id, RunState.FINISHED)
        assert testsets.get(connection, newest.test_set_id).name.endswith(", variants")
    at = open_page("results", project=bank.id)
    assert not at.exception
    assert parent.id in captions(at)


def test_the_weakness_page_lays_the_flips_over_the_kinds(bank, varied, open_page):
    at = open_page(
        "weakness", project=bank.id, run=varied.id, score="right_behaviour", attribute="variant", view="attribute"
    )
    assert not at.exception
    options = {str(box.value) for box in at.selectbox}
    assert {"right_behaviour", "variant"} <= options
    assert not {"parent", "variant_change", "parent_question"} & {
        option for box in at.selectbox for option in box.options
    }


@pytest.mark.slow
def test_a_viewer_reads_and_starts_nothing(finished, bank, varied, open_page, monkeypatch):
    at = as_viewer(open_page("robustness", project=bank.id), finished, bank, monkeypatch)
    assert not at.exception
    assert "start_variants" not in keys(at)
    assert "to_weakness" in keys(at)


def test_hostile_text_is_shown_as_text():
    assert words.lit("a", "a <b>x</b> [y](http://z)") == (
        "a :orange-background[" + words.errors.plain("<b>x</b> [y](http://z)") + "]"
    )
