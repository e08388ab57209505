"""Is a fact in the documents? Present, contradicted, absent or unknown, with the passage to check."""

import pytest

from core.domain.sources.documents import Corpus, Document
from core.domain.sources.evidence import FactEvidence
from core.judging.facts.fact import Fact
from core.judging.facts.index import FactIndex
from core.judging.facts.search import find_evidence, passages_state
from core.judging.facts.subjects import Rivals
from core.text.words import stems


def branch(text, key=3, title="Harbour Street branch"):
    return Document(id=f"branch:{key}", title=title, text=text)


def fact_evidence(answers, subjects, gold, corpus, wrong=(), *, questions=(), rivals=()):
    index = corpus if isinstance(corpus, FactIndex) else FactIndex(corpus.documents)
    return find_evidence(Fact.of(answers, subjects, questions, rivals), gold, index, wrong)


def evidence(
    answer, document, questions=("manager of 'Harbour Street'",), others=(), wrong=(), subjects=("Harbour Street",)
):
    gold = [document] if document else []
    corpus = Corpus(documents=(*gold, *others))
    return fact_evidence([answer], subjects, gold, corpus, wrong, questions=questions)


MANAGER = ("manager of 'Harbour Street'", "Who is the manager of the branch 'Harbour Street'?")
OPENING = ("opening date of 'Harbour Street'", "When did the branch 'Harbour Street' open?")
FEE = ("locker fee of 'Harbour Street'", "What is the fee of a locker at 'Harbour Street'?")
CODE = ("postal code of 'Harbour Street'", "What is the postal code of 'Harbour Street'?")
LOCKERS = ("number of lockers in service of 'Harbour Street'", "Number of the lockers in service at 'Harbour Street'")
COMPANY = ("company of 'Harbour Street'", "What is the company of the branch 'Harbour Street'?")
TYPE = ("type of 'Harbour Street'", "What type is the branch 'Harbour Street'?")

ROLES = "| Role | Name |\n|---|---|\n| Manager | Tom Brown |"


