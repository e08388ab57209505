"""Labels to and from files."""

import csv
import json

import pytest
import sqlalchemy as sa

from core.domain.errors import Forbidden, InvalidInput, UnreadableFile
from core.domain.results.labels import LabelStatus, Level, Part, RoundOrigin, ScaleKind, Span
from core.domain.sources.projects import Role
from core.io.exchange.inspectorraget_labels import is_inspectorraget, read_inspectorraget
from core.io.labels import label_table
from core.labelling.agreement.alpha import agreement
from core.labelling.agreement.service import agreement_of_run
from core.labelling.criteria import create_criterion
from core.labelling.files import COLUMNS, export_labels, import_labels
from core.labelling.one_label import one_labels
from core.labelling.rating.tasks import Given, save_labels, tasks
from core.labelling.rounds import create_round, list_rounds
from core.labelling.sampling.records import Drawn
from core.project.service import create_project, ensure_member
from core.runs.exchange.exporting import export_exchange
from core.store.database import Store
from core.store.people import labels
from core.store.results.cases import run_inputs
from core.store.tables import audit
from tests.support.runs.answered_run import answered_run
from tests.support.runs.scored_run import Row, add_run, rows
from tests.support.shared_data import shared
from tests.support.small_bank import ACTOR
from tests.support.stores import blank_url

MTRAG = "mtrag/reference_subset_with_human_evaluations.json"


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


def project(store, name="Bank", cases=8, *, failed=1):
    """A run of so many answers and so many failed targets, and three criteria of its project, by name."""
    made = create_project(store, name, ACTOR)
    run = add_run(
        store, made.id, [*rows(cases), *[Row(question="?", answer=None, passages=(), correct=None)] * failed], name=name
    )
    asked = (
        ("Correct", ScaleKind.BINARY, (0, 1)),
        ("Faithful", ScaleKind.LIKERT, (1, 2, 3, 4)),
        ("Remark", ScaleKind.COMMENT, ()),
    )
    criteria = {
        title: create_criterion(
            store,
            made.id,
            name=title,
            question=f"{title}?",
            kind=kind,
            accept_from=max(values, default=1),
            levels=tuple(Level(value=value, anchor=f"Level {value}") for value in values),
            actor=ACTOR,
        )
        for title, kind, values in asked
    }
    return run, criteria


@pytest.fixture
def labelled(store):
    """Two raters, one practice case, a repetition, marks, comments, and a case that could not be judged."""
    run, criteria = project(store)
    correct, faithful, remark = (criteria[name].id for name in ("Correct", "Faithful", "Remark"))
    practice = Drawn(
        case_id="case-7", part=Part.PRACTICE, gold={correct: 1.0, faithful: 2.0}, explanation="It is in the passage."
    )
    drawn = [
        Drawn(case_id="case-0", probability=0.5),
        Drawn(case_id="case-1", probability=0.25),
        Drawn(case_id="case-2", part=Part.TARGETED, stratum="uncertain", probability=0.125),
    ]
    made = create_round(
        store,
        run.id,
        name="First",
        criteria=[correct, faithful, remark],
        raters=["ann", "ben"],
        items=[practice, *drawn],
        repeat_share=1 / 3,
        actor=ACTOR,
    )
    for rater in made.raters:
        for task in tasks(store, made.id, rater):
            number = int(task.case_id[-1])
            given = {
                correct: Given(cannot_judge=True, comment='no passage, "no" answer')
                if (rater, number) == ("ben", 1)
                else Given(value=float(number % 2), spans=(Span(where="answer", start=0, end=5 + number),)),
                faithful: Given(value=float(1 + number % 4)),
                remark: Given(comment=f"line one\nline two of {task.case_id}; größer"),
            }
            save_labels(
                store,
                made.id,
                rater,
                task.case_id,
                occurrence=task.occurrence,
                given=given,
                seconds=7.5 + number,
                actor=ACTOR,
            )
    return run, criteria


