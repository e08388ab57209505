"""How documents word a property is learnt from the pages of other subjects."""

import pytest

from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence
from core.judging.facts.fact import Fact
from core.judging.facts.index import FactIndex
from core.judging.facts.reading import Source
from core.judging.facts.search import find_evidence, passages_state
from core.judging.facts.wordings.siblings import Wording, stated_fact, usual_wording, wording_of_one

QUESTIONS = ("quantity per unit of 'Chai'", "What is the quantity per unit of the product 'Chai'?")


def goods(name="Chai", amount="10 boxes x 20 bags", price="18", stock="39", ordered="0"):
    text = f"## {name}\n\nSold in packs of {amount} at {price} each; {stock} in stock and {ordered} on order."
    return Document(id="catalogue/beverages.md", title="Beverages", text=f"# Beverages\n\nTeas and beers.\n\n{text}")


def fact(answer, name="Chai", questions=QUESTIONS):
    return Fact.of([answer], [name], [question.replace("Chai", name) for question in questions])


def learnt(*stated, questions=QUESTIONS, beside="It is a food."):
    facts = [
        stated_fact(fact(answer, name, questions), Source.of(Document(id=name, title=name, text=text)), passage)
        for name, answer, passage in stated
        for text in [f"{passage}\n\n{beside}"]
    ]
    return usual_wording([item for item in facts if item is not None])


AMOUNTS = [
    ("Chang", "24 - 12 oz bottles", "Sold in packs of 24 - 12 oz bottles at 19 each; 17 in stock and 40 on order."),
    ("Ikura", "12 - 200 ml jars", "Sold in packs of 12 - 200 ml jars at 31 each; 31 in stock and 0 on order."),
    ("Konbu", "2 kg box", "Sold in packs of 2 kg box at 6 each; 24 in stock and 0 on order."),
]
ON_ORDER = ("units on order of 'Chai'", "How many units are on order of the product 'Chai'?")


def test_the_longest_wording_that_most_share_is_learnt():
    assert learnt(*AMOUNTS) == Wording(before=("sold", "in", "packs", "of"), after=("at",))
    stocks = [(name, stock, text) for (name, _, text), stock in zip(AMOUNTS, ("17", "31", "24"), strict=True)]
    # 31 is the price and the stock of Ikura, so that its place cannot be told
    assert learnt(*stocks) == Wording(before=("each", ";"), after=("in",))


def test_one_fact_or_facts_that_are_worded_apart_teach_nothing():
    assert learnt(AMOUNTS[0]) is None
    apart = [
        ("Ikura", "12 - 200 ml jars", "12 - 200 ml jars make a case."),
        ("Konbu", "2 kg box", "Per unit: 2 kg box"),
    ]
    assert learnt(AMOUNTS[0], *apart) is None


def shown_by(name, amount, text, beside="It is a food."):
    page = Document(id=name, title=name, text=f"{text}\n\n{beside}")
    item = stated_fact(fact(amount, name), Source.of(page), text)
    assert item is not None
    return wording_of_one([item])


def test_one_fact_shows_the_words_of_values_of_its_shape():
    name, _, text = AMOUNTS[0]
    shown = shown_by(*AMOUNTS[0])
    assert shown == Wording(before=("sold", "in", "packs", "of"), after=("at",), alone=True)
    assert wording_of_one([]) is None
    assert shown_by(name, "17", text) is None  # one word since the last sign
    assert shown_by(*AMOUNTS[0], beside="Chilled, sold in packs of 6 at the bar.") is None


def test_the_key_of_one_entry_shows_where_other_codes_stand():
    questions = ("tax code of 'Chai'", "What is the tax code of 'Chai'?")
    page = Document(id="c:1", title="Chang", text="Seat: Riga\nTax: LV260653")
    item = stated_fact(fact("LV260653", "Chang", questions), Source.of(page), "Tax: LV260653")
    shown = wording_of_one([item])
    assert shown == Wording(before=("tax", ":"), after=(), alone=True)
    other = Document(id="c:2", title="Chai", text="Seat: Bern\nTax: ES144809")
    found = find_evidence(fact("LV552244", questions=questions), [other], FactIndex([other]), wording=shown)
    assert (found.evidence, found.other_value) == (FactEvidence.CONTRADICTED, "es144809")
    unsaid = Document(id="c:2", title="Chai", text="Seat: Bern\nTax: none")
    found = find_evidence(fact("LV552244", questions=questions), [unsaid], FactIndex([unsaid]), wording=shown)
    assert found.evidence is FactEvidence.ABSENT