@pytest.mark.parametrize(
    ("answer", "questions", "text", "expected", "passage", "other"),
    [
        # stated, in any usual spelling
        ("2014-05-03", OPENING, "It opened on 3 May 2014.", "present", "It opened on 3 May 2014.", ""),
        ("1250.0", FEE, "A locker has a fee of £1,250.", "present", "A locker has a fee of £1,250.", ""),
        ("25", FEE, "The locker fee is 25 years old.", "present", "The locker fee is 25 years old.", ""),
        ("Zoë O'Neill", MANAGER, "Manager: Zoe O’Neill", "present", "Manager: Zoe O’Neill", ""),
        ("Jane Doe", MANAGER, "It is led by Jane Doe.", "present", "It is led by Jane Doe.", ""),
        ("Jane Doe", MANAGER, "Ask for Jane Doe.", "present", "Ask for Jane Doe.", ""),
        ("2014", OPENING, "It opened in 2014.", "present", "It opened in 2014.", ""),
        # the passage closest to the property is shown
        ("Jane Doe", MANAGER, "Jane Doe waves. Jane Doe is the manager.", "present", "Jane Doe is the manager.", ""),
        # a short value counts only beside the property
        ("7", FEE, "There are 7 lifts.", "absent", "", ""),
        ("7", FEE, "The fee of a locker is 7.", "present", "The fee of a locker is 7.", ""),
        ("open", TYPE, "It is open today.", "absent", "", ""),
        # another value where the fact belongs
        ("2014-05-03", OPENING, "It opened on 4 May 2016.", "contradicted", "It opened on 4 May 2016.", "4 May 2016"),
        ("2014", OPENING, "It opened in 2016.", "contradicted", "It opened in 2016.", "2016"),
        ("7", FEE, "The fee of a locker is £9.", "contradicted", "The fee of a locker is £9.", "£9"),
        ("Jane Doe", MANAGER, "Manager: Tom Brown", "contradicted", "Manager: Tom Brown", "Tom Brown"),
        ("Jane Doe", MANAGER, "Tom Brown is the manager.", "contradicted", "Tom Brown is the manager.", "Tom Brown"),
        ("Jane Doe", MANAGER, ROLES, "contradicted", "Manager: Tom Brown", "Tom Brown"),
        ("rural", TYPE, "Type: urban", "contradicted", "Type: urban", "urban"),
        ("rural", TYPE, "The type is urban.", "contradicted", "The type is urban.", "urban"),
        # another code or another number of four digits, which elsewhere may be a year
        ("T2P 2T3", CODE, "The postal code is T2P 5G3.", "contradicted", "The postal code is T2P 5G3.", "T2P 5G3"),
        ("75016", CODE, "The postal code is 1734.", "contradicted", "The postal code is 1734.", "1734"),
        ("75016", CODE, "The postal code changed in 1734.", "absent", "", ""),
        ("T2P 2T3", CODE, "The postal code is being asked for.", "absent", "", ""),
        ("T2P 2T3", CODE, "Letters go to T2P 5G3.", "absent", "", ""),
        ("Sales Manager", TYPE, "The type is IT Manager.", "contradicted", "The type is IT Manager.", "IT Manager"),
        # a count, asked for with the word "number"
        ("4", LOCKERS, "The lockers in service are 25.", "contradicted", "The lockers in service are 25.", "25"),
        ("4", LOCKERS, "The lockers in service are many.", "absent", "", ""),
        ("4", LOCKERS, "The lockers are 25.", "absent", "", ""),
        # a name that stands in an address only
        ("Riotur", COMPANY, "Mail: roberto@riotur.gov.br\n\nCompany: Acme", "contradicted", "Company: Acme", "Acme"),
        ("Riotur", COMPANY, "Mail: roberto@riotur.gov.br", "absent", "", ""),
        ("riotur.gov.br", COMPANY, "Company: www.riotur.gov.br", "present", "Company: www.riotur.gov.br", ""),
        # the property without a value, or with a value of another kind, or of another property
        ("2014-05-03", OPENING, "Its opening date will be published in spring.", "absent", "", ""),
        ("2014-05-03", OPENING, "It opened in May 2014.", "absent", "", ""),
        ("7", FEE, "For the fee of a locker see section 4.", "absent", "", ""),
        ("7", FEE, "The locker fee began in 2019.", "absent", "", ""),
        ("Jane Doe", MANAGER, "The manager of Harbour Street will be named soon.", "absent", "", ""),
        ("Jane Doe", MANAGER, "Deputy manager: Tom Brown", "absent", "", ""),
        ("Jane Doe", MANAGER, "Clerk: Tom Brown", "absent", "", ""),
        ("rural", TYPE, "Type: not stated", "absent", "", ""),
        ("rural", TYPE, "The type is to be decided.", "absent", "", ""),
        ("rural", TYPE, "Somebody decides on the type.", "absent", "", ""),
        ("7", ("locker fee of 'Harbour Street'",), "The fee of parking is £9.", "absent", "", ""),
        # the true value elsewhere on the page: not contradicted
        ("2014-05-03", OPENING, "It opened on 4 May 2016. Sign: 3 May 2014.", "present", "Sign: 3 May 2014.", ""),
    ],
)
def test_the_gold_document(answer, questions, text, expected, passage, other):
    found = evidence(answer, branch(text), questions)
    assert (found.evidence, found.passage, found.other_value) == (expected, passage, other)
    assert found.document_id == ("" if expected == "absent" else "branch:3")


def test_any_of_several_answers_will_do():
    page = branch("Manager: Tom Brown")
    found = fact_evidence(
        ["Jane Doe", "Tom Brown"], ["Harbour Street"], [page], Corpus(documents=(page,)), questions=MANAGER
    )
    assert found.evidence is FactEvidence.PRESENT


