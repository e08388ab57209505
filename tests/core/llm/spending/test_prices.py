"""The user's price table and what calls cost by it."""

from decimal import Decimal

import pytest

from core.domain.errors import Forbidden, InvalidInput
from core.domain.llm import Price
from core.llm.spending import prices
from core.project.service import create_project
from core.store.database import Store
from core.store.models import prices as model_prices
from tests.support.stores import blank_url

TABLE = {
    "small": Price(model="small", input_per_million=Decimal("0.1"), output_per_million=Decimal("0.4"), currency="EUR")
}


def test_a_call_costs_its_tokens_times_their_price():
    # 1,500 x 0.1 + 250 x 0.4 = 150 + 100 = 250, by a million.
    assert prices.cost(TABLE, "small", 1_500, 250) == 0.00025


@pytest.mark.parametrize(("model", "given", "written"), [("other", 1, 1), ("small", None, 1), ("small", 1, None)])
def test_what_is_not_known_costs_nothing_we_could_name(model, given, written):
    assert prices.cost(TABLE, model, given, written) is None


def test_a_price_of_nothing_is_a_price():
    free = {"m": prices.price_of("m", "0", "0", "")}
    assert prices.cost(free, "m", 10, 10) == 0.0


def test_amounts_stay_as_they_were_written(tmp_path):
    with Store.open(blank_url(tmp_path)) as store:
        project = create_project(store, "Bank", "anna")
        # 0.1 has no binary fraction and 0.10 says that the second digit is known.
        made = [prices.price_of("m", "0.10", "3.000000000000000001", "EUR")]
        prices.save(store, project.id, made, actor="anna")
        with store.read() as connection:
            (kept,) = model_prices.all(connection, project.id).values()
    assert (str(kept.input_per_million), str(kept.output_per_million)) == ("0.10", "3.000000000000000001")


def test_saving_replaces_the_table_of_that_project_only(tmp_path):
    with Store.open(blank_url(tmp_path)) as store:
        ours, theirs = create_project(store, "Bank", "anna"), create_project(store, "Other", "anna")
        one, two = prices.price_of("one", "1", "1", ""), prices.price_of("two", "2", "2", "")
        prices.save(store, ours.id, [one], actor="anna")
        prices.save(store, theirs.id, [one], actor="anna")
        prices.save(store, ours.id, [two], actor="anna")
        with store.read() as connection:
            assert list(model_prices.all(connection, ours.id)) == ["two"]
            assert list(model_prices.all(connection, theirs.id)) == ["one"]
        with pytest.raises(Forbidden):
            prices.save(store, ours.id, [], actor="bob")


def test_csv_is_read_back_as_it_was_written():
    table = {"a,b": prices.price_of("a,b", "0.0001", "12", "USD"), "c": prices.price_of("c", "1E-7", "0", "USD")}
    assert {price.model: price for price in prices.read_csv(prices.as_csv(table))} == {
        model: Price(
            model=model,
            input_per_million=price.input_per_million,
            output_per_million=price.output_per_million,
            currency="USD",
        )
        for model, price in table.items()
    }


def test_csv_of_a_spreadsheet_is_read():
    data = "\ufeffCurrency;Model;Output_per_million;Input_per_million\r\nEUR;m;2;0.5\r\n;;;\r\n".encode()
    (price,) = prices.read_csv(data)
    assert (price.model, price.input_per_million, price.output_per_million) == ("m", Decimal("0.5"), Decimal(2))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no row"),
        (b"\xff\xfe", "not UTF-8"),
        (b"model,price\nm,1\n", "no column input_per_million, output_per_million"),
        (b'model,input_per_million,output_per_million\nm,"2,50",1\n', "Line 2 of the price table"),
        (b"model,input_per_million,output_per_million\nm,1,\n", "is '', which is no number"),
        (b"model,input_per_million,output_per_million\nm,1,-1\n", "is -1"),
        (b"model,input_per_million,output_per_million\nm,NaN,1\n", "is NaN"),
        (b"model,input_per_million,output_per_million\nm,1,1\nm,2,2\n", "m has two prices"),
        (b"model,input_per_million,output_per_million\n,1,1\n", "no model"),
        (b"model,input_per_million,output_per_million,currency\na,1,1,EUR\nb,1,1,USD\n", "EUR and USD"),
    ],
)
def test_a_table_that_cannot_be_used_says_where(data, said):
    with pytest.raises(InvalidInput, match=said):
        prices.read_csv(data)