@pytest.mark.parametrize(
    ("answer", "amount", "expected"),
    [
        ("24 - 500 ml bottles", "12 - 355 ml cans", FactEvidence.CONTRADICTED),
        # the question's words are others, and one fact is too few to show that these mean the same
        ("24 - 500 ml bottles", "24 - 500 ml bottles", FactEvidence.UNDECIDED),
        ("10 pkgs.", "12 - 355 ml cans", FactEvidence.ABSENT),
        ("24 - 500 ml bottles", "any size", FactEvidence.ABSENT),
    ],
)
def test_what_one_fact_shows_tells_another_value_of_the_same_shape(answer, amount, expected):
    page = goods(amount=amount)
    shown = shown_by(*AMOUNTS[0])
    asked = fact(answer, questions=("unit quantity of 'Chai'",))
    found = find_evidence(asked, [], FactIndex([page]), gold_known=False, wording=shown)
    assert found.evidence is expected
    gone = Document(id=page.id, title=page.title, text="# Beverages\n\n## Chai\n\n39 in stock and 0 on order.")
    found = find_evidence(asked, [], FactIndex([gone]), gold_known=False, wording=shown)
    assert found.evidence is FactEvidence.ABSENT


OF = Wording(before=("the", "phone", "number", "of", "\N{BLACK SQUARE}", "is"), after=(".",))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The phone number of Jane Peacock is 403 262. Her manager is Nancy Edwards.", FactEvidence.ABSENT),
        ("Her manager is Nancy Edwards. Try 403 262 at home.", FactEvidence.UNDECIDED),
        ("The phone number of Nancy Edwards is 403 262.", FactEvidence.PRESENT),
    ],
)
def test_what_a_page_says_of_somebody_else_in_the_usual_words_is_no_doubt(text, expected):
    questions = ("telephone of 'Nancy Edwards'", "What is the extension of 'Nancy Edwards'?")
    asked = Fact.of(["403 262"], ["Nancy", "Edwards"], questions)
    page = Document(id="employee:3", title="Jane Peacock", text=text)
    assert find_evidence(asked, [], FactIndex([page]), wording=OF).evidence is expected


def test_a_value_beside_other_words_does_not_outweigh_another_in_the_usual_words():
    text = "The shares of it are 50.00. The price of it is 2.00."
    questions = ("shares of 'TX049'", "What are the shares of the transaction 'TX049'?")
    asked = Fact.of(["2.00"], ["TX049"], questions)
    page = Document(id="transaction:49", title="TX049", text=text)
    wording = Wording(before=("the", "shares", "of", "it", "are"), after=(".",))
    found = find_evidence(asked, [page], FactIndex([page]), wording=wording)
    assert (found.evidence, found.other_value) == (FactEvidence.CONTRADICTED, "50")
    assert find_evidence(asked, [page], FactIndex([page])).evidence is FactEvidence.PRESENT


def test_words_that_stand_beside_every_value_of_a_page_teach_nothing():
    stated = [(name, amount, f"The unit of {name} is {amount}.") for name, amount, _ in AMOUNTS]
    assert learnt(*stated) == Wording(before=("the", "unit", "of", "\N{BLACK SQUARE}", "is"), after=(".",))
    stated = [(name, amount, f"{place} is {amount}.") for place, (name, amount, _) in zip("abc", AMOUNTS, strict=True)]
    assert learnt(*stated, beside="A food.") == Wording(before=("is",), after=(".",))
    assert learnt(*stated, beside="The price of it is 19.") is None


def test_another_value_in_the_usual_words_contradicts():
    page = goods(amount="5 kg pkg.")
    plain = find_evidence(fact("10 boxes x 20 bags"), [], FactIndex([page]), gold_known=False)
    assert plain.evidence is FactEvidence.ABSENT
    wording = learnt(*AMOUNTS)
    found = find_evidence(fact("10 boxes x 20 bags"), [], FactIndex([page]), gold_known=False, wording=wording)
    assert (found.evidence, found.other_value) == (FactEvidence.CONTRADICTED, "5 kg pkg .")
    same = goods()
    found = find_evidence(fact("10 boxes x 20 bags"), [], FactIndex([same]), gold_known=False, wording=wording)
    # the words are no words of the question, and those in which other products have theirs
    assert (found.evidence, found.passage) == (FactEvidence.PRESENT, same.text.rpartition("\n\n")[2])


def test_the_usual_words_on_the_page_of_somebody_else_contradict_nothing():
    page = goods(name="Chang", amount="5 kg pkg.")
    page = Document(id=page.id, title=page.title, text=f"{page.text}\n\n## Chai\n\nA tea.")
    wording = learnt(*AMOUNTS)
    found = find_evidence(fact("10 boxes x 20 bags"), [], FactIndex([page]), gold_known=False, wording=wording)
    assert found.evidence is FactEvidence.ABSENT


def test_a_small_number_counts_in_the_usual_words_only():
    stated = [(name, ordered, text) for (name, _, text), ordered in zip(AMOUNTS, ("40", "0", "0"), strict=True)]
    wording = learnt(*stated, questions=ON_ORDER)
    assert wording is not None
    page = goods(stock="0", ordered="80")
    asked = fact("0", questions=ON_ORDER)
    assert find_evidence(asked, [page], FactIndex([page])).evidence is FactEvidence.PRESENT
    found = find_evidence(asked, [page], FactIndex([page]), wording=wording)
    assert (found.evidence, found.other_value) == (FactEvidence.CONTRADICTED, "80")
    passage = page.text.rpartition("\n\n")[2]
    assert passages_state(asked, [(page.id, passage)], {page.id}, FactIndex([page])) is True
    assert passages_state(asked, [(page.id, passage)], {page.id}, FactIndex([page]), wording) is False


