"""Replies of a form, whatever stands around them, and the schema that asks for it."""

import json
from contextlib import suppress
from enum import StrEnum
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from core.domain.llm import Message, Structured
from core.llm.replies.reading import Malformed, read_form
from core.llm.replies.shapes import shape_of
from core.llm.replies.structured import held_to, in_words, repair_request, strict_schema


class Verdict(BaseModel):
    reason: str
    verdict: Literal["Correct", "Incorrect"]


class Part(BaseModel):
    name: str
    size: float | None


class Whole(BaseModel):
    title: str
    parts: list[Part]


CORRECT = Verdict(reason="It says so.", verdict="Correct")
DUMPED = CORRECT.model_dump_json()
OTHER = '{"reason": "no", "verdict": "Incorrect"}'


@pytest.mark.parametrize(
    "text",
    [
        DUMPED,
        f"  \n{DUMPED}\n",
        f"\ufeff{DUMPED}",
        f"```json\n{DUMPED}\n```",
        f"```\n{DUMPED}\n```",
        f"```JSON {DUMPED}```",
        f"Here it is:\n```json\n{DUMPED}\n```\nI hope that helps {{or not}}.",
        f"{DUMPED}\n{DUMPED}",
        f"{DUMPED} Again, in a fence: ```json\n{DUMPED}\n```",
        f"[{DUMPED}]",
        f'He said 5" {DUMPED} and 6".',
        f"The set {{1, 2}} and {{}} and {{x}} say: {DUMPED}",
        f"<think>Is it {OTHER}? No.</think>\n{DUMPED}",
        DUMPED.replace("}", ",}"),
        DUMPED.replace("}", ",\n  \n}"),
        DUMPED.replace("}", ', "confidence": 0.9}'),
        DUMPED.replace("}", ', "verdict": "Correct"}'),
        f"{DUMPED} {{",
        f'{{"reason": "no"}} {DUMPED}',
    ],
)
def test_the_one_answer_is_found_in_what_stands_around_it(text):
    assert read_form(Verdict, text) == CORRECT


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no JSON object"),
        ("null", "no JSON object"),
        ("[]", "no JSON object"),
        ('"Correct"', "no JSON object"),
        ("Correct", "no JSON object"),
        ("I cannot help with that.", "no JSON object"),
        ("{}", "reason: Field required"),
        ('{"reason": "r", "verdict": "Maybe"}', "verdict: "),
        ('{"reason": null, "verdict": "Correct"}', "reason: "),
        (f"{DUMPED}\n{OTHER}", "2 different answers"),
        (f"{OTHER}\nThe response holds ```json\n{DUMPED}\n```", "2 different answers"),
        (f"```json\n{DUMPED}\n```\n{OTHER}", "2 different answers"),
        (DUMPED.replace("}", ', "verdict": "Incorrect"}'), "it gives 'verdict' twice"),
        (f'{{"answer": {DUMPED}}}', "reason: Field required"),
        (f'{{"analysis": {DUMPED}, "verdict": "Incorr', "no JSON object"),
        (f'{{"analysis": [{DUMPED}, {DUMPED}', "no JSON object"),
        (f'{{"reason": "It holds {DUMPED.replace(chr(34), chr(39))} and', "no JSON object"),
        ('{"reason": "It begins {} and', "no JSON object"),
        ('{"reason": "a \\d {}", "verdict": "Correct"}', "no JSON object"),
        ('{"reason": "r", "verdict": "Correct"', "no JSON object"),
        ('{"reason": "r", "verdict": "Corr', "no JSON object"),
        ("{'reason': 'r', 'verdict': 'Correct'}", "no JSON object"),
        (f'{{"reason": {"1" * 5_000}, "verdict": "Correct"}}', "too many digits"),
        ('{"\\ud800\\u0000": 1, "\\ud800\\u0000": 2}', "twice"),
    ],
)
def test_what_is_not_one_whole_answer_is_refused(text, said):
    with pytest.raises(Malformed, match=said) as caught:
        read_form(Verdict, text)
    str(caught.value).encode()
    assert "\0" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 50_000,
        '{"a":' * 50_000,
        '{"a":1,' * 50_000,
        '{"a":[1,],' * 20_000,
        '{"reason":"' + "{" * 50_000,
        "{" + "[" * 50_000,
        "[" * 50_000,
        '"{' * 30_000,
    ],
)
def test_a_hostile_reply_takes_no_stack(text):
    # How long it takes is measured in bench/bench_long_inputs.py; what is not linear takes minutes here.
    with pytest.raises(Malformed):
        read_form(Verdict, text)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_what_is_no_number_is_none(number):
    with pytest.raises(Malformed, match="no number"):
        read_form(Part, f'{{"name": "x", "size": {number}}}')