def everything(store, run):
    """Every label of a run with what is known of its case, without the ids that differ from store to store."""
    with store.read() as connection:
        rounds = labels.rounds(connection, run.project_id, run.id)
        names = {one.id: one.name for one in labels.criteria_of(connection, run.project_id)}
        items = {(one.id, item.case_id): item for one in rounds for item in labels.items(connection, one.id)}
        found = [*labels.of_run(connection, run.id)]
        for one in rounds:
            found += labels.practice(connection, one.id)
    return sorted(
        (
            (
                label.case_id,
                names[label.criterion_id],
                label.rater,
                label.occurrence,
                label.value,
                label.status.value,
                label.comment,
                label.spans,
                label.seconds,
                label.at,
                item.part.value,
                item.stratum,
                item.probability,
                item.explanation,
                sorted((names[criterion], value) for criterion, value in item.gold.items()),
            )
            for label in found
            for item in (items[label.round_id, label.case_id],)
        ),
        key=str,
    )


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "json", "parquet"])
def test_every_field_goes_out_and_comes_back(store, labelled, tmp_path, ending):
    run, _ = labelled
    path = tmp_path / f"labels.{ending}"
    written = export_labels(store, run.id, path, actor=ACTOR)
    # Two raters, three criteria, four cases; each rater has one case twice.
    assert written == 2 * 3 * (4 + 1)
    other, _ = project(store, "Copy")
    (made,) = import_labels(store, other.id, path, name="Copied", actor=ACTOR)
    assert everything(store, other) == everything(store, run)
    assert (made.name, made.origin, made.closed, made.raters) == ("Copied", RoundOrigin.IMPORTED, True, ("ann", "ben"))
    assert made.overlap == 2
    with store.read() as connection:
        assert all(task.done_at for rater in made.raters for task in labels.tasks(connection, made.id, rater))


def test_the_imported_labels_count_as_the_labels_they_are(store, labelled, tmp_path):
    run, criteria = labelled
    export_labels(store, run.id, tmp_path / "l.csv", actor=ACTOR)
    other, copied = project(store, "Copy")
    import_labels(store, other.id, tmp_path / "l.csv", name="Copied", actor=ACTOR)
    assert one_labels(store, other.id, copied["Correct"].id) == one_labels(store, run.id, criteria["Correct"].id)
    ours = agreement_of_run(store, other.id, copied["Faithful"].id, resamples=50).as_json()
    assert ours == agreement_of_run(store, run.id, criteria["Faithful"].id, resamples=50).as_json()


def test_rounds_stay_apart_and_simulated_raters_stay_simulated(store, labelled, tmp_path):
    run, criteria = labelled
    again = create_round(
        store,
        run.id,
        name="Second",
        criteria=[criteria["Correct"].id],
        raters=["ann"],
        items=[Drawn(case_id="case-0")],
        origin=RoundOrigin.SIMULATED,
        actor=ACTOR,
    )
    save_labels(
        store, again.id, "ann", "case-0", given={criteria["Correct"].id: Given(value=1)}, seconds=1, actor=ACTOR
    )
    export_labels(store, run.id, tmp_path / "l.jsonl", actor=ACTOR)
    other, _ = project(store, "Copy")
    made = import_labels(store, other.id, tmp_path / "l.jsonl", name="Copied", actor=ACTOR)
    assert [(one.name, one.origin) for one in made] == [
        ("Copied: First", RoundOrigin.IMPORTED),
        ("Copied: Second", RoundOrigin.SIMULATED),
    ]
    assert everything(store, other) == everything(store, run)


def write(path, found):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["case_id", "criterion", "rater", "value", "comment"])
        writer.writeheader()
        writer.writerows(found)
    return path


def simple(case="case-0", criterion="Correct", rater="ann", value="1", comment=""):
    return {"case_id": case, "criterion": criterion, "rater": rater, "value": value, "comment": comment}