def test_a_targets_wrong_answer_shows_where_the_fact_belongs():
    page = branch("The clerk on site is Tom Brown.")
    # one of two asked words, "manager" and "site", is not more than half: the clerk is not the manager
    questions = ("site manager of 'Harbour Street'",)
    assert evidence("Jane Doe", page, questions, wrong=[page.text]).evidence is FactEvidence.ABSENT
    # two of three, "fee", "weekly" and "locker", are
    page = branch("The fee of a locker is £9.")
    questions = ("weekly locker fee of 'Harbour Street'",)
    assert evidence("7", page, questions).evidence is FactEvidence.ABSENT
    found = evidence("7", page, questions, wrong=["The fee of a locker is £9."])
    assert (found.evidence, found.other_value) == (FactEvidence.CONTRADICTED, "£9")
    assert evidence("7", page, questions, wrong=["£9"]).evidence is FactEvidence.ABSENT  # too short to be a place


def test_without_wordings_only_a_targets_answer_shows_the_place():
    page = branch("It opened on 4 May 2016. It was painted on 5 May 2017.")
    assert evidence("2014-05-03", page, ()).evidence is FactEvidence.ABSENT
    found = evidence("2014-05-03", page, (), wrong=["I think it opened on 4 May 2016."])
    assert (found.evidence, found.other_value) == (FactEvidence.CONTRADICTED, "4 May 2016")
    found = evidence("2014-05-03", page, (), wrong=["4 May 2016"])
    assert (found.evidence, found.other_value) == (FactEvidence.CONTRADICTED, "4 May 2016")
    assert evidence("2014-05-03", page, (), wrong=["In May, I think."]).evidence is FactEvidence.ABSENT


def test_the_true_value_in_another_document_counts_beside_subject_and_property():
    region = Document(id="region:1", title="North", text="Jane Doe is the manager at Harbour Street.")
    assert evidence("Jane Doe", branch("A page."), MANAGER, others=[region]).document_id == "region:1"
    coincidence = Document(id="region:1", title="North", text="Jane Doe banks at Harbour Street.")
    # the subject and the value in one sentence: another word for a manager, or not
    assert evidence("Jane Doe", branch("A page."), MANAGER, others=[coincidence]).evidence is FactEvidence.UNDECIDED
    stranger = Document(id="region:1", title="North", text="News. Harbour Street is old. It rains. Jane Doe manages.")
    found = evidence("Jane Doe", branch("A page."), MANAGER, others=[stranger])
    assert (found.evidence, found.passage) == (FactEvidence.UNDECIDED, "Jane Doe manages.")


def test_documents_that_contradict_each_other_are_for_a_person_to_decide():
    region = Document(id="region:1", title="North", text="Jane Doe is the manager at Harbour Street.")
    found = evidence("Jane Doe", branch("Manager: Tom Brown"), MANAGER, others=[region])
    assert (found.evidence, found.document_id) == (FactEvidence.UNDECIDED, "region:1")


def test_the_date_of_the_subject_is_no_other_value_in_a_row_of_a_table():
    row = "| Ordered | Shipped |\n|---|---|\n| 30 January 1997 | 5 February 1997 |"
    page = order(f"# Orders of Ann Lee\n\n{row}", title="Orders of Ann Lee")
    assert of_order("1997-02-05", page).evidence is FactEvidence.PRESENT
    page = order("The order of Ann Lee of 30 January 1997 was shipped on 5 February 1997.")
    found = of_order("1997-02-03", page)
    assert (found.evidence, found.other_value) == (FactEvidence.CONTRADICTED, "5 February 1997")


def test_a_value_inside_the_name_of_the_subject_states_nothing():
    questions = ("exchange of 'Vanguard Growth Fund'", "What is the exchange of the ticker 'Vanguard Growth Fund'?")
    page = Document(id="t:1", title="", text="Vanguard Growth Fund has an exchange and a price.")
    found = fact_evidence(["Vanguard"], ["Vanguard Growth Fund"], [page], FactIndex([page]), questions=questions)
    assert found.evidence is FactEvidence.ABSENT
    page = Document(id="t:1", title="", text="The exchange of Vanguard Growth Fund is Vanguard.")
    found = fact_evidence(["Vanguard"], ["Vanguard Growth Fund"], [page], FactIndex([page]), questions=questions)
    assert found.evidence is FactEvidence.PRESENT


