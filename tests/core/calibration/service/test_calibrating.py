"""Calibrating a run: what is refused, what is kept, and what makes it stale."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.calibration.service.calibrating import calibrate_run, ensure_calibrated, masks
from core.calibration.service.cases.decisions import members
from core.calibration.service.report import ConformalMethod, LevelsKept
from core.calibration.service.stored import calibrations_of, options_of, report_of, stale
from core.domain.errors import Forbidden, InsufficientData, InvalidInput, NotFound
from core.domain.results.labels import LabelRule, ScaleKind
from core.domain.sources.projects import Role
from core.labelling.adjudication import adjudicate
from core.labelling.criteria import change_criterion, create_criterion
from core.labelling.labelled_scores import labelled_scores
from core.project.service import ensure_member
from core.runs.scores.edits import edit_score
from core.store.database import Store
from core.store.trail import audit
from tests.support.labels import labelled_run
from tests.support.labels.labelled_store import LABELLED, N, calibrated, column, more, options, unlabelled
from tests.support.small_bank import ACTOR


@pytest.mark.slow
def test_a_calibration_is_kept_with_what_it_was_asked_for_and_what_it_found(labelled, made):
    calibration = calibrated(labelled, made, alpha=0.2, conformal=ConformalMethod.APS)
    assert calibrations_of(labelled, made.run.id) == (calibration,)
    assert options_of(calibration) == options(made, alpha=0.2, conformal=ConformalMethod.APS)
    report = report_of(calibration)
    assert (report.criterion, report.level_names, report.level_values) == ("Correct", ("Incorrect", "Correct"), (0, 1))
    assert report.result.alpha == 0.2
    assert report.raters == labelled_run.RATERS
    assert report.simulated == len(report.labels) == LABELLED
    parts = [row.part for row in report.labels]
    n = report.result.n
    assert (parts.count("fit"), parts.count("conformal"), parts.count("test")) == (n.fit, n.conformal, n.test)
    with labelled.read() as connection:
        assert audit.entries(connection)[0].action == "calibration.make"


@pytest.mark.slow
def test_the_same_is_not_calibrated_twice_unless_somebody_asks(labelled, made):
    first = ensure_calibrated(labelled, made.run.id, options(made), actor=ACTOR)
    assert ensure_calibrated(labelled, made.run.id, options(made), actor=ACTOR) == first
    other = ensure_calibrated(labelled, made.run.id, options(made, alpha=0.2), actor=ACTOR)
    again = calibrated(labelled, made)
    assert [item.id for item in calibrations_of(labelled, made.run.id)] == [again.id, other.id, first.id]
    assert ensure_calibrated(labelled, made.run.id, options(made), actor=ACTOR) == again


@pytest.mark.slow
def test_every_scored_case_has_a_probability_and_a_set_and_the_others_have_none(labelled, made):
    report = report_of(calibration := calibrated(labelled, made))
    found = column(labelled, calibration)
    # The last answer failed and the one before has no score: 158 of 160.
    assert found.probabilities.size == N
    assert np.flatnonzero(np.isnan(found.probabilities)).tolist() == [N - 2, N - 1]
    assert found.sets[-2:].tolist() == [0, 0]
    kept = members(found.sets, 2)
    at = {f"case-{number}": number for number in range(N)}
    tested = [row for row in report.labels if row.part == "test"]
    hits = sum(bool(kept[at[row.case_id], row.level]) for row in tested)
    assert (hits, len(tested)) == (report.result.coverage.num, report.result.coverage.den)
    for row in report.labels:
        if row.chance is not None:
            assert row.chance == pytest.approx(found.probabilities[at[row.case_id]])


def test_sets_become_bits(made):
    assert masks(np.array([[True, False, True], [False, False, False]])).tolist() == [5, 0]
    assert members(np.uint16([5, 0]), 3).tolist() == [[True, False, True], [False, False, False]]


@pytest.mark.slow
def test_levels_of_a_scale_are_calibrated_each_or_as_accepted_or_not(labelled, made):
    faithful = replace(options(made), criterion_id=made.likert.id, method="auto")
    simple = report_of(calibrate_run(labelled, made.run.id, faithful, actor=ACTOR))
    assert (simple.level_values, simple.result.levels) == ((0, 1), 2)
    each = report_of(calibrate_run(labelled, made.run.id, replace(faithful, levels=LevelsKept.EACH), actor=ACTOR))
    assert (each.level_values, each.result.levels, each.result.accept_from) == ((1, 2, 3, 4), 4, 2)
    assert {row.accepted for row in each.labels if row.level >= 2} == {True}
    both = dict(zip([row.case_id for row in simple.labels], simple.labels, strict=True))
    assert all(both[row.case_id].accepted == row.accepted for row in each.labels)


def test_a_mean_of_raters_is_accepted_where_it_reaches_the_accepted_level(labelled, made):
    change_criterion(labelled, made.likert.id, rule=LabelRule.MEAN, actor=ACTOR)
    faithful = replace(options(made), criterion_id=made.likert.id)
    report = report_of(calibrate_run(labelled, made.run.id, faithful, actor=ACTOR))
    found = labelled_scores(labelled, made.run.id, made.likert, ("groundedness",)).labels
    assert {row.accepted == (found[row.case_id].value >= 3.0) for row in report.labels} == {True}
    assert any(found[row.case_id].value not in (1.0, 2.0, 3.0, 4.0) for row in report.labels)


def test_only_a_validator_calibrates(labelled, made):
    ensure_member(labelled, made.run.project_id, "ada", Role.LABELLER, actor=ACTOR)
    with pytest.raises(Forbidden):
        calibrate_run(labelled, made.run.id, options(made), actor="ada")
    assert calibrations_of(labelled, made.run.id) == ()


def test_nothing_is_calibrated_without_labels_levels_scores_or_a_criterion(labelled, made):
    comment = create_criterion(
        labelled, made.run.project_id, name="Why", question="Why?", kind=ScaleKind.COMMENT, actor=ACTOR
    )
    polite = create_criterion(
        labelled, made.run.project_id, name="Polite", question="Is it polite?", kind=ScaleKind.BINARY, actor=ACTOR
    )
    with pytest.raises(InvalidInput, match="asks for a comment"):
        calibrate_run(labelled, made.run.id, replace(options(made), criterion_id=comment.id), actor=ACTOR)
    with pytest.raises(InsufficientData) as caught:
        calibrate_run(labelled, made.run.id, replace(options(made), criterion_id=polite.id), actor=ACTOR)
    assert "labels under Polite" in caught.value.message
    assert "Label page" in caught.value.hint
    with pytest.raises(InsufficientData, match="labelled cases with a score"):
        calibrated(labelled, made, "recall")
    with pytest.raises(NotFound, match="no criterion crt_none"):
        calibrate_run(labelled, made.run.id, replace(options(made), criterion_id="crt_none"), actor=ACTOR)
    with pytest.raises(InvalidInput, match="No score was chosen"):
        calibrate_run(labelled, made.run.id, replace(options(made), metrics=()), actor=ACTOR)
    with pytest.raises(InvalidInput, match="9 scores are too many"):
        calibrated(labelled, made, *(f"metric_{number}" for number in range(9)))


@pytest.mark.slow
def test_five_labels_are_too_few_and_the_error_says_how_many_more(tmp_path):
    path, made = labelled_run.write_store(tmp_path / "few", n=40, labelled=5)
    with Store.open(f"sqlite:///{path}") as store, pytest.raises(InsufficientData) as caught:
        calibrated(store, made)
    # Nine labels of the conformal part at alpha 0.1, three tenths of thirty.
    assert (caught.value.need, caught.value.have) == (30, 5)
    assert "25 more cases" in caught.value.hint


@pytest.fixture
def quarrel(tmp_path):
    """A run whose raters say the opposite half of the time."""
    path, made = labelled_run.write_store(tmp_path / "quarrel", n=80, labelled=0)
    with Store.open(f"sqlite:///{path}") as store:
        ids = [f"case-{number}" for number in range(60)]
        labelled_run.add_labels(store, made.run, (made.binary,), ids, quality=made.quality, slip=0.5)
        yield store, made


@pytest.mark.slow
def test_raters_who_do_not_agree_are_refused_unless_somebody_insists(quarrel):
    store, made = quarrel
    with pytest.raises(InvalidInput) as caught:
        calibrated(store, made)
    assert "do not agree on Correct" in caught.value.message
    assert "alpha" in caught.value.message
    assert calibrations_of(store, made.run.id) == ()
    report = report_of(calibrated(store, made, insist=True))
    assert report.insisted
    assert report.usable == "refused"
    assert report.result.insisted
    assert any(caution.code == "agreement_insisted" for caution in report.result.cautions)


def test_an_insistence_that_was_not_needed_is_not_held_against_the_result(labelled, made):
    assert not report_of(calibrated(labelled, made, insist=True)).insisted


@pytest.mark.slow
def test_a_single_rater_is_warned_of(tmp_path):
    path, made = labelled_run.write_store(tmp_path / "alone", n=80, labelled=0)
    with Store.open(f"sqlite:///{path}") as store:
        ids = [f"case-{number}" for number in range(60)]
        labelled_run.add_labels(store, made.run, (made.binary,), ids, quality=made.quality, raters=("rater-1",))
        report = report_of(calibrated(store, made))
    assert (report.usable, report.agreement.value, report.agreement.method) == (
        "warned",
        None,
        "only one rater labelled",
    )
    assert next(caution.code for caution in report.result.cautions) == "agreement_unknown"


@pytest.mark.slow
def test_a_changed_score_or_label_or_criterion_makes_it_stale_and_new_labels_do_not(labelled, made):
    calibration = calibrated(labelled, made)
    row = report_of(calibration).labels[0]
    assert stale(labelled, calibration) == ()
    more(labelled, made, unlabelled(labelled, made)[:4])
    assert stale(labelled, calibration) == ()
    adjudicate(
        labelled,
        made.run.id,
        row.case_id,
        made.binary.id,
        value=float(1 - row.level),
        reason="Seen again.",
        actor=ACTOR,
    )
    assert stale(labelled, calibration) == (f"1 of its {LABELLED} labels changed since.",)
    edit_score(labelled, made.run.id, "case-9", "groundedness", value=0.123, reason="Wrong passage.", actor=ACTOR)
    assert stale(labelled, calibration)[0] == "Scores of groundedness changed since."
    change_criterion(labelled, made.binary.id, rule=LabelRule.ADJUDICATED, actor=ACTOR)
    assert any("criterion changed" in reason for reason in stale(labelled, calibration))


@pytest.mark.slow
def test_cases_that_people_looked_at_without_one_label_are_counted(labelled, made):
    # Only adjudicated cases have a label now, where raters differ.
    change_criterion(labelled, made.binary.id, rule=LabelRule.ADJUDICATED, actor=ACTOR)
    found = labelled_scores(labelled, made.run.id, made.binary, ("groundedness",))
    without = [label for label in found.labels.values() if label.value is None]
    assert 0 < found.undecided == len(without) == LABELLED - int(found.labelled.sum())
    report = report_of(calibrated(labelled, made)).result
    assert report.n.undecided == len(without)
    assert any(one.text.startswith(f"{len(without)} of {LABELLED} rated") for one in report.cautions)


@pytest.mark.slow
def test_raters_are_combined_by_choice_and_an_older_calibration_by_the_rule_of_its_criterion(labelled, made):
    found = calibrated(labelled, made, criterion_id=made.likert.id, raters=LabelRule.MEDIAN)
    assert report_of(found).rule == "median"
    assert options_of(found).raters is LabelRule.MEDIAN
    # The criterion's rule is not what it was made by.
    change_criterion(labelled, made.likert.id, rule=LabelRule.MEAN, actor=ACTOR)
    assert stale(labelled, found) == ()
    with pytest.raises(InvalidInput, match="have no mean"):
        calibrated(labelled, made, raters=LabelRule.MEAN)
    older = {name: value for name, value in found.options.items() if name != "raters"}
    assert options_of(replace(found, options=older)).raters is None