def test_four_columns_will_do(store, tmp_path):
    run, criteria = project(store)
    path = write(
        tmp_path / "l.csv",
        [
            simple(value="0"),
            simple(rater="ben"),
            simple("case-1", value=""),
            simple("case-1", "Faithful", value="4"),
            simple("case-2", "Remark", value="too short"),
            simple("case-2", "Remark", "ben", "", "too long"),
        ],
    )
    (made,) = import_labels(store, run.id, path, name="From a file", actor=ACTOR)
    assert made.criteria == tuple(criteria[name].id for name in ("Correct", "Faithful", "Remark"))
    with store.read() as connection:
        found = {(one.case_id, one.criterion_id, one.rater): one for one in labels.of_run(connection, run.id)}
        items = labels.items(connection, made.id)
    assert found["case-1", criteria["Correct"].id, "ann"].status is LabelStatus.CANNOT_JUDGE
    remarks = [found["case-2", criteria["Remark"].id, rater] for rater in ("ann", "ben")]
    assert [(one.value, one.status, one.comment) for one in remarks] == [
        (None, LabelStatus.GIVEN, "too short"),
        (None, LabelStatus.GIVEN, "too long"),
    ]
    # Nobody said how the cases were drawn: no promise may rest on them.
    assert {(item.part, item.stratum) for item in items} == {(Part.TARGETED, "imported")}
    with store.read() as connection:
        (entry,) = connection.execute(sa.select(audit).where(audit.c.action == "labels.import")).mappings()
    assert json.loads(entry["detail"])["labels"] == 6


def test_a_random_sample_is_one_if_somebody_says_so_or_all_cases_are_there(store, tmp_path):
    run, criteria = project(store)
    some = write(tmp_path / "some.csv", [simple(f"case-{number}") for number in range(2)])
    import_labels(store, run.id, some, name="Some", actor=ACTOR, at_random=True)
    assert [(one.random, one.probability) for one in one_labels(store, run.id, criteria["Correct"].id)] == [
        (True, pytest.approx(2 / 8))
    ] * 2
    other, copied = project(store, "Other")
    whole = write(tmp_path / "all.csv", [simple(f"case-{number}") for number in range(8)])
    import_labels(store, other.id, whole, name="All", actor=ACTOR)
    assert {(one.random, one.probability) for one in one_labels(store, other.id, copied["Correct"].id)} == {(True, 1.0)}


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (simple("case-99"), "Row 2: the run has no answer to case case-99"),
        (simple("case-8"), "Row 2: the run has no answer to case case-8"),
        (simple(criterion="Polite"), "Row 2: the project has no criterion Polite"),
        (simple(value="2"), "Row 2: 2 is no level of Correct, which has 0, 1"),
        (simple(criterion="Faithful", value="2.5"), "Row 2: 2.5 is no level of Faithful"),
        (simple(value="good"), "Row 2: 'good' is no level of Correct"),
        (simple(criterion="Remark", value="3"), "Row 2: Remark is a comment"),
    ],
)
def test_nothing_is_imported_where_something_cannot_be(store, tmp_path, bad, said):
    run, _ = project(store)
    path = write(tmp_path / "bad.csv", [simple("case-2"), bad, simple("case-3")])
    with pytest.raises(InvalidInput) as told:
        import_labels(store, run.id, path, name="Bad", actor=ACTOR)
    assert said in told.value.message
    assert told.value.message.startswith("1 of 3 labels cannot be")
    assert list_rounds(store, run.project_id) == ()


def test_many_bad_rows_are_counted_and_the_first_are_named(store, tmp_path):
    run, _ = project(store)
    path = write(tmp_path / "bad.csv", [simple(f"x{number}") for number in range(9)])
    with pytest.raises(InvalidInput, match=r"9 of 9 .* Row 5: .* And 4 more"):
        import_labels(store, run.id, path, name="Bad", actor=ACTOR)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("spans", "[1]", "no list of where"),
        ("spans", "{", "no list of where"),
        ("part", "lucky", "no part of a draw"),
        ("seconds", "long", "no number for seconds"),
        ("probability", 0, "not a probability above 0"),
        ("seconds", -1, "not a time"),
    ],
)
def test_fields_of_our_own_are_checked(store, tmp_path, column, value, said):
    run, _ = project(store)
    path = tmp_path / "l.jsonl"
    path.write_text(json.dumps({**simple(), column: value}))
    with pytest.raises(InvalidInput, match=said):
        import_labels(store, run.id, path, name="Bad", actor=ACTOR)


