import re
from contextlib import closing
from sqlite3 import connect

import pytest

from core.domain.errors import InvalidInput, InvalidTemplate
from core.domain.testset.templates import SqlTemplate, placeholders
from core.sources.database import DatabaseSource
from core.testset.grounded.sql.canonical import canonical_id
from core.testset.grounded.sql.generator import generate_sql_templates
from core.testset.grounded.wording.checks import check_text_template
from core.testset.grounded.wording.frames import FRAMES, LONG, SHORT
from core.testset.grounded.wording.generator import count_words, folded, generate_text_templates
from tests.support.databases.sqlite_files import sqlite_schema
from tests.support.shared_data import shared

BANK = """
CREATE TABLE branches (branch_id INTEGER PRIMARY KEY, name TEXT UNIQUE, city TEXT, opened_on DATE, is_flagship BOOLEAN,
    has_parking BOOLEAN, open_counters INTEGER, headquarters TEXT, established_year INTEGER, location TEXT);
CREATE TABLE employees (id INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT, jobTitle TEXT, hire_date DATE, city TEXT,
    salary_eur NUMERIC, annual_bonus NUMERIC, branch_id INT REFERENCES branches, reports_to INT REFERENCES employees);
CREATE TABLE customers (id INTEGER PRIMARY KEY, full_name TEXT UNIQUE, dateOfBirth DATE, customer_since DATE,
    phone TEXT, adviser_id INT REFERENCES employees);
CREATE TABLE accounts (IBAN TEXT PRIMARY KEY, customer_id INT REFERENCES customers, branch_id INT REFERENCES branches,
    opened_on DATE, balance NUMERIC, status TEXT, charged_to TEXT);
CREATE TABLE cards (CardNumber TEXT PRIMARY KEY, IBAN TEXT REFERENCES accounts, expires_on DATE);
CREATE TABLE products (name TEXT PRIMARY KEY, interestRatePct REAL, max_term_months INT, sold_by TEXT);
CREATE TABLE branch_products (branch_id INT REFERENCES branches, product TEXT REFERENCES products, offered_since DATE,
    PRIMARY KEY (branch_id, product));
CREATE TABLE companies (Name TEXT PRIMARY KEY, CEO TEXT, Sales_in_Billion REAL);
CREATE TABLE tables (name TEXT PRIMARY KEY, seats INTEGER);
"""
OWN = "SELECT {column} FROM {table} WHERE name = '[{table}.name]'"


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    return sqlite_schema(tmp_path_factory.mktemp("bank") / "bank.sqlite", BANK)


def template(sql, dialect="sqlite"):
    return SqlTemplate(id=canonical_id(sql, dialect), sql=sql)


def texts(sql, schema, form="short", n=20):
    return [made.text for made in generate_text_templates(template(sql), schema, form=form, n=n)]


def test_short_wordings_of_one_column_of_one_table(bank):
    assert texts("SELECT opened_on FROM branches WHERE name = '[branches.name]'", bank) == [
        "Opening date of branch '[branches.name]'",
        "What is the opening date of the branch '[branches.name]'?",
        "Look up opening date of branch '[branches.name]'",
        "Branch '[branches.name]': opening date",
        "When did the branch '[branches.name]' open?",
        "Get opening date for branch '[branches.name]'",
        "Find opening date of branch '[branches.name]'",
        "Need opening date for branch '[branches.name]'",
        "Branch '[branches.name]', opening date please",
        "Check opening date of branch '[branches.name]'",
        "Tell me opening date of branch '[branches.name]'",
    ]


def test_long_wordings_are_sentences_around_the_same_meaning(bank):
    found = texts("SELECT opened_on FROM branches WHERE name = '[branches.name]'", bank, form="long", n=10)
    assert found[1] == (
        "Could you please look carefully through everything that is available to you and tell me what the opening date "
        "of the branch '[branches.name]' is, because I need to confirm it in a letter that I am writing?"
    )
    assert "about the branch called '[branches.name]', namely the opening date, so" in found[3]
    assert "namely when the branch '[branches.name]' opened, and I would be glad" in found[4]
    assert len(found) == 10