def test_commas_before_brackets_in_strings_stay():
    kept = Verdict(reason='a,} b, ] c,\n} "quoted,}"', verdict="Correct")
    assert read_form(Verdict, f'5" {kept.model_dump_json()[:-1]},}}') == kept


def test_a_line_break_in_a_string_is_read():
    assert read_form(Verdict, '{"reason": "one\ntwo\tthree", "verdict": "Correct"}').reason == "one\ntwo\tthree"


def test_half_of_a_pair_does_not_come_through():
    for text in ('{"reason": "a \\ud800", "verdict": "Correct"}', '{"reason": "\\udfff", "verdict": "Correct"}'):
        read_form(Verdict, text).reason.encode()

    class Several(BaseModel):
        reasons: list[str]

    assert read_form(Several, '{"reasons": ["a", "\\ud800", "\\ud83d\\ude00"]}').reasons[2] == "\N{GRINNING FACE}"
    read_form(Several, '{"reasons": ["\\ud800"]}').reasons[0].encode()


parts = st.builds(Part, name=st.text(), size=st.none() | st.floats(allow_nan=False, allow_infinity=False))
wholes = st.builds(Whole, title=st.text(), parts=st.lists(parts, max_size=4))
words = st.text(alphabet=st.characters(exclude_characters="{}", exclude_categories=["Cs"]), max_size=40).filter(
    lambda text: "<think>" not in text
)


@pytest.mark.slow
@given(wholes, words, words, st.booleans(), st.sampled_from(["plain", "fence", "indent", "ascii", "comma"]))
def test_any_object_comes_back_equal_from_any_wrapping(whole, before, after, twice, how):
    dumped = json.dumps(whole.model_dump(), ensure_ascii=how == "ascii", indent=2 if how == "indent" else None)
    if how == "comma":
        dumped = dumped[:-1] + " , }"
    if how == "fence":
        dumped = f"```json\n{dumped}\n```"
    assert read_form(Whole, f"{before}{dumped}{after}{dumped if twice else ''}") == whole


@given(st.text())
def test_any_text_is_read_or_refused(text):
    with suppress(Malformed):
        assert isinstance(read_form(Verdict, text), Verdict)


@given(wholes, st.data())
def test_a_reply_that_was_cut_off_is_never_an_answer(whole, data):
    dumped = json.dumps(whole.model_dump())
    with pytest.raises(Malformed):
        read_form(Whole, dumped[: data.draw(st.integers(0, len(dumped) - 1))])


class Size(StrEnum):
    SMALL = "small"
    LARGE = "large"


class Odd(BaseModel):
    model_config = ConfigDict(title="Not sent")

    title: str = "x"
    default: int = 3
    properties: dict[str, str] | None = None
    size: Size = Field(Size.SMALL, description="how large it is")
    maybe: Part | None = None
    many: list[Part] = Field(default_factory=list)