def test_another_document_never_contradicts():
    stale = Document(id="old", title="Harbour Street branch", text="Manager: Tom Brown")
    assert evidence("Jane Doe", None, MANAGER, others=[stale]).evidence is FactEvidence.ABSENT


def test_without_a_gold_document_the_page_of_the_subject_contradicts():
    own = Document(id="hs", title="Harbour Street branch", text="Manager: Tom Brown")
    index = FactIndex([own])
    fact = Fact.of(["Jane Doe"], ["Harbour Street"], MANAGER)
    found = find_evidence(fact, [], index, gold_known=False)
    assert (found.evidence, found.other_value) == (FactEvidence.CONTRADICTED, "Tom Brown")
    # what another page says of it and something else is no property of it
    visit = Document(id="v", title="Visits", text="For visit 7 and Harbour Street, the manager is Tom Brown.")
    assert find_evidence(fact, [], FactIndex([visit]), gold_known=False).evidence is FactEvidence.ABSENT
    # and where some page states the fact, another one does not make it doubtful
    list_page = Document(id="l", title="Managers", text="The manager of Harbour Street is Jane Doe.")
    assert find_evidence(fact, [], FactIndex([own, list_page]), gold_known=False).evidence is FactEvidence.PRESENT


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Opened: 20140503", FactEvidence.PRESENT), ("Opened: 20160504", FactEvidence.ABSENT)],
)
def test_a_date_of_eight_digits_states_the_day(text, expected):
    page = Document(id="branch:3", title="Harbour Street branch", text=text)
    found = fact_evidence(["2014-05-03"], ["Harbour Street"], [], FactIndex([page]), questions=OPENING)
    assert found.evidence is expected


def test_a_value_across_a_full_stop_is_stated():
    questions = ("address of 'Alex Rocha'", "What is the address of the customer 'Alex Rocha'?")
    page = Document(id="c:1", title="Alex Rocha", text="The address of Alex Rocha is Av. Paulista, 2022. He is tall.")
    found = fact_evidence(["Av. Paulista, 2022"], ["Alex Rocha"], [page], FactIndex([page]), questions=questions)
    assert found.evidence is FactEvidence.PRESENT


def test_a_short_name_on_the_page_of_the_subject_is_not_missing():
    questions = ("country of 'Ann Lee'", "What is the country of the customer 'Ann Lee'?")
    page = Document(id="ann.md", title="Ann Lee", text="Her office is at 4 Sand Road, London, UK.")
    found = fact_evidence(["UK"], ["Ann Lee"], [], FactIndex([page]), questions=questions)
    assert found.evidence is FactEvidence.UNDECIDED
    found = fact_evidence(["US"], ["Ann Lee"], [], FactIndex([page]), questions=questions)
    assert found.evidence is FactEvidence.ABSENT


def test_a_short_value_that_the_title_gives_beside_the_name_is_not_missing():
    questions = ("Code of berth 'Tidal Ramp'", "What is the code of the berth 'Tidal Ramp'?")
    for title, expected in (
        ("RR2 Tidal Ramp", FactEvidence.UNDECIDED),
        ("Tidal Ramp (RR2)", FactEvidence.UNDECIDED),
        ("Tidal Ramp", FactEvidence.ABSENT),
        ("Repairs at RR2, not Tidal Ramp", FactEvidence.ABSENT),
    ):
        page = Document(id="b", title=title, text="It is 40 m long.")
        found = fact_evidence(["RR2"], ["Tidal Ramp"], [], FactIndex([page]), questions=questions)
        assert found.evidence is expected, title