@pytest.mark.parametrize(
    ("sql", "fragment", "free"),
    [
        (
            OWN.format(table="branches", column="city"),
            "City of branch",
            "In which city is the branch '[branches.name]' located?",
        ),
        (
            OWN.format(table="branches", column="location"),
            "Location of branch",
            "Where is the branch '[branches.name]' located?",
        ),
        (
            OWN.format(table="branches", column="established_year"),
            "Year established of branch",
            "In which year was the branch '[branches.name]' established?",
        ),
        (
            OWN.format(table="branches", column="is_flagship"),
            "Flagship status of branch",
            "Is the branch '[branches.name]' flagship?",
        ),
        (
            OWN.format(table="branches", column="has_parking"),
            "Parking of branch",
            "Does the branch '[branches.name]' have parking?",
        ),
        (
            OWN.format(table="branches", column="open_counters"),
            "Number of open counters of branch",
            "How many open counters does the branch '[branches.name]' have?",
        ),
        (
            OWN.format(table="branches", column="headquarters"),
            "Headquarters of branch",
            "What is the headquarters of the branch '[branches.name]'?",
        ),
        (
            OWN.format(table="products", column="interestRatePct"),
            "Interest rate in per cent of product",
            "What is the interest rate in per cent of the product '[products.name]'?",
        ),
        (
            OWN.format(table="products", column="max_term_months"),
            "Maximum term in months of product",
            "What is the maximum term in months of the product '[products.name]'?",
        ),
        (
            OWN.format(table="products", column="sold_by"),
            "Seller of product",
            "Who is the seller of the product '[products.name]'?",
        ),
        (
            OWN.format(table="companies", column="CEO"),
            "CEO of company",
            "Who is the CEO of the company '[companies.name]'?",
        ),
        (
            OWN.format(table="companies", column="Sales_in_Billion"),
            "Sales in billions of company",
            "What are the sales in billions of the company '[companies.name]'?",
        ),
        (
            "SELECT dateOfBirth FROM customers WHERE full_name = '[customers.full_name]'",
            "Date of birth of customer",
            "When was the customer '[customers.full_name]' born?",
        ),
        (
            "SELECT customer_since FROM customers WHERE full_name = '[customers.full_name]'",
            "Start date of customer",
            "Since when has the customer '[customers.full_name]' been a customer?",
        ),
        (
            "SELECT phone FROM customers WHERE full_name = '[customers.full_name]'",
            "Phone number of customer",
            "What is the phone number of the customer '[customers.full_name]'?",
        ),
        (
            "SELECT balance FROM accounts WHERE IBAN = '[accounts.IBAN]'",
            "Balance of account",
            "How high is the balance of account '[accounts.IBAN]'?",
        ),
        (
            "SELECT charged_to FROM accounts WHERE IBAN = '[accounts.IBAN]'",
            "Charged-to entry of account",
            "What is account '[accounts.IBAN]' charged to?",
        ),
        (
            "SELECT IBAN FROM accounts WHERE status = '[accounts.status]'",
            "IBAN of account with status",
            "What is the IBAN of the account with status '[accounts.status]'?",
        ),
        (
            "SELECT city FROM employees "
            "WHERE FirstName = '[employees.FirstName]' AND LastName = '[employees.LastName]'",
            "City of employee '[employees.FirstName] [employees.LastName]'",
            "In which city is the employee '[employees.FirstName] [employees.LastName]' based?",
        ),
        (
            "SELECT city, opened_on FROM branches WHERE name = '[branches.name]'",
            "City and opening date of branch",
            "What are the city and opening date of the branch '[branches.name]'?",
        ),
        (
            "SELECT FirstName, LastName FROM employees WHERE jobTitle = '[employees.jobTitle]'",
            "Full name of employee with job title",
            "What is the full name of the employee with job title '[employees.jobTitle]'?",
        ),
    ],
)
def test_the_answer_is_asked_for_as_people_do(bank, sql, fragment, free):
    found = texts(sql, bank)
    assert found[0].startswith(fragment)
    assert free in found