def test_only_validators_see_and_bring_everybodys_labels(store, labelled, tmp_path):
    run, _ = labelled
    ensure_member(store, run.project_id, "lena", Role.LABELLER, actor=ACTOR)
    with pytest.raises(Forbidden):
        export_labels(store, run.id, tmp_path / "l.csv", actor="lena")
    with pytest.raises(Forbidden):
        import_labels(store, run.id, write(tmp_path / "l.csv", [simple()]), name="x", actor="lena")
    found = export_exchange(store, run.id, tmp_path / "l.json", "inspectorraget", actor="lena")
    assert not any(name.startswith("labels.") for name in found.mapped)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["=1+1", "'=1+1", "''-x", "+49 40", "@name", "'quoted'", "plain", "-", "\\t=x"])
def test_a_text_that_begins_like_a_formula_is_none_in_a_spreadsheet_and_comes_back(store, tmp_path, text):
    run, criteria = project(store)
    made = create_round(
        store,
        run.id,
        name="First",
        criteria=[criteria["Correct"].id],
        raters=["ann"],
        items=[Drawn(case_id="case-0")],
        actor=ACTOR,
    )
    given = {criteria["Correct"].id: Given(value=1, comment=text)}
    save_labels(store, made.id, "ann", "case-0", given=given, seconds=1, actor=ACTOR)
    export_labels(store, run.id, tmp_path / "l.csv", actor=ACTOR)
    with (tmp_path / "l.csv").open(encoding="utf-8", newline="") as file:
        assert next(csv.DictReader(file))["comment"][0] not in "=+-@"
    other, _ = project(store, "Copy")
    import_labels(store, other.id, tmp_path / "l.csv", name="Copied", actor=ACTOR)
    assert everything(store, other) == everything(store, run)


def test_a_run_without_labels_has_nothing_to_export(store, tmp_path):
    run, _ = project(store)
    with pytest.raises(InvalidInput, match="has no label"):
        export_labels(store, run.id, tmp_path / "l.csv", actor=ACTOR)
    assert not (tmp_path / "l.csv").exists()


def test_the_columns_of_the_file(store, labelled, tmp_path):
    export_labels(store, labelled[0].id, tmp_path / "l.csv", actor=ACTOR)
    with (tmp_path / "l.csv").open(encoding="utf-8", newline="") as file:
        assert tuple(next(csv.reader(file))) == COLUMNS


def all_labelled(store, cases=3):
    """A run of which every answer has a label of two criteria by ann and of one by ben."""
    run, criteria = project(store, "Whole", cases=cases, failed=0)
    with store.read() as connection:
        ids = sorted(run_inputs.answered_cases(connection, run))
    made = create_round(
        store,
        run.id,
        name="All",
        criteria=[criteria["Correct"].id, criteria["Faithful"].id],
        raters=["ann", "ben"],
        items=[Drawn(case_id=case_id) for case_id in ids],
        actor=ACTOR,
    )
    for rater in made.raters:
        for place, case_id in enumerate(ids):
            given = {
                criteria["Correct"].id: Given(value=float(place % 2), comment="as the page says"),
                criteria["Faithful"].id: Given(value=1.0) if rater == "ann" else Given(cannot_judge=True, comment="no"),
            }
            save_labels(store, made.id, rater, case_id, given=given, seconds=2.5 + place, actor=ACTOR)
    return run, criteria


