"""A passage in stretches for the review of a question."""

from __future__ import annotations

from pages.test_set.questions.stretches import Stretch, stretches

HEAD = "| Depot | Rent |\n| --- | --- |\n"
TEXT = f"# Rents\n\nTable: Rents\n{HEAD}| Stroud | £40 |\n| Wells | £55 |\n| Bath | £60 |\n\nPaid by the month."


def parted(words, text=TEXT):
    start = text.index(words)
    return list(stretches(text, [(start, start + len(words))]))


def test_a_row_is_lit_whole_with_its_heads_and_the_rest_keeps_them():
    assert parted("Wells | £55") == [
        Stretch(text=f"# Rents\n\nTable: Rents\n{HEAD}| Stroud | £40 |", lit=False),
        Stretch(text=f"{HEAD}| Wells | £55 |", lit=True),
        Stretch(text=f"{HEAD}| Bath | £60 |\n\nPaid by the month.", lit=False),
    ]


def test_heads_do_not_stand_without_a_row():
    before, lit, _ = parted("Stroud | £40")
    assert before == Stretch(text="# Rents\n\nTable: Rents", lit=False)
    assert lit == Stretch(text=f"{HEAD}| Stroud | £40 |", lit=True)
    assert parted("Bath | £60")[-1] == Stretch(text="Paid by the month.", lit=False)


def test_words_of_a_sentence_are_lit_alone():
    assert parted("the month")[1:] == [Stretch(text="the month", lit=True), Stretch(text=".", lit=False)]


def test_a_passage_without_support_is_one_stretch_and_an_empty_one_none():
    assert list(stretches(TEXT, [])) == [Stretch(text=TEXT, lit=False)]
    assert list(stretches("", [])) == []