def test_words_of_the_table_are_no_part_of_the_property():
    questions = ("units in stock of alphabetical list of product 'Chai'",)
    page = Document(id="p:1", title="Chai", text="The units in stock of Chai are 39. It is a tea.")
    plain = Fact.of(["42"], ["Chai"], questions)
    assert find_evidence(plain, [page], FactIndex([page])).evidence is FactEvidence.ABSENT
    fact = Fact.of(["42"], ["Chai"], questions, kinds=stems("alphabetical list of products"))
    assert find_evidence(fact, [page], FactIndex([page])).evidence is FactEvidence.CONTRADICTED


def test_of_two_subjects_the_one_that_is_not_the_title_must_stand_by_the_value():
    page = branch("The Heron account arrived on 8 May 2012. The Wren account arrived on 9 May 2013.")
    questions = ("arrival date of 'Wren' at 'Harbour Street'",)
    subjects = ("Wren", "Harbour Street")
    assert evidence("2013-05-09", page, questions, subjects=subjects).evidence is FactEvidence.PRESENT
    found = evidence("2012-05-08", page, questions, subjects=subjects)
    assert (found.evidence, found.other_value) == (FactEvidence.CONTRADICTED, "9 May 2013")


@pytest.mark.parametrize(
    ("answers", "subjects", "gold", "documents"),
    [
        ([], ["Harbour Street"], True, True),
        (["", " . "], ["Harbour Street"], True, True),
        (["Jane"], [], False, True),
        (["Jane"], ["Harbour Street"], False, False),
    ],
)
def test_unknown_where_nothing_can_be_looked_up(answers, subjects, gold, documents):
    page = branch("Manager: Jane")
    corpus = Corpus(documents=(page,) if documents else ())
    found = fact_evidence(answers, subjects, [page] if gold else [], corpus, questions=MANAGER)
    assert found.evidence is FactEvidence.UNKNOWN


def test_a_gold_document_without_a_subject_is_enough():
    page = branch("Manager: Jane Doe")
    assert fact_evidence(["Jane Doe"], [], [page], FactIndex([page])).evidence is FactEvidence.PRESENT


def test_the_index_finds_whole_phrases_in_titles_texts_and_keys():
    documents = [
        branch("A page."),
        branch("On Harbour Street.", 4, "Quay"),
        branch("Street by the Harbour.", 5, "Hill"),
    ]
    index = FactIndex([*documents, Document(id="client:Harbour Street", title="", text="x")])
    assert [document.id for document, _ in index.mentioning(["Harbour Street"])] == [
        "branch:3",
        "branch:4",
        "client:Harbour Street",
    ]
    assert index.mentioning([]) == ()
    assert index.mentioning(["Unheard"]) == ()


@pytest.mark.slow
def test_many_facts_read_each_document_once():
    # How long it takes is measured in bench/bench_long_inputs.py.
    pages = [
        branch(f"Place {place} opened on 3 May {1900 + place}. " + "It has a lift. " * 40, place, f"Place {place}")
        for place in range(100)
    ]
    index = FactIndex(pages)
    for number in range(500):
        place = number % 100
        found = fact_evidence(
            [f"{1900 + place}-05-03"],
            [f"Place {place}"],
            [pages[place]],
            index,
            questions=[f"opening date of 'Place {place}'"],
        )
        assert found.evidence is FactEvidence.PRESENT


def test_words_that_say_what_the_subject_is_are_no_part_of_the_property():
    page = Document(
        id="loan_product:4",
        title="Keystone Commercial Mortgage",
        text="The Keystone Commercial Mortgage has a maximum amount of £1,250,000.",
    )
    questions = (
        "Maximum amount of loan product 'Keystone Commercial Mortgage'",
        "What is the maximum amount of loan product 'Keystone Commercial Mortgage'?",
    )
    found = evidence("1500000", page, questions, subjects=("Keystone Commercial Mortgage",))
    assert (found.evidence, found.other_value) == (FactEvidence.CONTRADICTED, "£1,250,000")