@pytest.mark.slow
def test_labels_go_to_inspectorraget_with_their_run_and_come_back(store, tmp_path):
    run, criteria = all_labelled(store)
    path = tmp_path / "inspector.json"
    export_exchange(store, run.id, path, "inspectorraget", actor=ACTOR)
    data = json.loads(path.read_text(encoding="utf-8"))
    assert is_inspectorraget(path)
    # What InspectorRAGet asks of a file: every answer has a value of every metric, every passage is there.
    documents = {document["document_id"]: document["text"] for document in data["documents"]}
    assert len(documents) == len(data["documents"])
    names = {metric["name"] for metric in data["metrics"]}
    assert {"Correct", "Faithful"} <= names
    for result in data["results"]:
        assert set(result["scores"]) == names
        assert all("value" in said for by in result["scores"].values() for said in by.values())
    assert all(context["document_id"] in documents for task in data["tasks"] for context in task["contexts"])
    level = next(metric for metric in data["metrics"] if metric["name"] == "Correct")["values"][1]
    assert level == {"value": "1", "display_value": "Level 1", "numeric_value": 1}
    other, copied = project(store, "Copy", cases=3, failed=0)
    import_labels(store, other.id, path, name="Back", actor=ACTOR)
    with store.read() as connection:
        sent, back = (
            {
                (one.case_id, one.rater): (one.value, one.seconds, one.comment, one.at[:22])
                for one in labels.of_run(connection, of.id, known["Correct"].id)
            }
            for of, known in ((run, criteria), (other, copied))
        )
    assert len(sent) == 6
    assert back == sent


def test_labels_of_some_answers_only_stay_behind_and_are_named(store, labelled, tmp_path):
    found = export_exchange(store, labelled[0].id, tmp_path / "i.json", "inspectorraget", actor=ACTOR)
    assert "labels" in found.ignored
    assert found.rows == 9


def test_the_first_form_of_the_file_says_the_same(store, tmp_path):
    run, _ = all_labelled(store)
    second = tmp_path / "second.json"
    export_exchange(store, run.id, second, "inspectorraget", actor=ACTOR)
    data = json.loads(second.read_text())
    first = tmp_path / "first.json"
    earlier = {
        **{name: data[name] for name in ("models", "metrics", "tasks")},
        "evaluations": [
            {"task_id": one["task_id"], "model_id": one["model_id"], "annotations": one["scores"]}
            for one in data["results"]
        ],
    }
    first.write_text(json.dumps(earlier))
    assert read_inspectorraget(first).labels()
    assert read_inspectorraget(second).labels() == read_inspectorraget(first).labels()


def test_the_second_form_of_the_file_in_camel_case_says_the_same(store, tmp_path):
    run, _ = all_labelled(store)
    path = tmp_path / "snake.json"
    export_exchange(store, run.id, path, "inspectorraget", actor=ACTOR)
    data = json.loads(path.read_text())
    later = {
        "schema_version": 2,
        "models": [{"modelId": model["model_id"], "name": "m", "owner": "o"} for model in data["models"]],
        "metrics": [
            {
                **metric,
                "values": [
                    {"value": one["value"], "numericValue": one["numeric_value"]} for one in metric.get("values", ())
                ],
            }
            for metric in data["metrics"]
        ],
        "tasks": [],
        "results": [
            {"taskId": one["task_id"], "modelId": one["model_id"], "scores": one["scores"]} for one in data["results"]
        ],
    }
    camel = tmp_path / "camel.json"
    camel.write_text(json.dumps(later))
    assert read_inspectorraget(camel).labels() == read_inspectorraget(path).labels()


def test_files_that_are_none_of_inspectorragets(store, tmp_path):
    broken = tmp_path / "b.json"
    broken.write_text('{"models": [], "metrics": [{}], "tasks": []}')
    with pytest.raises(UnreadableFile, match="no file of InspectorRAGet"):
        read_inspectorraget(broken)
    assert not is_inspectorraget(tmp_path / "none.json")
    assert not is_inspectorraget(write(tmp_path / "l.csv", [simple()]))


