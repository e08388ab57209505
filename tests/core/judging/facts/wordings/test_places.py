"""Properties that documents state by the place in a sentence, without a word of the question."""

import pytest

from core.diagnosis.service.facts.preparing import rivals_of
from core.diagnosis.service.facts.search import FactSearch
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence
from core.domain.testset.cases import TestCase

SHOPS = {
    "Alba": ("12, rue des Bouchers", "Marseille", "France"),
    "Boreas": ("Walserweg 21", "Aachen", "Germany"),
    "Corvus": ("Obere Str. 57", "Berlin", "Germany"),
    "Dorado": ("2, rue du Commerce", "Lyon", "France"),
    "Ember": ("120 Hanover Sq.", "London", "UK"),
}


def page(name, address, city, country, orders=()):
    rows = "".join(f"| {number} | {place} |\n" for number, place in orders)
    text = f"{name} buys from us. Its office is at {address}, {city}, {country} (postal code 1). Ask for Ann."
    return Document(id=f"{name}.md", title=name, text=f"{text}\n\n| Order | Day | Sent to |\n|---|---|---|\n{rows}")


def cases(asked):
    return {
        name: TestCase(
            case_id=name,
            question=f"What is the {asked} of customer '{name}'?",
            reference_answers=(values[1] if asked == "city" else values[2],),
            group_id=name,
            sql_template_id="t",
            sql_params={"p0": name},
            gold_document_ids=(f"customers:{name}",),
            attributes={"asks_for": f"Customers.{asked}"},
        )
        for name, values in SHOPS.items()
    }


def found(asked, name, documents=None):
    asked_cases = cases(asked)
    documents = documents or [page(shop, *values) for shop, values in SHOPS.items()]
    rivals = rivals_of((case.sql_template_id, case.sql_params) for case in asked_cases.values())
    return FactSearch(documents, rivals, asked_cases.values()).find([asked_cases[name]])


@pytest.mark.parametrize("name", SHOPS)
@pytest.mark.parametrize("asked", ["city", "country"])
def test_a_part_of_an_address_is_told_by_its_place(asked, name):
    """Broken for "Obere Str. 57, Berlin", which is cut after the abbreviation."""
    assert found(asked, name).evidence is FactEvidence.PRESENT


def test_another_value_in_the_place_contradicts():
    documents = [page(shop, *values) for shop, values in SHOPS.items() if shop != "Alba"]
    documents.append(page("Alba", "12, rue des Bouchers", "Nantes", "France"))
    finding = found("city", "Alba", documents)
    assert (finding.evidence, finding.other_value) == (FactEvidence.CONTRADICTED, "nantes")


def test_what_the_page_says_of_its_records_is_no_property_of_its_subject():
    """Orders that go elsewhere do not contradict the city: it stands in the sentence about the office."""
    documents = [
        page(shop, *values, [(f"{number} | 3 May 2020", "Ulm" if shop == "Alba" else values[1]) for number in (1, 2)])
        for shop, values in SHOPS.items()
    ]
    finding = found("city", "Alba", documents)
    assert finding.evidence is FactEvidence.PRESENT
    assert "rue des Bouchers" in finding.passage


def test_a_page_that_is_called_by_the_value_states_it_of_what_it_lists():
    wards = {"Ann Lee": "Cedar Ward", "Bo Ray": "Heron Ward", "Cy Orr": "Cedar Ward", "Di Poe": "Tulip Ward"}
    documents = [
        Document(
            id=ward,
            title=ward,
            text="\n\n".join(f"**{name}**\nBorn: 3 May 1990" for name, of in wards.items() if of == ward),
        )
        for ward in sorted(set(wards.values()))
    ]
    asked = {
        name: TestCase(
            case_id=name,
            question=f"What is the ward of patient '{name}'?",
            reference_answers=(ward,),
            group_id=name,
            sql_template_id="t",
            sql_params={"p0": name},
        )
        for name, ward in wards.items()
    }
    search = FactSearch(documents, rivals_of(("t", case.sql_params) for case in asked.values()), asked.values())
    assert {name: search.find([case]).evidence for name, case in asked.items()} == dict.fromkeys(
        wards, FactEvidence.PRESENT
    )


def test_a_small_number_on_its_own_page_is_not_missing_where_nothing_shows_the_wording():
    case = TestCase(
        case_id="c",
        question="What is the bed count of ward 'Tulip Ward'?",
        reference_answers=("46",),
        group_id="c",
        sql_template_id="t",
        sql_params={"p0": "Tulip Ward"},
    )
    documents = [Document(id="w", title="Tulip Ward", text="The ward lies on floor 3 and can take 46 patients.")]
    assert FactSearch(documents, {}, [case]).find([case]).evidence is FactEvidence.UNDECIDED
    documents = [Document(id="w", title="Tulip Ward", text="The ward lies on floor 3.")]
    assert FactSearch(documents, {}, [case]).find([case]).evidence is FactEvidence.ABSENT