ORDER_TEXT = (
    "This is order 7 of customer Ann Lee, ship via Swift. "
    "The date of order 7 of customer Ann Lee and ship via Swift is 1997-01-30. "
    "The required date of order 7 of customer Ann Lee and ship via Swift is 1997-02-27. "
    "The shipped date of order 7 of customer Ann Lee and ship via Swift is 1997-02-03. "
    "The freight of order 7 of customer Ann Lee and ship via Swift is 148.33."
)
SHIPPED = (
    "shipped date of order dated '1997-01-30 00:00:00.000' of customer 'Ann Lee'",
    "When was the order dated '1997-01-30 00:00:00.000' of the customer 'Ann Lee' shipped?",
)
BOUND = ("Ann Lee", "1997-01-30 00:00:00.000")
RIVALS = (Rivals(["Ann Lee", "Bo Fry"]), Rivals(["1997-01-30 00:00:00.000", "1997-02-27 00:00:00.000"]))


def order(text=ORDER_TEXT, key="7", title=""):
    return Document(id=f"orders:{key}", title=title, text=text)


def of_order(answer, page, others=(), *, gold=True, rivals=RIVALS, questions=SHIPPED, subjects=BOUND):
    corpus = Corpus(documents=(page, *others))
    return fact_evidence([answer], subjects, [page] if gold else [], corpus, questions=questions, rivals=rivals)


def test_a_subject_in_another_sentence_of_the_page_is_a_subject_of_the_page():
    found = of_order("1997-02-03 00:00:00.000", order())
    assert (found.evidence, found.document_ids) == (FactEvidence.PRESENT, ("orders:7",))
    assert found.passage.startswith("The shipped date")
    assert of_order("148.33", order(), questions=("freight of order dated '1997-01-30' of 'Ann Lee'",)).evidence is (
        FactEvidence.PRESENT
    )


def test_a_date_as_subject_may_be_written_in_any_way():
    page = order("On 30 January 1997 Ann Lee ordered tea. The shipped date was 3 February 1997.")
    assert of_order("1997-02-03", page).evidence is FactEvidence.PRESENT


def test_the_date_that_names_the_subject_contradicts_nothing():
    """Its own sentence is no passage about shipping, though each sentence of the page speaks of what it ships by."""
    page = order(ORDER_TEXT.replace("1997-02-03", "as soon as possible"))
    assert of_order("1997-02-03", page).evidence is FactEvidence.ABSENT


def test_another_value_of_the_same_attribute_contradicts():
    found = of_order("1997-02-05", order())
    assert (found.evidence, found.other_value) == (FactEvidence.CONTRADICTED, "1997-02-03")


OFFERS = (
    "# Quay branch\n\n## Home Saver\n\nIt was first offered on 3 May 2014. It pays 2 percent.\n\n"
    "## Star Saver\n\nIt was first offered on 9 June 2018. It pays 3 percent."
)
OFFERED = ("date of first offer of 'Star Saver' at 'Quay'", "When was 'Star Saver' first offered at 'Quay'?")
PRODUCTS = (Rivals(["Star Saver", "Home Saver", "Green Saver"]), Rivals(["Quay", "Hill"]))


@pytest.mark.parametrize(
    ("product", "answer", "expected"),
    [
        ("Star Saver", "2018-06-09", "present"),
        ("Home Saver", "2014-05-03", "present"),
        # the value stands on the page, under another product
        ("Star Saver", "2014-05-03", "contradicted"),
        ("Home Saver", "2018-06-09", "contradicted"),
    ],
)
def test_a_value_under_a_rival_is_not_the_subjects(product, answer, expected):
    page = Document(id="branch:1", title="Quay branch", text=OFFERS)
    found = of_order(answer, page, rivals=PRODUCTS, subjects=(product, "Quay"), questions=OFFERED)
    assert found.evidence == expected
    if expected == "contradicted":
        assert found.other_value == ("9 June 2018" if product == "Star Saver" else "3 May 2014")


