"""Sentences end where a reader would end them, and their places are exact."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.sentences import split_sentences

TABLE = "| Account | Fee |\n|:--|--:|\n| **Basic** | 2.50 |\n| Gold | |\nAfter."

CASES = [
    # abbreviations, initials, numbers
    ("Dr. Lee met Mr. and Mrs. Smith. They left.", ["Dr. Lee met Mr. and Mrs. Smith.", "They left."]),
    ("It costs 4.50 p.a. and 1,200.75 in all. Pay now.", ["It costs 4.50 p.a. and 1,200.75 in all.", "Pay now."]),
    ("J. K. Rowling and J.R.R. Tolkien wrote. I read.", ["J. K. Rowling and J.R.R. Tolkien wrote.", "I read."]),
    ("The U.S. Army left. He is in the U.S. She is not.", ["The U.S. Army left.", "He is in the U.S.", "She is not."]),
    ("Smith et al. (2020) say so, e.g. here, i.e. now.", ["Smith et al. (2020) say so, e.g. here, i.e. now."]),
    ("See No. 4711 now. Is it open? No. Ask us.", ["See No. 4711 now.", "Is it open?", "No.", "Ask us."]),
    ("See Fig. 3 and Sec. 2.1. Done.", ["See Fig. 3 and Sec. 2.1.", "Done."]),
    ("It lasted approx. five days. Good.", ["It lasted approx. five days.", "Good."]),
    ("Acc. to the terms it is free. Yes.", ["Acc. to the terms it is free.", "Yes."]),
    ("Version 2.0.1 is out. Upgrade.", ["Version 2.0.1 is out.", "Upgrade."]),
    ("It ended on the 30th of May, 2023. Each phase did.", ["It ended on the 30th of May, 2023.", "Each phase did."]),
    ("No. You cannot. No. 5 is closed.", ["No.", "You cannot.", "No. 5 is closed."]),
    ("Jones, Inc. filed it in Jan. 2020. It won.", ["Jones, Inc. filed it in Jan. 2020.", "It won."]),
    # marks
    ("Wait... what? Yes!", ["Wait... what?", "Yes!"]),
    ("Really?! Yes!!! Good.", ["Really?!", "Yes!!!", "Good."]),
    ("He left. ... And came.", ["He left. ...", "And came."]),
    ('"Go!" he said. She went.', ['"Go!" he said.', "She went."]),
    ("He said “Stop. Now.” and left. Fine.", ["He said “Stop. Now.” and left.", "Fine."]),
    ("It is open (see p. 3.) today. Come.", ["It is open (see p. 3.) today.", "Come."]),
    ("yes. it works. call us.", ["yes.", "it works.", "call us."]),
    ("...", ["..."]),
    # addresses
    ("See https://a.example/b.c?d=e.f for more. Or call.", ["See https://a.example/b.c?d=e.f for more.", "Or call."]),
    ("Mail jane.doe@bank.example. We answer.", ["Mail jane.doe@bank.example.", "We answer."]),
    ("See [the page](http://x.example/a_(b)). Then go.", ["See the page.", "Then go."]),
    ("[![logo](a.png)](http://x.example) We help.", ["logo We help."]),
    # lists
    ("1. one. 2. two. 3. three.", ["one.", "2. two.", "3. three."]),
    ("Do this: 1. Sign. 2. Send. Done.", ["Do this: 1. Sign.", "2. Send.", "Done."]),
    ("- one\n  goes on\n* two\n3. three", ["one goes on", "two", "three"]),
    ("- a bus\n  - b. Go.\n    1) d tram\n", ["a bus", "b. Go.", "d tram"]),
    ("You need:\n• a pass\n• a form", ["You need:", "a pass", "a form"]),
    ("Manager: Jane Doe\nFax: none", ["Manager: Jane Doe", "Fax: none"]),
    # tables, headings, rules, quotes, code
    (TABLE, ["Account, Fee", "Basic, 2.50", "Gold", "After."]),
    ("Home | Fees | Contact", ["Home, Fees, Contact"]),
    ("| a \\| b | c |", ["a \\| b, c"]),
    ("# Fees ##\nNone. Never.\n## For 2.5 years", ["Fees", "None.", "Never.", "For 2.5 years"]),
    ("Title\n=====\nText\n---\n***\nEnd", ["Title", "Text", "End"]),
    ("**Fees:**\nNone.", ["Fees", "None."]),
    ("**It is free. Come in.**", ["It is free.", "Come in."]),
    ("It is ***very*** `free` and *open*. **Yes.**", ["It is very free and open.", "Yes."]),
    ("2 * 3 * 4 and snake_case_name", ["2 * 3 * 4 and snake_case_name"]),
    ("> quoted\n> goes on. Two.", ["quoted goes on.", "Two."]),
    ("Run:\n```python\nx = 1.5\n\nprint(x)\n```\nDone.", ["Run:", "x = 1.5", "print(x)", "Done."]),
    ("~~~\nopen end. here", ["open end. here"]),
    # lines
    ("it was wrapped at the end of\nits width. Next.", ["it was wrapped at the end of its width.", "Next."]),
    ("Opening hours\nMonday to Friday", ["Opening hours", "Monday to Friday"]),
    ("One.\r\n\r\nTwo is\r\nlong. Three.", ["One.", "Two is long.", "Three."]),
    ("One\x00two.\x00Three.", ["One two.", "Three."]),
    ("\ufeffOne. Two.\u200b", ["One.", "Two."]),
    (" \n\t\r\n\x00 ", []),
    ("", []),
    # other languages and scripts
    ("Gem. § 3 Abs. 2 BGB gilt das. Vgl. Nr. 5 S. 3.", ["Gem. § 3 Abs. 2 BGB gilt das.", "Vgl. Nr. 5 S. 3."]),
    ("Das gilt gem. Vertrag, z. B. ab ca. 3 Jahren. Gut.", ["Das gilt gem. Vertrag, z. B. ab ca. 3 Jahren.", "Gut."]),
    ("Am 3. Mai 2020 war es. Die Nr. 5 lebt.", ["Am 3. Mai 2020 war es.", "Die Nr. 5 lebt."]),
    ("3. Mai 2020: Es begann. Gut.", ["3. Mai 2020: Es begann.", "Gut."]),
    ("M. Dupont est là. Il dit « Oui. » et part.", ["M. Dupont est là.", "Il dit « Oui. » et part."]),
    ("你好。再见。好吗？是！", ["你好。", "再见。", "好吗？", "是！"]),
    ("مرحبا؟ نعم. شكرا", ["مرحبا؟", "نعم.", "شكرا"]),
    ("यह है। वह है।", ["यह है।", "वह है।"]),
    ("😀 😀. Hi 😀! Yes", ["😀 😀.", "Hi 😀!", "Yes"]),
    ("👍🏽\n\n🎉", ["👍🏽", "🎉"]),
]


def texts(text: str, language: str = "en") -> list[str]:
    return [sentence.text for sentence in split_sentences(text, language)]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_borders(text, expected):
    assert texts(text) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Dr. med. Lee kommt am 3. Mai. Gut.", ["Dr. med. Lee kommt am 3. Mai.", "Gut."]),
        ("fr", "M. Dupont est là. Bien.", ["M. Dupont est là.", "Bien."]),
        ("zh", "你好。再见。", ["你好。", "再见。"]),
        ("xx", "One. Two.", ["One.", "Two."]),
    ],
)
def test_other_languages(language, text, expected):
    assert texts(text, language) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Fees\n- **None** for\n  students. See [here](x).", ["Fees", "**None** for\n  students.", "See [here](x)."]),
        (TABLE, ["Account | Fee", "**Basic** | 2.50", "Gold |", "After."]),
        ("> quoted\r\n> goes on.", ["quoted\r\n> goes on."]),
        ("x **A one.** **B two.** y", ["x **A one.**", "**B two.**", "y"]),
        ("One.\x00Two.", ["One.", "Two."]),
    ],
)
def test_places_are_those_of_the_text_as_it_was_given(text, expected):
    assert [text[sentence.start : sentence.end] for sentence in split_sentences(text)] == expected


def test_half_a_surrogate_pair_is_a_character_like_any_other():
    (found,) = split_sentences("a \ud800 b")
    assert (found.text, found.start, found.end) == ("a � b", 0, 5)


MARKDOWN = st.text(alphabet="ab Z.1)\n|-*_`#>[](:~é。😀\r\t\x00\ud800\u200b", max_size=80)
PROSE = st.text(alphabet=st.sampled_from("abcZ.?! ,'\"é。؟।😀\n\u00a0"), max_size=120)


@pytest.mark.slow
@given(st.one_of(MARKDOWN, PROSE, st.text(max_size=80)), st.sampled_from(["en", "de", "zh", "xx"]))
def test_places_increase_never_overlap_and_leave_out_marks_only(text, language):
    found = split_sentences(text, language)
    at, left = 0, []
    for sentence in found:
        assert at <= sentence.start < sentence.end <= len(text)
        assert sentence.text
        assert sentence.text == " ".join(sentence.text.split())
        left.append(text[at : sentence.start])
        at = sentence.end
    left.append(text[at:])
    if "```" not in text and "~~~" not in text:  # what stands behind an opening fence is markup too
        assert not [character for part in left for character in part if character.isalpha()]


@given(PROSE)
def test_every_character_of_plain_prose_is_in_a_sentence(text):
    covered = set()
    for sentence in split_sentences(text):
        covered |= set(range(sentence.start, sentence.end))
    assert all(place in covered for place, character in enumerate(text) if not character.isspace())


@given(PROSE)
def test_prose_keeps_its_words_in_order(text):
    assert "".join("".join(texts(text)).split()) == "".join(text.split())


@given(st.text(alphabet="ab Z.\n", max_size=80))
def test_a_sentence_alone_is_whole(text):
    for sentence in split_sentences(text):
        assert split_sentences(sentence.text)[0].start == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    ["word ", "a.", "1. 1) ", "**a ", "[", "`a ", "a | b ", "# ", "> a\n", "a\n", "Aaa. ", "! ", "[a](", "\u00a0"],
)
def test_a_hundred_thousand_characters_are_cut_to_the_end(line):
    # How long a million take is measured in bench/bench_long_inputs.py; what is not linear takes minutes here.
    text = line * (100_000 // len(line))
    found = split_sentences(text)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert not text.strip() or found[-1].end >= len(text.rstrip()) - len(line)