def test_a_short_word_in_the_usual_words_is_stated():
    """Of "compilers" a page says nothing by itself: it is neither a name nor a number."""
    questions = ("research field of 'Chai'", "What is the research field of 'Chai'?")
    page = Document(id="l:1", title="Chai", text="Chai teaches law and works on compilers.")
    wording = Wording(before=("and", "works", "on"), after=(".",))
    asked = fact("compilers", questions=questions)
    assert find_evidence(asked, [page], FactIndex([page])).evidence is FactEvidence.ABSENT
    assert find_evidence(asked, [page], FactIndex([page]), wording=wording).evidence is FactEvidence.PRESENT
    other = fact("soils", questions=questions)
    found = find_evidence(other, [page], FactIndex([page]), wording=wording)
    assert (found.evidence, found.other_value) == (FactEvidence.CONTRADICTED, "compilers")


CITY = ("city of 'Godos'", "What is the city of the customer 'Godos'?")


@pytest.mark.parametrize("street", ["C/ Romero, 33", "Centro Real, C/ Romero 33"])
def test_what_stands_beside_the_value_in_one_passage_contradicts_nothing(street):
    text = f"Godos buys from us. Its office is at {street}, Sevilla, Spain."
    page = Document(id="customers/godos.md", title="Godos", text=f"# Godos\n\n{text}\n\nPhone: (95) 555 82 82")
    wording = Wording(before=(",",), after=(",",))
    found = find_evidence(fact("Sevilla", "Godos", CITY), [], FactIndex([page]), gold_known=False, wording=wording)
    assert found.evidence is FactEvidence.UNDECIDED


def test_a_number_does_not_contradict_a_name_nor_a_name_a_number():
    page = Document(id="c.md", title="Godos", text="# Godos\n\nIts office is at C/ Romero, 33, Spain.")
    wording = Wording(before=(",",), after=(",",))
    found = find_evidence(fact("Sevilla", "Godos", CITY), [], FactIndex([page]), gold_known=False, wording=wording)
    assert found.evidence is FactEvidence.ABSENT
    page = Document(id="c.md", title="Godos", text="# Godos\n\nIts office is at Romero, Sevilla, Spain.")
    found = find_evidence(fact("4711", "Godos", CITY), [], FactIndex([page]), gold_known=False, wording=wording)
    assert found.evidence is FactEvidence.ABSENT


def test_a_first_and_a_last_name_are_one_subject():
    """Pages of companies and of people say "the city of X is": learnt from one, it tells about the other."""
    city = ("city of 'Chai'", "What is the city of 'Chai'?")
    wording = learnt(
        *[(name, town, f"The city of {name} is {town}.") for name, town in (("Bon app'", "Lyon"), ("Chop", "Bern"))],
        questions=city,
    )
    assert wording == Wording(before=("the", "city", "of", "\N{BLACK SQUARE}", "is"), after=(".",))
    person = Fact.of(
        ["London"], ["Anne", "Dodsworth"], [question.replace("Chai", "Anne Dodsworth") for question in city]
    )
    page = Document(
        id="employees/9", title="Anne Dodsworth", text="Sells since 1994.\n\nThe city of Anne Dodsworth is Rome."
    )
    order = Document(
        id="orders/5",
        title="Order 5",
        text="The ship city of order 5 of employee Anne Dodsworth, customer Chop is London.",
    )
    finding = find_evidence(person, [page], FactIndex([page, order]), wording=wording)
    assert (finding.evidence, finding.other_value) == (FactEvidence.CONTRADICTED, "Rome")
    repeated = Document(id="notes/5", title="Notes", text="On the way: the city of Anne Dodsworth is London.")
    finding = find_evidence(person, [page], FactIndex([page, repeated]), wording=wording)
    assert finding.evidence is FactEvidence.UNDECIDED


def test_a_small_number_on_the_page_of_another_is_no_doubt_where_the_usual_words_are_known():
    wording = Wording(before=("the", "units", "on", "order", "of", "\N{BLACK SQUARE}", "is"), after=(".",))
    order = Document(
        id="orders/5", title="Order 5", text="The unit price of Gorgonzola is 10.\n\nChai was ordered too."
    )
    asked = fact("10", questions=ON_ORDER)
    assert find_evidence(asked, [], FactIndex([order])).evidence is FactEvidence.UNDECIDED
    assert find_evidence(asked, [], FactIndex([order]), wording=wording).evidence is FactEvidence.ABSENT
    unknown = find_evidence(asked, [], FactIndex([order]), gold_known=False, wording=wording)
    assert unknown.evidence is FactEvidence.UNDECIDED