def test_nothing_contradicts_a_product_that_the_page_does_not_name():
    page = Document(id="branch:1", title="Quay branch", text=OFFERS)
    questions = ("date of first offer of 'Green Saver' at 'Quay'",)
    found = of_order("2020-01-01", page, rivals=PRODUCTS, subjects=("Green Saver", "Quay"), questions=questions)
    assert found.evidence is FactEvidence.ABSENT


def test_a_fact_that_a_linked_page_repeats_is_no_gap_without_its_own_page():
    own = branch("The manager of Harbour Street is Jane Doe.")
    linked = Document(id="region:1", title="North", text="The manager of Harbour Street is Jane Doe. It rains.")
    assert evidence("Jane Doe", own, MANAGER, others=[linked]).document_ids == ("branch:3", "region:1")
    found = evidence("Jane Doe", None, MANAGER, others=[linked])
    assert (found.evidence, found.document_ids) == (FactEvidence.PRESENT, ("region:1",))


@pytest.mark.parametrize("answer", ["1", "Y", "true", "A story of a girl and a dog who meet a crocodile in a boat"])
def test_what_pages_put_in_other_words_is_not_called_missing(answer):
    questions = ("summary flag of 'Harbour Street'",)
    page = branch("The summary flag of Harbour Street is set, and that is fine.")
    assert evidence(answer, page, questions).evidence is FactEvidence.UNDECIDED
    assert evidence(answer, branch("It has a lift."), questions).evidence is FactEvidence.ABSENT


def test_passages_are_searched_for_the_fact():
    fact = Fact.of(["Jane Doe"], ["Harbour Street"], MANAGER)
    stating = ("The manager is Jane Doe.",)
    assert passages_state(fact, [("branch:3", stating[0])], {"branch:3"}) is True
    assert passages_state(fact, [("branch:4", stating[0])], {"branch:3"}) is False
    assert passages_state(fact, [("x", "Harbour Street: the manager is Jane Doe.")], set()) is True
    assert passages_state(fact, [("branch:3", "It has a lift.")], {"branch:3"}) is False
    assert passages_state(fact, [("branch:3", " ")], {"branch:3"}) is None
    assert passages_state(fact, [], {"branch:3"}) is None


def test_rivals_are_told_from_longer_names():
    rivals = Rivals(["Star", "Star Saver", "Moon"])
    assert rivals.named_in("the moon is up", "star saver")
    assert not rivals.named_in("the star saver pays", "star saver"), "a part of its own name is no rival"
    assert not rivals.named_in("nothing of the kind", "star saver")


def test_a_part_of_the_value_is_no_other_value():
    questions = ("album of 'Do Not Look'", "What is the album of the track 'Do Not Look'?")
    page = Document(id="track:7", title="", text="The album of Do Not Look is Chronicle, ed. Fantasy of 1986.")
    found = fact_evidence(
        ["Chronicle, Second Edition"], ["Do Not Look"], [page], FactIndex([page]), questions=questions
    )
    assert found.evidence is not FactEvidence.CONTRADICTED


ORDERED = ("units on order of 'Chai'", "How many units are on order of the product 'Chai'?")


def test_a_small_number_counts_where_the_page_says_most_of_what_was_asked():
    """The discount of an order is 0, and the units on order are 40: no page says that 0 are on order."""
    fact = Fact.of(["0"], ["Chai"], ORDERED)
    said = "Chai is a product.\n\nFor Chai and order 7, the discount is 0.\n\n{}\n\nIt comes from Assam."
    more = Document(id="chai", title="Chai", text=said.format("The units on order of Chai are 40."))
    other = find_evidence(fact, [more], FactIndex([more]))
    assert (other.evidence, other.other_value) == (FactEvidence.CONTRADICTED, "40")
    none = Document(id="chai", title="Chai", text=said.format("The units on order of Chai are 0."))
    stated = find_evidence(fact, [none], FactIndex([none]))
    assert (stated.evidence, stated.passage) == (FactEvidence.PRESENT, "The units on order of Chai are 0.")


