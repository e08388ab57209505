import doctest

import pytest

from core.domain.sources.schema import Column
from core.testset.grounded.wording import asking, generator, meaning, pairs
from core.testset.grounded.wording.asking import of_column
from core.testset.grounded.words import containment, dates, inflection, people, phrases, values
from core.testset.grounded.words.dates import event_phrase
from core.testset.grounded.words.inflection import is_plural, singular
from core.testset.grounded.words.phrases import column_noun, role_noun, table_noun


@pytest.mark.parametrize(
    "module",
    [asking, containment, dates, inflection, meaning, pairs, people, phrases, values, generator],
    ids=lambda module: module.__name__,
)
def test_the_examples_in_the_docstrings_hold(module):
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("branches", "branch"),
        ("companies", "company"),
        ("addresses", "address"),
        ("classes", "class"),
        ("boxes", "box"),
        ("employees", "employee"),
        ("people", "person"),
        ("movies", "movie"),
        ("houses", "house"),
        ("data", "data"),
        ("status", "status"),
        ("series", "series"),
        ("bus", "bus"),
        ("analysis", "analysis"),
        ("campus", "campus"),
        ("gas", "gas"),
        ("address", "address"),
        ("headquarters", "headquarters"),
    ],
)
def test_singular(plural, one):
    assert singular(plural) == one
    assert singular(one) == one


@pytest.mark.parametrize(
    ("name", "noun"),
    [
        ("account_products", "account product"),
        ("MediaType", "media type"),
        ("tbl_Companies", "company"),
        ("dim_customers", "customer"),
        ("atms", "ATM"),
        ("people", "person"),
        ("OrderDetails", "order detail"),
    ],
)
def test_table_noun(name, noun):
    assert table_noun(name) == noun


@pytest.mark.parametrize(
    ("column", "temporal", "noun"),
    [
        ("BranchName", False, "name"),
        ("IBAN", False, "IBAN"),
        ("jobTitle", False, "job title"),
        ("opened_on", True, "opening date"),
        ("approvedAt", True, "approval time"),
        ("due_on", True, "date due"),
        ("dateOfBirth", True, "date of birth"),
        ("dob", True, "date of birth"),
        ("balance_eur", False, "balance in euros"),
        ("share_pct", False, "share in per cent"),
        ("Sales_in_Billion", False, "sales in billions"),
        ("max_term_months", False, "maximum term in months"),
        ("email", False, "email address"),
        ("mobile", False, "mobile number"),
        ("founded_year", False, "year founded"),
        ("sold_by", False, "seller"),
        ("paid_from", False, "paid-from entry"),
        ("employed_since", True, "date first employed"),
        ("branch_since", True, "start date"),
    ],
)
def test_column_noun(column, temporal, noun):
    assert column_noun(column, "branches", temporal=temporal) == noun


@pytest.mark.parametrize(
    ("columns", "table", "noun"),
    [
        (["AlbumId"], "Album", "album"),
        (["ReportsTo"], "Employee", "manager"),
        (["manager_id"], "Employee", "manager"),
        (["belongs_to"], "branches", "branch"),
        (["code"], "branches", "branch"),
        (["a", "b"], "branches", "branch"),
        (["ProjectDirector"], "Employee", "project director"),
    ],
)
def test_role_noun(columns, table, noun):
    assert role_noun(columns, table) == noun


def test_what_a_date_says_of_its_row():
    assert [event_phrase(name) for name in ("opened_on", "born_on", "due_on", "date", "paidAt")] == [
        "opened on",
        "born on",
        "",
        "",
        "paid at",
    ]


@pytest.mark.parametrize(
    ("phrase", "plural"),
    [
        ("languages", True),
        ("number of boxes", False),
        ("length in milliseconds", False),
        ("sales in billions", True),
        ("status", False),
        ("headquarters", False),
        ("", False),
    ],
)
def test_is_plural(phrase, plural):
    assert is_plural(phrase) is plural


def ways(name, declared, answer, *, temporal=False, of_person=False):
    column = Column(name=name, type=declared)
    return of_column(column, answer, "cards", temporal=temporal, of_person=of_person)