@pytest.mark.parametrize(
    ("sql", "fragment", "in_long"),
    [
        (
            "SELECT b.name FROM employees e JOIN branches b ON e.branch_id = b.branch_id "
            "WHERE e.jobTitle = '[employees.jobTitle]'",
            "Branch of employee with job title '[employees.jobTitle]'",
            "which branch the employee with job title '[employees.jobTitle]' belongs to",
        ),
        (
            "SELECT m.hire_date FROM employees e JOIN employees m ON e.reports_to = m.id "
            "WHERE e.FirstName = '[employees.FirstName]' AND e.LastName = '[employees.LastName]'",
            "Hire date of manager of employee '[employees.FirstName] [employees.LastName]'",
            "when the manager of the employee '[employees.FirstName] [employees.LastName]' was hired",
        ),
        (
            "SELECT e.jobTitle FROM customers c JOIN employees e ON c.adviser_id = e.id "
            "WHERE c.full_name = '[customers.full_name]'",
            "Job title of adviser of customer '[customers.full_name]'",
            "what the job title of the adviser of the customer '[customers.full_name]' is",
        ),
        (
            "SELECT m.FirstName, m.LastName FROM employees e JOIN employees m ON e.reports_to = m.id "
            "WHERE e.jobTitle = '[employees.jobTitle]'",
            "Manager of employee with job title '[employees.jobTitle]'",
            "who the manager of the employee with job title '[employees.jobTitle]' is",
        ),
        (
            "SELECT a.balance FROM accounts a JOIN customers c ON a.customer_id = c.id "
            "WHERE a.opened_on = '[accounts.opened_on]' AND c.full_name = '[customers.full_name]'",
            "Balance of account opened on '[accounts.opened_on]' of customer '[customers.full_name]'",
            "how high the balance of the account opened on '[accounts.opened_on]' of the customer "
            "'[customers.full_name]' is",
        ),
        (
            "SELECT a.status FROM accounts a JOIN customers c ON a.customer_id = c.id JOIN branches b ON a.branch_id = "
            "b.branch_id WHERE c.full_name = '[customers.full_name]' AND b.name = '[branches.name]'",
            "Status of account of customer '[customers.full_name]' and branch '[branches.name]'",
            "what the status of the account of the customer '[customers.full_name]' and the branch "
            "'[branches.name]' is",
        ),
        (
            "SELECT p.offered_since FROM branch_products p JOIN branches b ON p.branch_id = b.branch_id "
            "WHERE b.name = '[branches.name]' AND p.product = '[products.name]'",
            "Date of first offer for product '[products.name]' and branch '[branches.name]'",
            "what the date of first offer for the product '[products.name]' and the branch '[branches.name]' is",
        ),
        (
            "SELECT b.name FROM branch_products p JOIN branches b ON p.branch_id = b.branch_id "
            "WHERE p.product = '[products.name]'",
            "Branch of product '[products.name]'",
            "what the branch of the product '[products.name]' is",
        ),
        (
            "SELECT b.city FROM branch_products p JOIN branches b ON p.branch_id = b.branch_id JOIN products q ON "
            "p.product = q.name WHERE q.name = '[products.name]'",
            "City of branch of product '[products.name]'",
            "in which city the branch of the product '[products.name]' is located",
        ),
        (
            "SELECT a.status FROM cards c JOIN accounts a ON (c.IBAN = a.IBAN) "
            "WHERE c.CardNumber = '[cards.CardNumber]'",
            "Status of account of card '[cards.CardNumber]'",
            "what the status of the account of the card '[cards.CardNumber]' is",
        ),
        (
            "SELECT expires_on FROM cards WHERE IBAN = '[accounts.IBAN]'",
            "Expiry date of card of account '[accounts.IBAN]'",
            "what the expiry date of the card of the account '[accounts.IBAN]' is",
        ),
        (
            "SELECT b.city FROM cards c, accounts a, branches b WHERE c.IBAN = a.IBAN AND a.branch_id = b.branch_id "
            "AND c.CardNumber = '[cards.CardNumber]'",
            "City of branch of account of card '[cards.CardNumber]'",
            "in which city the branch of the account of the card '[cards.CardNumber]' is located",
        ),
    ],
)
def test_joins_are_said_as_relations(bank, sql, fragment, in_long):
    assert texts(sql, bank)[0] == fragment
    assert any(in_long in text for text in texts(sql, bank, form="long"))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT city FROM branches WHERE name = '[branches.name]' AND is_flagship = 1",
        "SELECT city FROM branches WHERE name = '[branches.name]' ORDER BY opened_on LIMIT 1",
        "SELECT COUNT(*) FROM branches WHERE city = '[branches.city]'",
        "SELECT city FROM branches WHERE name LIKE '[branches.name]'",
        "SELECT city FROM branches WHERE name = (SELECT name FROM products WHERE name = '[products.name]')",
        "SELECT city FROM branches WHERE name = '[branches.name]' OR name = 'x'",
        "SELECT b.city FROM employees e JOIN branches b USING (branch_id) WHERE e.jobTitle = '[employees.jobTitle]'",
        "SELECT b.city FROM employees e JOIN branches b ON e.branch_id = b.branch_id AND b.is_flagship = 1 "
        "WHERE e.jobTitle = '[employees.jobTitle]'",
        "SELECT e.city, b.city FROM employees e JOIN branches b ON e.branch_id = b.branch_id "
        "WHERE e.jobTitle = '[employees.jobTitle]'",
        "SELECT b.city FROM branches b, products p WHERE p.name = '[products.name]'",
        "SELECT p.sold_by FROM products p, branches b WHERE b.name = '[branches.name]'",
        "SELECT city FROM branches",
    ],
)
def test_what_cannot_be_said_whole_is_not_said(bank, sql):
    """A wording that leaves out a filter would ask another question than the statement answers."""
    assert texts(sql, bank) == []


