"""Each kind of fault in copies of documents, and each reason for which a fact is passed over."""

from dataclasses import replace

import pytest

from core.domain.sources.documents import Document, Heading
from core.faults.kinds import FaultKind
from core.faults.planting import SoundFact, kind_of, other_value, plant, plant_each

PAGE = Document(
    id="loan:1",
    title="Loan Arden",
    text="Loan Arden is a loan.\n\nThe manager of Loan Arden is Ines Okoro.\n\nThe fee of Loan Arden is 12.50.",
)
OTHER = Document(id="loan:2", title="Loan Belmont", text="Loan Belmont comes after Loan Arden.")
PAGES = {PAGE.id: PAGE, OTHER.id: OTHER}


def fact(**changes):
    fields = {
        "group_id": "g1",
        "subjects": ("Loan Arden",),
        "answers": ("Ines Okoro",),
        "passage": "The manager of Loan Arden is Ines Okoro.",
        "stating": ("loan:1",),
        "others": ("Ines Okoro", "Tom Birch"),
    }
    return SoundFact(**{**fields, **changes})


def test_a_deleted_page_is_gone_and_what_repeats_it_is_told():
    planting = plant(FaultKind.PAGE_DELETED, [fact(stating=("loan:1", "loan:2"))], PAGES)
    assert list(planting.documents) == ["loan:2"]
    fault = planting.faults["g1"]
    assert (fault.document_ids, fault.repeated, fault.after) == (("loan:1",), ("loan:2",), "")
    assert list(PAGES) == ["loan:1", "loan:2"]


def test_a_page_that_repeats_a_fact_and_goes_with_another_one_repeats_it_no_more():
    """The first fact is repeated on the second page, which goes with the second fact: nothing states the first."""
    first, second = fact(stating=("loan:1", "loan:2")), fact(group_id="g2", stating=("loan:2",))
    for order in ([first, second], [second, first]):
        planting = plant(FaultKind.PAGE_DELETED, order, PAGES)
        assert planting.faults["g1"].repeated == ()


def test_two_facts_of_one_page_are_one_deleted_page():
    planting = plant(FaultKind.PAGE_DELETED, [fact(), fact(group_id="g2")], PAGES)
    assert list(planting.faults) == ["g1"]
    assert planting.skipped == {"its page went with another fact": 1}


def test_a_changed_value_stands_wherever_the_old_one_stood():
    pages = {
        "a": Document(id="a", title="Ines Okoro and Loan Arden", text="Ask Ines Okoro. The manager is Ines Okoro."),
        "b": Document(id="b", title="Staff", text="Ines Okoro manages Loan Arden. Ines Okorova does not."),
    }
    planting = plant(FaultKind.VALUE_CHANGED, [fact(passage="The manager is Ines Okoro.", stating=("a", "b"))], pages)
    assert planting.documents["a"].text == "Ask Tom Birch. The manager is Tom Birch."
    assert planting.documents["a"].title == "Tom Birch and Loan Arden"
    assert planting.documents["b"].text == "Tom Birch manages Loan Arden. Ines Okorova does not."
    assert planting.faults["g1"].after == "The manager is Tom Birch."


def test_a_value_is_not_changed_within_the_name_of_the_subject():
    """The page still speaks about Arden Branch, or its fact would be missing and not contradicted."""
    page = Document(id="a", title="Arden Branch", text="Arden Branch, or ARDEN BRANCH, is in Arden.")
    planting = plant(
        FaultKind.VALUE_CHANGED,
        [fact(subjects=("Arden Branch",), answers=("Arden",), others=("Belmont",), passage=page.text, stating=("a",))],
        {"a": page},
    )
    assert planting.documents["a"].text == "Arden Branch, or ARDEN BRANCH, is in Belmont."
    assert planting.documents["a"].title == "Arden Branch"


