"""Which language a text is in."""

from __future__ import annotations

import pytest

from core.text.languages import language_of, main_language


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("What is the annual fee of the Juniper card?", "en"),
        ("Wie hoch ist die Jahresgebühr der Karte?", "de"),
        ("Quelle est la commission annuelle de la carte ?", "fr"),
        ("年会费是多少？", "zh"),
    ],
)
def test_a_sentence_is_recognised(text, code):
    found = language_of(text)
    assert found.code == code
    assert 0.5 < found.probability <= 1.0


@pytest.mark.parametrize("text", ["", " \n", "2.95 %", "—", "😀"])
def test_a_text_without_letters_has_no_language(text):
    assert language_of(text).code == ""


def test_most_characters_decide_for_a_collection():
    german = "Die Gebühr wird einmal im Jahr vom Konto abgebucht, sofern nichts anderes vereinbart ist. " * 5
    assert main_language(["The fee is charged once a year.", german]) == "de"
    assert main_language(["1,2", ""]) == ""