@pytest.mark.parametrize(
    ("name", "answer", "clause", "question"),
    [
        ("is_blocked", "blocked status", "whether {X} is blocked", "Is {x} blocked?"),
        ("active", "active status", "whether {X} is active", "Is {x} active?"),
        ("was_renewed", "renewed", "whether {X} was renewed", "Was {x} renewed?"),
        ("has_insurance", "insurance", "whether {X} has insurance", "Does {x} have insurance?"),
        ("allows_withdrawals", "withdrawals", "whether {X} allows withdrawals", "Does {x} allow withdrawals?"),
        ("does_rewards", "does rewards", "what the does rewards of {X} are", "What are the does rewards of {x}?"),
    ],
)
def test_yes_or_no(name, answer, clause, question):
    found = ways(name, "BOOLEAN", "does rewards" if name.startswith("does") else "x")
    assert (found.answer, found.clause, found.question) == (answer, clause, question)


@pytest.mark.parametrize(
    ("name", "declared", "answer", "free"),
    [
        ("issued_on", "DATE", "issue date", "When was {x} issued?"),
        ("closing_date", "TEXT", "closing date", "When did {x} close?"),
        ("issue_year", "INTEGER", "issue year", "In which year was {x} issued?"),
        ("expiry_date", "DATE", "expiry date", ""),
        ("first_issue_date", "DATE", "first issue date", ""),
        ("country", "TEXT", "country", "In which country is {x} located?"),
        ("billing_country", "TEXT", "billing country", ""),
    ],
)
def test_other_words_for_the_same(name, declared, answer, free):
    found = ways(name, declared, answer, temporal=declared == "DATE")
    assert found.free_question == free
    assert found.question == f"What is the {answer} of {{x}}?"


def test_a_person_is_based_and_a_thing_is_located():
    assert ways("town", "TEXT", "town", of_person=True).free_clause == "in which town {X} is based"
    assert ways("town", "TEXT", "town").free_clause == "in which town {X} is located"


@pytest.mark.parametrize(
    ("name", "noun"),
    [
        ("flow in m/s", "flow in m/s"),
        ("flow_m_s", "flow in m/s"),
        ("gust limit in km/h", "gust limit in km/h"),
        ("gust_limit_kmh", "gust limit in km/h"),
        ("motor output in kW", "motor output in kW"),
        ("line_pressure_bar", "line pressure in bar"),
        ("snack_bar", "snack bar"),
        ("faults_cnt", "faults"),
        ("number of faults", "faults"),
        ("page_count", "page count"),
        ("insured_yn", "insured"),
    ],
)
def test_units_counts_and_flags_are_said_as_people_say_them(name, noun):
    assert column_noun(name, "pump") == noun


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("part_time", "Is {x} part time?"),
        ("parking", "Does {x} have parking?"),
        ("parking_included", "Is parking included for {x}?"),
        ("rescue_plan_required", "Is a rescue plan required for {x}?"),
        ("reported_to_authority", "Is {x} reported to authority?"),
        ("insured_yn", "Is {x} insured?"),
        ("has_ramp", "Does {x} have ramp?"),
    ],
)
def test_a_flag_is_asked_for_as_one(name, question):
    column = Column(name=name, type="VARCHAR(3)", flag=True)
    assert of_column(column, name.replace("_", " "), "site", temporal=False, of_person=False).question == question


@pytest.mark.parametrize(
    ("name", "noun"),
    [
        ("price_per_kg", "price per kilogram"),
        ("price_per_kg_eur", "price per kilogram in euros"),
        ("PricePerKwh", "price per kilowatt-hour"),
        ("fee_per_100_km", "fee per 100 kilometres"),
        ("cost_eur_per_kg", "cost in euros per kilogram"),
        ("yield_t_per_ha", "yield in tonnes per hectare"),
        ("dose_mg_per_kg", "dose in milligrams per kilogram"),
        ("flow_l_per_s", "flow in litres per second"),
        ("speed_km_per_h", "speed in kilometres per hour"),
        ("rainfall_mm_per_day", "rainfall in millimetres per day"),
        ("density_kg_per_l", "density in kilograms per litre"),
        ("km_per_day", "kilometres per day"),
        ("hours_per_week", "hours per week"),
        ("rate_per_hour_usd", "rate per hour in dollars"),
        ("weight_per_unit_kg", "weight per unit in kilograms"),
        ("cost_per_seat", "cost per seat"),
        ("price_per_m2_eur", "price per square metre in euros"),
        ("share_per_cent", "share per cent"),
    ],
)
def test_a_figure_per_unit(name, noun):
    assert column_noun(name, "harvest") == noun