def test_a_date_is_changed_in_figures_and_in_words():
    page = Document(id="a", title="", text="Shipped on 9 March 1997.\n\nShipped 1997-03-09, paid 9 April 1997.")
    planting = plant(
        FaultKind.VALUE_CHANGED,
        [
            fact(
                subjects=("Order 7",),
                answers=("1997-03-09",),
                others=("1997-03-09", "1998-01-02"),
                passage="Shipped on 9 March 1997.",
                stating=("a",),
            )
        ],
        {"a": page},
    )
    assert planting.documents["a"].text == "Shipped on 1998-01-02.\n\nShipped 1998-01-02, paid 9 April 1997."


def test_a_short_value_is_changed_in_its_passage_only():
    page = Document(id="a", title="", text="7 loans have 2 names. The class of Loan Arden is 7. Page 7.")
    short = fact(answers=("7",), others=("7", "9"), passage="The class of Loan Arden is 7.", stating=("a",))
    planting = plant(FaultKind.VALUE_CHANGED, [short], {"a": page})
    assert planting.documents["a"].text == "7 loans have 2 names. The class of Loan Arden is 9. Page 7."
    cut = fact(answers=("7",), others=("9",), passage="class: 7", stating=("a",))
    assert plant(FaultKind.VALUE_CHANGED, [cut], {"a": page}).skipped == {
        "its value is not written in the text as it was read": 1
    }


def test_pages_and_headings_begin_where_they_began_in_the_new_text():
    text = "One\nInes Okoro is it.\nTwo\nMore."
    heading = Heading(start=text.index("Two"), end=text.index("Two") + 3, level=1)
    page = Document(id="a", title="", text=text, pages=(0, text.index("Two")), outline=(heading,))
    planting = plant(FaultKind.VALUE_CHANGED, [fact(passage="Ines Okoro is it.", stating=("a",))], {"a": page})
    changed = planting.documents["a"]
    moved = changed.outline[0]
    assert changed.text[moved.start : moved.end] == "Two"
    assert changed.text[changed.pages[1] :].startswith("Two")


def test_a_moved_passage_stands_on_a_page_that_names_its_subject():
    planting = plant(FaultKind.VALUE_MOVED, [fact(mentioning=("loan:2",))], PAGES)
    assert "Ines Okoro" not in planting.documents["loan:1"].text
    assert "The fee of Loan Arden is 12.50." in planting.documents["loan:1"].text
    assert planting.documents["loan:2"].text.endswith("\n\nThe manager of Loan Arden is Ines Okoro.")
    fault = planting.faults["g1"]
    assert (fault.home, fault.repeated) == ("loan:2", ("loan:2",))


def test_a_moved_passage_gets_a_page_of_its_own_that_takes_no_other_pages_name():
    taken = Document(id="notes:1", title="Mine", text="My own notes.")
    pronoun = Document(id="loan:1", title="Loan Arden", text="It is a loan. Its manager is Ines Okoro. It is open.")
    planting = plant(
        FaultKind.VALUE_MOVED,
        [fact(passage="Its manager is Ines Okoro.")],
        {"loan:1": pronoun, "notes:1": taken},
    )
    assert planting.documents["notes:1"] is taken
    assert planting.documents["notes:2"].text == "Loan Arden: Its manager is Ines Okoro."
    assert planting.faults["g1"].home == "notes:2"


@pytest.mark.parametrize(
    ("kind", "changes", "why"),
    [
        (FaultKind.VALUE_CHANGED, {"others": ("Ines Okoro",)}, "no other fact has another value of its kind"),
        (FaultKind.VALUE_CHANGED, {"answers": ("I. Okoro",)}, "its value is not written in the text as it was read"),
        (FaultKind.VALUE_MOVED, {"passage": "manager: Ines Okoro"}, "its passage is not one piece of the text"),
        (FaultKind.VALUE_MOVED, {"passage": PAGE.text}, "its page says nothing else"),
        (
            FaultKind.VALUE_MOVED,
            {"passage": "Loan Arden is a loan."},
            "its page has the value in another place too",
        ),
    ],
)
def test_a_fact_that_can_take_no_fault_is_passed_over_with_the_reason(kind, changes, why):
    planting = plant(kind, [fact(**changes)], PAGES)
    assert planting.skipped == {why: 1}
    assert not planting.faults
    assert planting.documents == PAGES


