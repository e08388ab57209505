"""Replies of real systems, as their public documentation has them, read as they are.

``first.json`` was written before the reader was; ``second.json`` after it, when 13 of its 20 were read right without a
change; ``third.json`` after what those taught, when 6 of its 8 were.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.domain.errors import UnreadableFile
from core.io.replies.reading import read_reply
from core.io.replies.streams import events_of, is_stream, joined, read_events

GOLDEN = Path(__file__).parents[3] / "golden" / "replies"
REPLIES = [reply for file in sorted(GOLDEN.glob("*.json")) for reply in json.loads(file.read_text("utf-8"))]


@pytest.mark.parametrize("reply", REPLIES, ids=[reply["name"] for reply in REPLIES])
def test_a_documented_reply_is_read_as_it_is(reply):
    if "stream" in reply:
        assert is_stream(reply["content_type"], reply["stream"])
        assert is_stream("application/octet-stream", reply["stream"])
        read = read_events(events_of(reply["stream"]))
    else:
        assert not is_stream("application/json", json.dumps(reply["reply"]))
        read = read_reply(reply["reply"])
    assert read.answer == reply["answer"]
    assert [context.text for context in read.contexts] == reply["texts"]
    assert [context.document_id for context in read.contexts] == reply["ids"]
    assert [context.score for context in read.contexts] == reply["scores"]
    assert read.abstained is reply.get("abstained")


def test_what_was_asked_is_no_answer_and_an_echo_of_a_document_no_passage():
    read = read_reply({"query": {"text": "What?"}, "documents": [], "answer": "12"})
    assert (read.answer, read.contexts, read.told_passages) == ("12", (), True)
    assert not read_reply({"answer": "12"}).told_passages
    assert read_reply({"question": "What?"}).answer is None


def test_a_status_says_that_the_system_declined():
    read = read_reply({"status": "NO_ANSWER", "answer": None})
    assert (read.answer, read.abstained) == ("", True)
    assert read_reply({"status": "ok", "answer": "12"}).abstained is None
    assert read_reply({"no_answer": False, "answer": "12"}).abstained is False


def test_ids_of_people_go_before_those_an_index_made_up():
    passage = {
        "id": "0e6b2b34-6d3a-4fd0-9d3a-0f5f2f2b7a10",
        "text": "x",
        "metadata": {"file_name": "fees.pdf", "no": 7},
    }
    read = read_reply({"answer": "a", "sources": [passage]})
    assert (read.contexts[0].document_id, read.contexts[0].chunk_id) == ("fees.pdf", passage["id"])
    assert read.ids == {"id": passage["id"], "file_name": "fees.pdf", "no": "7"}
    assert read.places == {"answer": "$.answer", "contexts": "$.sources", "document_ids": "file_name"}
    assert read_reply({"answer": "a", "sources": [passage]}, document_id="no").contexts[0].document_id == "7"
    assert read_reply({"answer": "a", "sources": [passage]}, document_id="nr").contexts[0].document_id == ""


def test_lists_side_by_side_belong_together_or_are_refused():
    read = read_reply({"answer": "a", "contexts": ["x", "y"], "document_ids": [1.0, "b"], "scores": [0.5, 0.25]})
    assert [(item.document_id, item.text, item.score) for item in read.contexts] == [("1", "x", 0.5), ("b", "y", 0.25)]
    with pytest.raises(UnreadableFile, match="2 contexts and 1 document ids"):
        read_reply({"answer": "a", "contexts": ["x", "y"], "document_ids": ["b"]})


def test_a_stream_that_ends_in_an_error_has_no_answer():
    read = read_events(events_of('data: {"answer": "The fee"}\n\nevent: error\ndata: {"message": "index is down"}\n\n'))
    assert (read.answer, read.error) == (None, "index is down")


def test_pieces_are_joined_and_repetitions_are_not():
    assert joined(["1", "0", "1"]) == "101"
    assert joined(["The", "The fee", "The fee is 12."]) == "The fee is 12."
    assert joined(["The ", "fee", "The fee", "The fee"]) == "The fee"
    assert joined(["ha", "ha"]) == "haha"
