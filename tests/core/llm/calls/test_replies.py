"""What an endpoint sent back is read without trust."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.llm.calls.replies import (
    LONGEST_REASON,
    MOST_SHOWN,
    Completion,
    Unreadable,
    read_completion,
    read_refusal,
    storable,
)
from core.net.secrets import MASK, Mask

KEY = "sk-0123456789/abc+def=="


def body(message=None, finish_reason="stop", **more):
    return json.dumps({"choices": [{"message": message, "finish_reason": finish_reason}], **more}).encode()


def test_a_plain_completion_is_read_with_its_tokens():
    got = read_completion(body({"content": "Ann"}, usage={"prompt_tokens": 12, "completion_tokens": 3}))
    assert got == Completion(text="Ann", finish_reason="stop", prompt_tokens=12, completion_tokens=3)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": ""}, ""),
        ({"content": None, "refusal": "I will not."}, "I will not."),
        ({"content": "", "refusal": "I will not."}, "I will not."),
        ({"content": "yes", "refusal": "no"}, "yes"),
        ({"content": [{"type": "text", "text": "An"}, {"type": "text", "text": "n"}]}, "Ann"),
        ({"content": ["An", {"type": "image"}, {"type": "text", "text": "n"}, None, 7]}, "Ann"),
        ({"content": [{"type": "text", "text": ["Ann"]}], "refusal": "no"}, "no"),
    ],
)
def test_a_text_is_found_in_each_shape_endpoints_send(message, text):
    assert read_completion(body(message)).text == text


@pytest.mark.parametrize(
    ("reason", "more"),
    [("error", {}), ("stop", {"error": {"code": 502, "message": "Provider disconnected"}}), ("ERROR", {"error": None})],
)
def test_a_reply_in_whose_midst_the_service_failed_is_no_answer(reason, more):
    choice = {"message": {"content": "The fee is"}, "finish_reason": reason, **more}
    with pytest.raises(Unreadable, match="failed within its reply"):
        read_completion(json.dumps({"choices": [choice]}).encode())


@pytest.mark.parametrize("reason", ["length", "max_tokens", "content_filter"])
def test_a_reply_that_was_cut_off_or_withheld_needs_no_text(reason):
    # It must not be sent again as if the endpoint had failed: each attempt costs the same tokens.
    got = read_completion(body({"content": None}, reason))
    assert (got.text, got.finish_reason) == ("", reason)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"not json",
        b"null",
        b"[]",
        b"7",
        b'"text"',
        b"{}",
        b'{"choices": null}',
        b'{"choices": []}',
        b'{"choices": {}}',
        b'{"choices": [null]}',
        b'{"choices": ["x"]}',
        b'{"choices": [{}]}',
        b'{"choices": [{"message": null}]}',
        b'{"choices": [{"message": []}]}',
        b'{"choices": [{"message": {}}]}',
        body({"content": None}),
        body({"content": None}, None),
        body({"content": 7}),
        body({"content": []}),
        body({"content": {}}),
        body({"content": None, "tool_calls": [{}]}, "tool_calls"),
        b'{"choices": [{"mess',
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"1" * 10_000,
        b'{"error": {"message": "no"}}',
        b"<html>502</html>",
    ],
)
def test_anything_else_is_unreadable_and_said_short(raw):
    with pytest.raises(Unreadable) as caught:
        read_completion(raw)
    assert len(str(caught.value)) < MOST_SHOWN + 100
    assert caught.value.__cause__ is None


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_no_body_breaks_the_reader(raw):
    with suppress(Unreadable):
        read_completion(raw)
    message, code = read_refusal(raw)
    (message + code).encode()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "message", "content", "refusal", "usage", "error", "code", "finish_reason", "text"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=30,
)


@pytest.mark.slow
@given(json_values)
def test_no_document_breaks_the_reader(document):
    raw = json.dumps(document).encode()
    try:
        got = read_completion(raw)
    except Unreadable:
        pass
    else:
        got.text.encode()
        got.finish_reason.encode()
    message, code = read_refusal(raw)
    (message + code).encode()
    assert len(message) <= MOST_SHOWN
    assert len(code) <= LONGEST_REASON


@pytest.mark.parametrize(
    ("given_tokens", "known"),
    [
        (5, 5),
        (5.0, 5),
        (0, 0),
        (-1, None),
        (True, None),
        ("5", None),
        (None, None),
        (2**80, None),
        (1.5, None),
        (1e300, None),
    ],
)
def test_tokens_are_a_number_a_store_can_keep_or_unknown(given_tokens, known):
    assert read_completion(body({"content": "x"}, usage={"prompt_tokens": given_tokens})).prompt_tokens == known


@pytest.mark.parametrize("usage", [None, [], "x", {"prompt_tokens": {}}])
def test_a_strange_usage_leaves_the_tokens_unknown(usage):
    assert read_completion(body({"content": "x"}, usage=usage)).prompt_tokens is None


def test_what_no_store_can_keep_is_replaced():
    raw = b'{"choices": [{"message": {"content": "a\\u0000b\\ud800c\\ud83d\\ude00"}, "finish_reason": "st\\udfffop"}]}'
    got = read_completion(raw)
    got.text.encode()
    got.finish_reason.encode()
    assert got.text[:3] == "a\ufffdb"
    assert got.text.endswith("c\N{GRINNING FACE}")
    assert storable("Grüße, 世界") == "Grüße, 世界"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b'{"error": {"message": "no", "code": "bad"}}', ("no", "bad")),
        (b'{"error": {"message": "no", "code": 7}}', ("no", "7")),
        (b'{"error": {"message": "no", "type": "insufficient_quota"}}', ("no", "insufficient_quota")),
        (b'{"error": "no"}', ("no", "")),
        (b'{"message": "no"}', ("no", "")),
        (b'{"error": {}}', ('{"error": {}}', "")),
        (b'{"error": null}', ('{"error": null}', "")),
        (b'["no"]', ("['no']", "")),
        (b"<html>no</html>", ("<html>no</html>", "")),
        (b"", ("", "")),
    ],
)
def test_a_refusal_says_why_in_its_own_words(raw, expected):
    assert read_refusal(raw) == expected


@pytest.mark.parametrize("before", [0, 270, 290, 299, 300])
@pytest.mark.parametrize("form", [KEY, KEY.replace("/", "\\/"), json.dumps(KEY)[1:-1]])
def test_no_part_of_a_secret_is_in_what_is_shown_wherever_it_is_cut(before, form):
    echo = "x" * before + form + "y" * 400
    mask = Mask([KEY])
    shown = [
        read_refusal(f'{{"error": {{"message": "{echo}", "code": "{form}"}}}}'.encode(), mask),
        read_refusal(f'{{"error": "{echo}"}}'.encode(), mask),
    ]
    if "\\" not in form:
        shown.append(read_refusal(echo.encode(), mask))
        with pytest.raises(Unreadable) as caught:
            read_completion(echo.encode(), mask)
        shown.append((str(caught.value), ""))
    for message, code in shown:
        assert "sk-0" not in message + code


def test_a_model_that_says_the_key_is_not_quoted_with_it():
    got = read_completion(body({"content": f"Your key is {KEY}."}, KEY), Mask([KEY]))
    assert got.text == f"Your key is {MASK}."
    assert got.finish_reason == MASK


def test_a_key_that_is_a_common_word_changes_no_reply():
    mask = Mask(["none", "ollama", "", "a"])
    assert read_completion(body({"content": "none, a llama, ollama"}), mask).text == "none, a llama, ollama"
    assert mask.error("a key ollama") == f"a key {MASK}"


def test_a_mask_does_not_show_what_it_hides():
    assert KEY not in repr(Mask([KEY]))


@pytest.mark.parametrize(
    "body",
    [
        b'{"id": "1", "choices": [{"message": {"content": "Twelve',
        b'<p>{"choices": [{"message": {"content": "12"}}]}</p><p>{"choices": [{"message": {"content": "13"}}]}</p>',
        b"<html><script>var state = {};</script></html>",
        b'{"type": "message", "content": [], "stop_reason": "end_turn"}',
    ],
)
def test_half_a_document_two_of_them_and_a_page_are_no_reply(body):
    with pytest.raises(Unreadable):
        read_completion(body)


@pytest.mark.parametrize(
    ("body", "ended"),
    [
        ({"type": "message", "content": [], "stop_reason": "refusal"}, "content_filter"),
        ({"type": "message", "content": [{"type": "text", "text": "12"}], "stop_reason": "max_tokens"}, "length"),
        ({"promptFeedback": {"blockReason": "SAFETY"}}, "content_filter"),
        ({"candidates": [{"finishReason": "SAFETY"}]}, "safety"),
        (
            {"output": {"message": {"content": [{"text": "Sorry."}]}}, "stopReason": "guardrail_intervened"},
            "content_filter",
        ),
    ],
)
def test_how_a_reply_of_another_interface_ended_is_kept(body, ended):
    assert read_completion(json.dumps(body).encode()).finish_reason == ended