def test_what_a_reader_or_a_search_does_leaves_the_documents_alone():
    for kind in (FaultKind.READER, FaultKind.RETRIEVAL):
        planting = plant(kind, [fact()], PAGES)
        assert planting.documents == PAGES
        assert planting.faults["g1"].before == planting.faults["g1"].after == fact().passage


def test_another_value_is_none_of_the_acceptable_ones_in_any_spelling():
    several = fact(answers=("1997-03-09", "1997-03-10"), others=("9 March 1997", "1997-03-10", "1997-04-01"))
    assert other_value(several) == "1997-04-01"
    assert other_value(fact(others=())) == ""
    assert other_value(fact(others=("Ines Okoro", "Tom Birch", "Ann Lee")), besides="Tom Birch") == "Ann Lee"


def test_values_of_one_kind_stand_for_each_other():
    kinds = [kind_of([value]) for value in ("1997-03-09", "12.50", "Ines Okoro", "24 - 150 g jars", "open", "")]
    assert kinds == ["a date", "a number", "a name", "words", "words", "nothing"]


def test_two_faults_meet_in_one_fact():
    stacked = [(fact(), (FaultKind.VALUE_MOVED, FaultKind.RETRIEVAL))]
    planting = plant_each(stacked, PAGES)
    fault = planting.faults["g1"]
    assert fault.kinds == (FaultKind.VALUE_MOVED, FaultKind.RETRIEVAL)
    assert fault.home == "notes:1"


def test_a_reader_of_a_changed_page_needs_a_third_value():
    kinds = (FaultKind.VALUE_CHANGED, FaultKind.READER)
    assert plant_each([(fact(), kinds)], PAGES).skipped == {"no other fact has a third value of its kind": 1}
    planting = plant_each([(fact(others=("Ines Okoro", "Tom Birch", "Ann Lee")), kinds)], PAGES)
    assert "Tom Birch" in planting.faults["g1"].after


def shared(text="The manager of Loan Arden is Ines Okoro.\n\nThe fee of Loan Arden is 12.50."):
    page = replace(PAGE, text=text)
    fee = fact(
        group_id="fee",
        answers=("12.50",),
        others=("12.50", "99.00"),
        passage="The fee of Loan Arden is 12.50.",
    )
    return {PAGE.id: page, OTHER.id: OTHER}, fee


def test_facts_of_one_page_take_faults_of_their_own():
    pages, fee = shared()
    planting = plant_each([(fact(), (FaultKind.READER,)), (fee, (FaultKind.VALUE_CHANGED,))], pages)
    assert list(planting.faults) == ["g1", "fee"]
    assert planting.faults["g1"].repeated == (PAGE.id,)
    assert "99.00" in planting.documents[PAGE.id].text


@pytest.mark.parametrize(
    "kind", [FaultKind.READER, FaultKind.RETRIEVAL, FaultKind.VALUE_CHANGED, FaultKind.VALUE_MOVED]
)
def test_a_fact_whose_page_goes_with_another_one_is_passed_over(kind):
    pages, fee = shared()
    for order in (
        [(fact(), (kind,)), (fee, (FaultKind.PAGE_DELETED,))],
        [(fee, (FaultKind.PAGE_DELETED,)), (fact(), (kind,))],
    ):
        planting = plant_each(order, pages)
        assert list(planting.faults) == ["fee"]
        assert planting.skipped == {"its page went with another fact": 1}


def test_a_fact_whose_sentence_another_one_changes_is_passed_over():
    """Both facts stand in one sentence: with the fee changed or moved, the page states the manager in no known way."""
    text = "Loan Arden is run by Ines Okoro for 12.50.\n\nIt is open."
    pages, fee = shared(text)
    sentence = text.splitlines()[0]
    both = fact(passage=sentence), replace(fee, passage=sentence)
    for kind in (FaultKind.VALUE_CHANGED, FaultKind.VALUE_MOVED):
        planting = plant_each([(both[0], (FaultKind.READER,)), (both[1], (kind,))], pages)
        assert list(planting.faults) == ["fee"]
        assert planting.skipped == {"the fault of another fact changed a page that states it": 1}


