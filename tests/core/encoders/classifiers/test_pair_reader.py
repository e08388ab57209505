"""What the small readers read of texts."""

import pytest

from core.encoders.classifiers.pair_reader import (
    FIRST_CHARACTERS,
    FIRST_PART,
    LAST_CHARACTERS,
    MOST_OF_OTHERS,
    MOST_TOKENS,
    ends_of,
)
from core.encoders.classifiers.refusal_reader import open_refusal_reader, refusal_odds


@pytest.fixture(scope="module")
def reader():
    return open_refusal_reader()


def test_a_long_reply_is_read_by_its_beginning_and_its_end(reader):
    words = [f"w{number}" for number in range(400)]
    ids, kinds = reader.tokens("Who pays it?", " ".join(words))
    assert len(ids) == len(kinds) == MOST_TOKENS
    short, _ = reader.tokens("Who pays it?", " ".join(words[:20]))
    last, _ = reader.tokens("", " ".join(words[-5:]))
    assert ids[: len(short) - 1] == short[:-1]
    assert ids[-len(last) + 2 :] == last[2:]
    room = MOST_TOKENS - kinds.index(1) - 1
    every, _ = reader.tokens("", " ".join(words[:300]))
    first = round(FIRST_PART * room)
    assert ids[kinds.index(1) :][:first] == every[2:][:first]


def test_of_a_long_question_the_end_is_read(reader):
    ids, kinds = reader.tokens("x " * 200 + "who pays?", "Nobody.")
    assert kinds.count(0) == MOST_OF_OTHERS + 2
    assert ids[kinds.count(0) - 4 : kinds.count(0) - 1] == reader.tokens("who pays?", "")[0][1:4]


def test_texts_in_front_are_set_apart(reader):
    ids, kinds = reader.tokens("Who pays?", "Ann Lee", "Ann Lee does.")
    parts = [reader.tokens(text, "")[0][1:-2] for text in ("Who pays?", "Ann Lee", "Ann Lee does.")]
    stop = ids[-1]
    assert ids[1:] == [*parts[0], stop, *parts[1], stop, *parts[2], stop]
    assert kinds == [0] * (len(parts[0]) + len(parts[1]) + 3) + [1] * (len(parts[2]) + 1)


def test_of_a_reply_of_megabytes_only_the_ends_are_read():
    begins, ends = "The fee is not in the leaflet. " + "It lists rooms and hours. " * 90, " So I cannot say." * 70
    long = begins + "x" * 5_000_000 + ends
    read = ends_of(long)
    assert len(read) == FIRST_CHARACTERS + LAST_CHARACTERS + 1
    assert read.startswith(begins[:1_000])
    assert read.endswith(ends[-900:])
    question = "What is the fee of a locker?"
    assert refusal_odds(question, long) == refusal_odds(question, read)
    assert ends_of(begins) == begins


@pytest.mark.parametrize("reply", ["", "?", "🎉", "金利が上昇した。"])
def test_any_text_has_finite_odds(reader, reply):
    assert abs(reader.log_odds("", reply)) < 50