@pytest.mark.slow
def test_mtrag_is_read_as_its_authors_wrote_it():
    found = read_inspectorraget(shared(MTRAG))
    assert found.models == ("reference", "llama-3.1-405b-instruct", "gpt-4o")
    with pytest.raises(InvalidInput, match="3 models"):
        found.labels()
    one = found.labels("gpt-4o")
    assert len({row.case_id for row in one}) == 159
    assert {row.criterion for row in one} == {
        "naturalness",
        "appropriateness",
        "completeness",
        "faithfulness",
        "win-rate",
    }
    whole = [row for row in found.labels(together=True) if row.criterion == "appropriateness"]
    assert len(whole) == 459 * 3 + 18 * 2
    # Without the reference answers: the figure that the bench module reads by itself.
    table = label_table([row for row in whole if not row.case_id.endswith(" reference")], found.path)
    report = agreement(table.values, table.raters, level="ordinal", resamples=400)
    assert report.alpha.value == pytest.approx(0.073, abs=0.0005)
    assert (report.usable, report.items) == ("refused", 318)
    assert json.loads(json.dumps(one[0].row))["at"].startswith("2024-10")


def test_the_labels_of_one_model_of_mtrag_become_a_round(store, tmp_path):
    run, _ = project(store)
    data = json.loads(shared(MTRAG).read_text(encoding="utf-8"))
    tasks_of = {one["task_id"]: f"case-{number}" for number, one in enumerate(data["tasks"][:8])}
    data["evaluations"] = [
        {**one, "task_id": tasks_of[one["task_id"]]} for one in data["evaluations"] if one["task_id"] in tasks_of
    ]
    path = tmp_path / "mtrag.json"
    path.write_text(json.dumps(data))
    renamed = {"metrics": [{**one, "name": one["name"].replace("faithfulness", "Faithful")} for one in data["metrics"]]}
    for one in data["evaluations"]:
        one["annotations"]["Faithful"] = one["annotations"].pop("faithfulness")
    path.write_text(json.dumps({**data, **renamed}))
    with pytest.raises(InvalidInput, match="no criterion naturalness"):
        import_labels(store, run.id, path, name="MTRAG", actor=ACTOR, model="gpt-4o")
    (made,) = import_labels(
        store, run.id, path, name="MTRAG", actor=ACTOR, model="gpt-4o", criteria=["Faithful"], at_random=True
    )
    assert made.overlap == 3
    with store.read() as connection:
        assert len(labels.of_run(connection, run.id)) == 24


@pytest.mark.slow
def test_chances_of_several_rounds_survive_the_way_out_and_in(store, tmp_path):
    """A random round of two cases, one of them labelled, and a targeted one that could have taken either."""
    run = answered_run(store, 4)
    criterion = create_criterion(store, run.project_id, name="C", question="?", kind="binary", actor="val").id
    plans = (
        (Part.RANDOM, {"c0": 0.5, "c1": 0.5}, {"random_probability": 0.5}, ["c0"]),
        (Part.TARGETED, {"c2": 0.8}, {"probabilities": [0.2, 0.4, 0.8, 0.0]}, ["c2"]),
    )
    for number, (part, chances, design, labelled) in enumerate(plans):
        made = create_round(
            store,
            run.id,
            name=f"Round {number}",
            criteria=[criterion],
            raters=["zoe"],
            items=[Drawn(case_id=case_id, part=part, probability=chance) for case_id, chance in chances.items()],
            overlap=1,
            design=design,
            actor="val",
        )
        for case_id in labelled:
            save_labels(store, made.id, "zoe", case_id, given={criterion: Given(value=1)}, seconds=1.0, actor="val")
    # Half of the first round is labelled: c0 has .5 * .5, or .2 in the second; c2 has .8, or .25 in the first.
    expected = {"c0": 1 - 0.75 * 0.8, "c2": 1 - 0.75 * 0.2}
    before = {one.case_id: one.probability for one in one_labels(store, run.id, criterion)}
    assert before == pytest.approx(expected)
    for ending in ("csv", "jsonl"):
        path = tmp_path / f"labels.{ending}"
        export_labels(store, run.id, path, actor="val")
        with Store.open(f"sqlite:///{tmp_path / ending}.sqlite") as other:
            copied = answered_run(other, 4)
            same = create_criterion(other, copied.project_id, name="C", question="?", kind="binary", actor="val").id
            import_labels(other, copied.id, path, name="Back", actor="val")
            after = {one.case_id: one.probability for one in one_labels(other, copied.id, same)}
        assert after == pytest.approx(expected)