def test_a_value_that_a_page_of_another_record_has_too_is_not_changed():
    """The pages would contradict each other, and nobody could say which of them is wrong."""
    both = {**PAGES, "programme:6": Document(id="programme:6", title="Loans", text="Contact: Ines Okoro")}
    planting = plant(FaultKind.VALUE_CHANGED, [fact(gold=("loan:1", "programme:6"))], both)
    assert planting.skipped == {"the page of another of its records has the value too": 1}
    stated = fact(gold=("loan:1", "programme:6"), stating=("loan:1", "programme:6"))
    assert plant(FaultKind.VALUE_CHANGED, [stated], both).documents["programme:6"].text == "Contact: Tom Birch"
    assert list(plant(FaultKind.VALUE_CHANGED, [fact(gold=("loan:1", "loan:2"))], both).faults) == ["g1"]


def test_a_value_of_a_table_that_another_fact_changes_back_is_passed_over():
    """Cells are changed wherever the page has their value: France becomes the USA, and every USA becomes France."""
    head = "| Firm | City | Country |\n|---|---|---|\n| Gai | Annecy | {} |\n| Ayo | Boston | {} |"
    pages = {"firms": Document(id="firms", title="Firms", text=head.format("France", "USA"))}
    gai = fact(subjects=("Gai",), answers=("France",), others=("USA",), passage="Gai, Country: France")
    ayo = fact(group_id="g2", subjects=("Ayo",), answers=("USA",), others=("France",), passage="Ayo, Country: USA")
    both = [(replace(item, stating=("firms",)), (FaultKind.VALUE_CHANGED,)) for item in (gai, ayo)]
    planting = plant_each(both, pages)
    assert list(planting.faults) == ["g2"]
    assert planting.skipped == {"the fault of another fact changed a page that states it": 1}
    assert planting.documents["firms"].text == head.format("France", "France")


def test_a_page_that_only_grows_states_its_facts_as_before():
    """A passage is moved to the page of another fact, which stays as sound as it was."""
    other = fact(
        group_id="g2",
        subjects=("Loan Belmont",),
        answers=("Loan Arden",),
        passage=OTHER.text,
        stating=("loan:2",),
    )
    moved = fact(mentioning=("loan:2",))
    planting = plant_each([(other, (FaultKind.READER,)), (moved, (FaultKind.VALUE_MOVED,))], PAGES)
    assert set(planting.faults) == {"g1", "g2"}
    assert planting.faults["g2"].repeated == ("loan:2",)


def test_a_second_page_that_another_fact_changes_no_longer_counts_on():
    pages = {
        "a": Document(id="a", title="", text="The manager of Loan Arden is Ines Okoro."),
        "b": Document(id="b", title="", text="Ines Okoro runs Loan Arden.\nIt costs 12.50."),
        "c": Document(id="c", title="", text="The deputy of Loan Arden is Ines Okoro."),
    }
    repeated = fact(passage=pages["a"].text, stating=("a", "b"))
    on_b = fact(group_id="g2", answers=("12.50",), others=("9.00",), passage="It costs 12.50.", stating=("b",))
    kinds = (FaultKind.PAGE_DELETED,), (FaultKind.VALUE_CHANGED,)
    planting = plant_each(list(zip((repeated, on_b), kinds, strict=True)), pages)
    assert planting.faults["g1"].repeated == ("b",)
    deputy = replace(on_b, answers=("Ines Okoro",), others=("Tom Birch",), passage="Ines Okoro runs Loan Arden.")
    planting = plant_each(list(zip((repeated, deputy), kinds, strict=True)), pages)
    assert planting.skipped == {"the fault of another fact changed a page that states it": 1}
