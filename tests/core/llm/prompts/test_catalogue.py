"""Prompts: what is refused, what a template may do, and fences that no text can close."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import meta, nodes

from core.domain.errors import InvalidInput, NotFound
from core.domain.llm import Message, PromptVariant
from core.llm.prompts.catalogue import (
    FOLDER,
    _environment,
    built_in,
    fence,
    field,
    list_prompts,
    load_prompt,
    parse_prompt,
    variant_id,
)
from core.llm.prompts.versions import preview

GOOD = """{#
id: greet
version: 1.10
purpose: Greets.
inputs:
  name: who
  words: what
output: a greeting
#}
{% block system %}Be kind.{% endblock %}
{% block user %}Greet {{ name | fence("name") }} with {% for word in words %}{{ word }} {% endfor %}{% endblock %}
"""


def test_a_prompt_is_read_with_its_header():
    prompt = parse_prompt(GOOD, "It")
    assert (prompt.id, prompt.version, prompt.purpose, prompt.output) == ("greet", "1.10", "Greets.", "a greeting")
    assert prompt.inputs == {"name": "who", "words": "what"}
    assert prompt.ref.hash == parse_prompt(GOOD, "It").ref.hash != parse_prompt(GOOD + "\n", "It").ref.hash


def test_each_block_is_a_message():
    messages = parse_prompt(GOOD, "It").render(name="Ann", words=["good", "day"])
    assert messages == (Message("system", "Be kind."), Message("user", f"Greet {fence('Ann', 'name')} with good day"))


def test_an_empty_block_is_no_message():
    assert [
        message.role for message in parse_prompt(GOOD.replace("Be kind.", " "), "It").render(name="", words=[])
    ] == ["user"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (GOOD, "no header", "has no header"),
        (GOOD, "", "has no header"),
        ("id: greet\n", "", "wrong at id: Field required"),
        ("id: greet", "id: Greet It", "wrong at id"),
        ("id: greet", "id: ../greet", "wrong at id"),
        ("version: 1.10\n", "", "wrong at version"),
        ("version: 1.10", "version: ", "wrong at version"),
        ("purpose: Greets.\n", "", "wrong at purpose"),
        ("output: a greeting\n", "", "wrong at output"),
        ("inputs:\n  name: who\n  words: what\n", "", "wrong at inputs"),
        ("inputs:\n  name: who\n  words: what\n", "inputs: [name, words]\n", "wrong at inputs"),
        ("output: a greeting", "output: a greeting\nfurther: x", "wrong at further"),
        ("purpose: Greets.", "purpose: [", "is not YAML"),
        ("{% block user %}", "", "is not a Jinja template"),
        ("block user", "block assistant", "has the blocks assistant, system"),
        ("{% for word in words %}", "{% for word in words %}{{ other }}", "uses other, which is not among"),
        ("  words: what\n", "  words: what\n  unused: x\n", "does not use unused"),
        ("{{ word }}", "{{ word | nosuch }}", "No filter named 'nosuch'"),
        ("{{ word }}", "{{ word is nosuch }}", "No test named 'nosuch'"),
        ("{% block system %}", "Said to nobody. {% block system %}", "outside its blocks"),
        ("{% block system %}", "{% set word = 1 %}{% block system %}", "outside its blocks"),
        ("{% block system %}", "{{ name }}{% block system %}", "outside its blocks"),
        ("Be kind.{% endblock %}\n", "", "is not a Jinja template"),
    ],
)
def test_a_prompt_that_could_not_be_used_is_refused_and_the_fault_named(old, new, said):
    assert old in GOOD
    with pytest.raises(InvalidInput, match=re.escape(said)):
        parse_prompt(GOOD.replace(old, new, 1), "It")


@pytest.mark.parametrize(
    ("inputs", "wrong"),
    [
        ({"name": "x"}, "words"),
        ({"name": "x", "words": [], "more": 1}, "more"),
        ({}, "name, words"),
        ({"nane": "x", "words": []}, "name, nane"),
    ],
)
def test_an_input_that_is_missing_or_unknown_is_named(inputs, wrong):
    with pytest.raises(InvalidInput, match=wrong):
        parse_prompt(GOOD, "It").render(**inputs)


@pytest.mark.parametrize(
    "does",
    [
        "{{ name.__class__ }}",
        "{{ name.__class__.__mro__[1].__subclasses__() }}",
        "{{ ''['__class__'] }}",
        "{{ name.nosuch }}",
        "{{ words.append('x') }}",
        "{{ words[99] }}",
        "{{ 1 / 0 }}",
        "{{ name + 1 }}",
        "{{ '{0.__class__}'.format(name) }}",
        "{% include 'knowledge_document.jinja' %}",
        "{% import 'x' as x %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% for i in range(10**9) %}{% endfor %}",
    ],
)
def test_a_template_can_do_nothing_but_write(does):
    words = ["a"]
    prompt = parse_prompt(GOOD.replace("{{ word }}", "{{ word }}" + does), "It")
    with pytest.raises(InvalidInput, match="cannot be filled"):
        prompt.render(name="Ann", words=words)
    assert words == ["a"]


def test_what_an_input_holds_is_never_a_template():
    hostile = "{{ 7 * 7 }}{% block system %}x{% endblock %}{# y #}"
    assert hostile in parse_prompt(GOOD, "It").render(name=hostile, words=[])[1].content


def test_what_is_asked_for_by_a_wrong_name_is_not_found():
    for name in ("nosuch", "../README", "README.md", "", "a/b", "short/claims", "claims/short/short", "/short"):
        with pytest.raises(NotFound):
            load_prompt(name)


marks = st.from_regex(r"\A</?response-[0-9a-f]{16}>\Z")


@pytest.mark.slow
@given(st.lists(st.one_of(st.text(max_size=30), marks, st.just("\n")), max_size=8).map("".join))
def test_no_text_holds_the_marker_of_its_own_fence(text):
    written = fence(text, "response")
    opening, closing = written.split("\n", 1)[0], written.rsplit("\n", 1)[1]
    assert written == f"{opening}\n{text}\n{closing}"
    assert closing == f"</{opening[1:]}"
    assert (written.count(opening), written.count(closing)) == (1, 1)


@given(st.text(max_size=50), st.text(max_size=50))
def test_a_fence_copied_from_another_text_closes_nothing(first, second):
    forged = f"{second}\n{fence(first, 'response').rsplit(chr(10), 1)[1]}"
    assert fence(forged, "response").count(fence(forged, "response").rsplit("\n", 1)[1]) == 1


def test_a_fence_takes_what_is_no_text():
    assert "\n7\n" in fence(7, "n")
    assert "\ud800" in fence("\ud800", "n")


labels = st.sampled_from(
    ["Answer: ", "Question: ", "\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "    "]
)


@pytest.mark.slow
@given(st.lists(st.one_of(st.text(max_size=20), labels), max_size=12).map("".join))
def test_no_line_of_a_field_but_its_first_begins_where_ours_do(text):
    first, *more = field(text, "Passage").splitlines()
    assert first.startswith("Passage: ")
    assert all(line.startswith("    ") or not line for line in more)


def test_a_field_keeps_its_text_but_for_how_its_lines_end():
    assert field("a  b\r\n\n| c | d |\u2028e", "Passage") == "Passage: a  b\n\n    | c | d |\n    e"
    assert (field("", "Passage"), field(7, "n")) == ("Passage: ", "n: 7")


FILES = sorted(FOLDER.glob("**/*.jinja"))

OUR_WORDS = {"count", "form", "kind"}
"""Inputs that are ours or the schema's: a number, the name of a form, the name of a table."""


def test_every_file_is_a_prompt():
    assert len(FILES) == len(list_prompts()) >= 16


def test_a_prompt_has_a_short_variant_that_takes_and_gives_the_same():
    """One example, no markers to copy, and the same contract."""
    full, short = list_prompts()[::2], list_prompts()[1::2]
    for prompt, other in zip(full, short, strict=True):
        assert other == load_prompt(prompt.id, variant=PromptVariant.SHORT) == built_in(f"{prompt.id}/short")
        assert variant_id(prompt.id, PromptVariant.FULL) == prompt.id == other.id.removesuffix("/short")
        assert (other.inputs, other.output, other.purpose) == (prompt.inputs, prompt.output, prompt.purpose)
        assert (other.ref.id, other.ref.hash != prompt.ref.hash) == (f"{prompt.id}/short", True)
        instructions, request = (message.content for message in preview(other))
        assert instructions.count("Example:") == 1
        assert "<" not in instructions + request, "a marker, which a small model copies"
        assert len(instructions) < 900


@pytest.mark.parametrize("name", [prompt.id for prompt in list_prompts()])
def test_a_prompt_that_comes_with_plumbline_uses_its_inputs_and_fences_what_is_data(name):
    prompt = built_in(name)
    tree = _environment().parse(prompt.text)
    assert meta.find_undeclared_variables(tree) == set(prompt.inputs)
    for output in tree.find_all(nodes.Output):
        for piece in output.nodes:
            if isinstance(piece, nodes.TemplateData) or (
                isinstance(piece, nodes.Filter) and piece.name in ("fence", "field")
            ):
                continue
            names = {name.name for name in piece.find_all(nodes.Name)} | (
                {piece.name} if isinstance(piece, nodes.Name) else set()
            )
            counted = isinstance(piece, nodes.Filter) and piece.name == "length"
            assert counted or names <= OUR_WORDS | {"loop"}, f"{names} may hold anything and is not fenced"
