"""Thoughts are parted from answers, however they are marked; an answer that quotes a mark is the rare case."""

import pytest

from core.domain.model_profiles import Thoughts
from core.llm.calls.replies import Unreadable, read_completion
from core.llm.calls.streams import is_stream
from core.llm.calls.thoughts import part


@pytest.mark.parametrize(
    ("text", "answer", "reasoning", "style"),
    [
        ("72 lockers", "72 lockers", "", Thoughts.NONE),
        ("<think>\nTwo?\n</think>\n\n72", "72", "Two?", Thoughts.TAGS),
        ("<THINKING>Two?</THINKING>72", "72", "Two?", Thoughts.TAGS),
        ("<think></think>\n72", "72", "", Thoughts.TAGS),
        ("Two?\n</think>\n72", "72", "Two?", Thoughts.BARE),
        ("<think>never ended", "", "never ended", Thoughts.TAGS),
        ("Write <think> first.", "Write <think> first.", "", Thoughts.NONE),
        (
            "<|channel|>analysis<|message|>Two?<|end|><|start|>assistant<|channel|>final<|message|>72<|return|>",
            "72",
            "Two?",
            Thoughts.HARMONY,
        ),
        (
            "<|channel|>final <|constrain|>json<|message|>{}",
            "{}",
            "",
            Thoughts.HARMONY,
        ),
        ("<|channel|>analysis<|message|>Two", "", "Two", Thoughts.HARMONY),
        ("analysisThe page says 72.assistantfinal72", "72", "The page says 72.", Thoughts.HARMONY),
        (
            "analysis of the page: assistant final words",
            "analysis of the page: assistant final words",
            "",
            Thoughts.NONE,
        ),
    ],
)
def test_thoughts_are_parted(text, answer, reasoning, style):
    parted = part(text)
    assert (parted.answer, parted.reasoning, parted.style) == (answer, reasoning, style)


STREAM = b"""data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}

: keep-alive

data: {"choices":[{"index":0,"delta":{"reasoning_content":"Two?"}}]}

data: {"choices":[{"index":0,"delta":{"content":"7"}}]}

data: {"choices":[{"index":0,"delta":{"content":"2\xe2\x80\xa8"}}]}

data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}}

data: [DONE]

"""


def test_a_stream_is_read_as_the_reply_it_adds_up_to():
    got = read_completion(STREAM)
    assert (got.text, got.reasoning, got.finish_reason) == ("72\u2028", "Two?", "stop")
    assert (got.prompt_tokens, got.completion_tokens, got.thoughts) == (5, 2, Thoughts.FIELD)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (STREAM.split(b'data: {"choices":[{"index":0,"delta":{},"finish')[0], "ended before the reply did"),
        (b'data: {"error":{"message":"overloaded"}}\n\n', "overloaded"),
        (b"data: {half\n\n", "no JSON"),
        (b"data: [DONE]\n\n", "ended before the reply did"),
    ],
)
def test_a_stream_without_its_end_is_no_reply(body, says):
    assert is_stream(body)
    with pytest.raises(Unreadable, match=says):
        read_completion(body)


def test_a_response_that_was_cut_off_or_refuses_says_so():
    cut = (
        b'{"output":[{"type":"reasoning","summary":[]}],"incomplete_details":{"reason":"max_output_tokens"},'
        b'"usage":{"input_tokens":4,"output_tokens":9}}'
    )
    got = read_completion(cut)
    assert (got.text, got.finish_reason, got.prompt_tokens, got.completion_tokens) == ("", "length", 4, 9)
    refused = b'{"output":[{"type":"message","content":[{"type":"refusal","refusal":"I will not."}]}]}'
    assert read_completion(refused).text == "I will not."
