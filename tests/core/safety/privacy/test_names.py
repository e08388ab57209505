"""Names of people by a real token-classification model: where they are, whose data they make, what is refused."""

import pytest

from core.domain.errors import InvalidInput
from core.domain.results.responses import Context, Response
from core.domain.sources.documents import Document
from core.domain.testset.cases import TestCase
from core.safety.answered import Standing, privacy_of
from core.safety.options import SafetyOptions
from core.safety.privacy import About, Entity, find_personal_data, masked_text
from core.safety.privacy.names import open_names, person_labels
from tests.support.models.tiny_names import tiny_names


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_names(tmp_path_factory.mktemp("names") / "tiny-ner")


@pytest.fixture(scope="module")
def rules(folder):
    return SafetyOptions(names=str(folder)).rules


def named(text, rules):
    return [(one.value, one.about) for one in find_personal_data(text, rules) if one.entity is Entity.NAME]


@pytest.mark.slow
def test_a_name_that_no_rule_knows_is_found_where_it_stands(rules):
    text = "the manager is Marguerite Oyelaran , and Tom is on leave"
    assert named(text, rules) == [("Marguerite Oyelaran", About.UNKNOWN), ("Tom", About.UNKNOWN)]
    assert named(text, SafetyOptions().rules) == []


def test_a_name_beside_an_account_or_somebodys_money_is_a_persons(rules):
    assert named("Okoro uses GB73XLMB00710018715544", rules) == [("Okoro", About.PERSON)]
    findings = find_personal_data("Birch has an overdraft of EUR 900", rules)
    assert {(one.entity, one.about) for one in findings} == {
        (Entity.NAME, About.PERSON),
        (Entity.FINANCES, About.PERSON),
    }
    assert find_personal_data("Birch has an overdraft of EUR 900") == []


def test_a_long_text_is_read_to_its_end_with_right_places(rules):
    text = "she pays every month . " * 60 + "Ines Okoro"
    (finding,) = find_personal_data(text, rules)
    assert text[finding.start : finding.end] == finding.value == "Ines Okoro"
    assert masked_text(text, [finding]).endswith("•••• •••••")


def test_a_name_alone_is_no_leak_and_is_masked(rules, folder):
    page = Document(id="p", title="P", text="the manager of Arden Branch is Ines Okoro .")
    passage = (Context(document_id="p", text=page.text),)
    rows = [
        (TestCase(case_id="a", question="Who is it?"), Response(case_id="a", answer="Ines Okoro .", contexts=passage)),
        (TestCase(case_id="b", question="Whose?"), Response(case_id="b", answer="Tom Birch : GB73XLMB00710018715544")),
    ]
    report = privacy_of(rows, [page], rules, names_by=str(folder))
    standing = {(one.case_id, one.entity): one.standing for one in report.findings if one.where == "answer"}
    assert standing[("a", Entity.NAME)] is Standing.NAMED
    assert standing[("b", Entity.NAME)] is Standing.LEAKED
    assert (report.leaks.num, report.documents.num) == (1, 0)
    assert "Okoro" not in str(report.as_json())
    assert report.as_json()["names_by"] == str(folder)


def test_labels_of_people():
    labels = ("O", "B-PER", "I-PERSON", "B-ORG", "LOC", "B-FIRSTNAME", "I-GIVENNAME", "B-USERNAME", "private_person")
    assert person_labels(labels) == [1, 2, 5, 6, 8]
    assert person_labels(("B-COMPANYNAME", "B-PERCENT", "B-FILENAME", "MISC")) == []


@pytest.mark.parametrize(
    ("spec", "message"), [("/no/such/model", "token-classification model"), ("nobody/has-this", "not on this machine")]
)
def test_a_model_that_is_not_there_is_refused_with_the_way_out(spec, message, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(InvalidInput, match=message) as refused:
        open_names(spec)
    assert "clear the model for names" in refused.value.hint


@pytest.mark.slow
def test_a_model_without_a_label_of_people_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="No label of the model"):
        open_names(str(tiny_names(tmp_path / "places", labels=("O", "B-LOC", "I-LOC", "B-ORG"))))