def every_object(schema):
    if isinstance(schema, dict):
        if "properties" in schema and isinstance(schema.get("type"), str):
            yield schema
        for value in schema.values():
            yield from every_object(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from every_object(value)


def test_a_strict_schema_names_everything_and_nothing_more():
    schema = strict_schema(Odd)
    assert schema["required"] == ["title", "default", "properties", "size", "maybe", "many"]
    assert list(schema["properties"]) == schema["required"], "fields may have the names of keywords"
    assert schema["properties"]["title"] == {"type": "string"}
    assert schema["properties"]["default"] == {"type": "integer"}
    objects = list(every_object(schema))
    assert len(objects) == 2
    for found in objects:
        assert found["additionalProperties"] is False
        assert found["required"] == list(found["properties"])
    assert schema["$defs"]["Part"]["properties"]["size"] == {"anyOf": [{"type": "number"}, {"type": "null"}]}
    assert schema["$defs"]["Size"] == {"enum": ["small", "large"], "type": "string"}
    assert schema["properties"]["maybe"] == {"anyOf": [{"$ref": "#/$defs/Part"}, {"type": "null"}]}
    assert "Not sent" not in json.dumps(schema)


def test_nothing_stands_beside_a_reference():
    # The strict dialect refuses {"$ref": ..., "description": ...}.
    assert strict_schema(Odd)["properties"]["size"] == {
        "anyOf": [{"$ref": "#/$defs/Size"}],
        "description": "how large it is",
    }


QUESTION = (Message("system", "Judge."), Message("user", "Who?"))


def test_a_schema_is_sent_where_the_endpoint_takes_one():
    _, parameters = held_to(Verdict, QUESTION, Structured.SCHEMA)
    sent = parameters["response_format"]
    assert sent["type"] == "json_schema"
    assert sent["json_schema"] == {"name": "Verdict", "strict": True, "schema": strict_schema(Verdict)}


@pytest.mark.parametrize(
    ("mode", "sent"),
    [
        (Structured.SCHEMA, "json_schema"),
        (Structured.JSON, "json_object"),
        (Structured.NONE, None),
    ],
)
def test_the_form_is_told_in_words_whatever_the_endpoint_enforces(mode, sent):
    messages, parameters = held_to(Verdict, QUESTION, mode)
    assert parameters.get("response_format", {}).get("type") == sent
    assert messages[0].content.startswith("Judge.\n\n")
    assert json.dumps(strict_schema(Verdict)) in messages[0].content
    assert "JSON" in messages[0].content, "JSON mode wants the word"
    assert messages[1:] == QUESTION[1:]
    assert [message.role for message in held_to(Verdict, QUESTION[1:], mode)[0]] == ["system", "user"]


def test_a_weak_model_is_told_the_fields_and_no_schema():
    told = in_words(Verdict, plain=True)
    assert told == (
        "Reply with one JSON object and nothing else. Its fields are:\n- reason: a text\n"
        '- verdict: "Correct" or "Incorrect"\nBegin with {"reason":'
    )

    class Other(BaseModel):
        scores: list[int] | None
        share: float
        done: bool

    assert "- scores: a list, each a whole number or null\n- share: a number\n- done: true or false" in in_words(
        Other, plain=True
    )

    class Nested(BaseModel):
        parts: list[Other]

    assert in_words(Nested, plain=True) == in_words(Nested), "an object within an object has its schema"


def test_a_form_of_any_name_gets_one_that_endpoints_take():
    named = type("Ünder[int]" + "x" * 80, (Verdict,), {})
    name = held_to(named, QUESTION, Structured.SCHEMA)[1]["response_format"]["json_schema"]["name"]
    assert name.isascii()
    assert len(name) <= 64
    assert name.replace("_", "").isalnum()


def test_a_repair_shows_what_was_said_and_what_is_wrong():
    repair = repair_request(QUESTION, "Correct", "it holds no JSON object.")
    assert repair[:2] == QUESTION
    assert repair[2] == Message("assistant", "Correct")
    assert (repair[3].role, "it holds no JSON object." in repair[3].content) == ("user", True)


def test_a_conversation_with_an_example_gets_no_schema_in_words():
    messages = (Message("system", "Like this: {}"), Message("user", "?"))
    for mode in (Structured.JSON, Structured.NONE, Structured.GRAMMAR):
        assert held_to(Verdict, messages, mode, by_example=True)[0] == messages
        assert held_to(Verdict, messages, mode)[0] != messages
    more = held_to(Verdict, messages, Structured.GRAMMAR)[1]
    assert more == {"response_format": {"type": "json_object", "schema": strict_schema(Verdict)}}
    again = repair_request(messages, "{}", "it lacks a field.", Verdict, by_example=True)[-1].content
    assert shape_of(Verdict) in again
    assert "properties" not in again