def test_tables_that_are_called_tables_may_be_asked_about(bank):
    sql = template("SELECT seats FROM tables WHERE name = '[tables.name]'")
    text = generate_text_templates(sql, bank, form="short", n=1)[0]
    assert text.text == "Number of seats of table '[tables.name]'"
    assert check_text_template(text, sql).approvable


def test_the_same_template_has_the_same_wordings_and_ids(bank):
    sql = template(OWN.format(table="branches", column="city"))
    for form in FRAMES:
        first, again = (generate_text_templates(sql, bank, form=form, n=5) for _ in range(2))
        assert first == again
        assert len({text.id for text in first}) == 5
        assert {text.sql_template_id for text in first} == {sql.id}
        assert {text.origin for text in first} == {"rules"}


@pytest.mark.parametrize(("n", "delivered"), [(0, 0), (1, 1), (3, 3), (99, 10)])
def test_as_many_wordings_as_wanted_or_as_there_are(bank, n, delivered):
    assert len(texts(OWN.format(table="branches", column="city"), bank, form="long", n=n)) == delivered


def test_an_unknown_form_is_refused_by_name(bank):
    with pytest.raises(InvalidInput, match="'rude'") as caught:
        texts(OWN.format(table="branches", column="city"), bank, form="rude")
    assert "short, long" in caught.value.hint


def test_a_template_that_cannot_be_bound_is_refused(bank):
    with pytest.raises(InvalidTemplate):
        texts("SELECT city FROM branches WHERE name = '[branches.nam]'", bank)


def test_every_long_frame_has_thirty_words_whatever_the_meaning():
    """A frame keeps the rule with the shortest meaning: five words, "who the CEO of X is" has six."""
    for frame in LONG.frames:
        filler = re.sub(r"\{\w+\}", "", frame)
        assert len(filler.split()) + 2 >= LONG.least_words, frame


def test_forms_are_named_by_their_entry():
    assert all(name == form.name for name, form in FRAMES.items())
    assert list(FRAMES) == ["short", "long", "interrogative", "directive", "formal", "casual"]
    assert (SHORT.most_words, LONG.least_words) == (15, 30)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["chinook/Chinook_Sqlite.sqlite", "grammar-aurp/aurp.sqlite"], ids=["chinook", "aurp"])
def test_every_generated_template_of_a_real_database_gets_wordings_that_pass_their_checks(path):
    with DatabaseSource.connect(f"sqlite:///{shared(path)}") as source:
        schema = source.schema
    templates = generate_sql_templates(schema, limit=60)
    assert len(templates) >= 20
    for sql in templates:
        for form, least in (("short", 8), ("long", 10)):
            made = generate_text_templates(sql, schema, form=form, n=10)
            assert len(made) >= least, sql.sql
            for text in made:
                others = [other for other in made if other.id != text.id]
                failed = [check for check in check_text_template(text, sql, others).checks if not check.passed]
                assert not failed, (text.text, failed)
                assert not re.search(r"\brecords?\b|  |\bof of\b|\bthe the\b", text.text)
            assert len({folded(text.text) for text in made}) == len(made)


def test_the_generated_wordings_of_aurp_read_as_its_authors_wrote_them():
    with DatabaseSource.connect(f"sqlite:///{shared('grammar-aurp/aurp.sqlite')}") as source:
        sql = "SELECT ProjectDirector FROM Project WHERE Name = '[Project.Name]'"
        found = texts(sql, source.schema)
    assert found[:2] == [
        "Project director of project '[Project.Name]'",
        "Who is the project director of the project '[Project.Name]'?",
    ]


def test_a_placeholder_is_one_word():
    assert count_words("City of '[Customer.FirstName] [Customer.LastName]'") == 4


def test_no_row_is_read_for_a_wording(tmp_path):
    """Wordings come from the schema: the same with and without rows."""
    script = "CREATE TABLE branches (name TEXT PRIMARY KEY, city TEXT);"
    empty = sqlite_schema(tmp_path / "empty.sqlite", script)
    full = sqlite_schema(tmp_path / "full.sqlite", f"{script} INSERT INTO branches VALUES ('Quay', 'Tarn');")
    sql = "SELECT city FROM branches WHERE name = '[branches.name]'"
    assert texts(sql, empty, "long") == texts(sql, full, "long")
    with closing(connect(tmp_path / "full.sqlite")) as connection:
        values = [value for row in connection.execute("SELECT * FROM branches") for value in row]
    assert not any(value in text for text in texts(sql, full) for value in values)
    assert [place.token for place in placeholders(texts(sql, full)[0])] == ["[branches.name]"]