def test_a_passage_is_read_under_the_title_of_its_document():
    """The words of a title are no words of a property: what an order's discount is says nothing of units on order."""
    fact = Fact.of(["0"], ["Chai"], ORDERED)
    text = "For order 7 and Chai, the discount is 0."
    order = Document(id="orders:7", title="Order 7", text=text)
    assert find_evidence(fact, [], FactIndex([order])).evidence is FactEvidence.ABSENT
    assert passages_state(fact, [("orders:7", text)], set(), FactIndex([order])) is False
    assert passages_state(fact, [("somewhere", "The units on order of Chai are 0.")], set(), FactIndex([order])) is True


def test_on_a_page_of_many_a_subject_is_spoken_of_under_its_own_heading():
    stock = "{} units in stock and {} on order."
    page = "# Beverages\n\n## Chang\n\n{}\n\n## Chai\n\n{}\n\n### Notes\n\n{}"
    fact = Fact.of(["0"], ["Chai"], ORDERED)

    def evidence_of(chang, chai, notes="Sold since 1990."):
        text = page.format(stock.format(17, chang), stock.format(39, chai), notes)
        document = Document(id="catalogue", title="Beverages", text=text)
        return find_evidence(fact, [document], FactIndex([document])).evidence

    assert evidence_of(chang=40, chai=0) is FactEvidence.PRESENT
    assert evidence_of(chang=0, chai=40) is not FactEvidence.PRESENT
    assert evidence_of(chang=0, chai=40, notes="Units on order: 0.") is FactEvidence.PRESENT  # a part of its own part


MUSIC = "A track of Music is The Winner Loses. A track of Music is Body Count. A track of Music is Smoke."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MUSIC, "absent"),
        ("- The Winner Loses\n- Body Count", "absent"),
        # named once more, and not as the subject is
        (f"{MUSIC} Body Count sold well.", "undecided"),
        ("A track of Music is The Winner Loses. It came out on Body Count.", "undecided"),
        ("The album of The Winner Loses is Body Count.", "present"),
    ],
)
def test_what_is_listed_beside_the_subject_is_no_property_of_it(text, expected):
    playlist = Document(id="playlist:1", title="Music", text=text)
    questions = ("album of 'The Winner Loses'", "What is the album of the track 'The Winner Loses'?")
    found = fact_evidence(["Body Count"], ["The Winner Loses"], [], Corpus(documents=(playlist,)), questions=questions)
    assert found.evidence == expected


CALL = (
    "# Port call PC2348\n\nArrived: 26 February 2023\n\n## Boxes\n\n| Box | Goods | Consignee |\n|---|---|---|\n"
    "| MSKU898364 | bicycles | Holm & Berg Imports |\n| TGHU462760 | wine | Dahl Foods |"
)


@pytest.mark.parametrize(
    ("answer", "asked_for", "expected"),
    [
        # said above the part of the page that has the subject, perhaps of all that follows
        ("2023-02-26", "arrival date of the container", "undecided"),
        ("2023-03-01", "arrival date of the container", "absent"),
        # all that a cell of the subject's own row has, under another word than the question's
        ("bicycles", "commodity of the container", "undecided"),
        ("wine", "commodity of the container", "absent"),
        # the name of another page, and of no other one
        ("Holm & Berg Imports", "customer of the container", "undecided"),
        ("Dahl Foods", "customer of the container", "absent"),
    ],
)
def test_a_page_of_many_that_has_the_value_for_the_subject_is_no_gap(answer, asked_for, expected):
    call = Document(id="call.md", title="Port call PC2348", text=CALL)
    customers = [Document(id=f"c:{name}", title=name, text="Buys.") for name in ("Holm & Berg Imports", "Dahl Foods")]
    questions = (f"{asked_for} 'MSKU898364'", f"What is the {asked_for} 'MSKU898364'?")
    boxes = [Rivals(["MSKU898364", "TGHU462760"])]
    corpus = Corpus(documents=(call, *customers))
    found = fact_evidence([answer], ["MSKU898364"], [], corpus, questions=questions, rivals=boxes)
    assert found.evidence == expected
