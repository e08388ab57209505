"""Kinship of models by their names."""

import pytest

from core.judging.models.families import families_of, model_of, same_family

URL = "@https://models.example.com/v1"


@pytest.mark.parametrize(
    ("judge", "target", "kin"),
    [
        ("gpt-4o", "gpt-3.5-turbo", "GPT"),
        ("openai/o3-mini", "gpt-4o", "GPT"),
        ("meta-llama/Llama-3.1-70B", "llama3.2:3b", "Llama"),
        ("mixtral-8x7b", "mistral-small", "Mistral"),
        ("anthropic.claude-3-haiku", "claude-sonnet", "Claude"),
        ("deepseek-r1-distill-llama-8b", "llama3", "Llama"),
        ("our-model", "our-model", "the same model"),
        ("gpt-4o", "claude-3", ""),
        ("our-model", "their-model", ""),
        ("graphite", "phi-3", ""),
    ],
)
def test_kinship(judge, target, kin):
    warned = same_family(f"llm:{judge}{URL}", f"openai:{target}{URL}")
    assert kin in warned
    assert bool(warned) == bool(kin)


@pytest.mark.parametrize("target", ["keyword", "recorded:answers.csv", "http:target.yaml", "python:mod:fn", ""])
def test_nothing_is_said_of_a_target_that_hides_its_model(target):
    assert model_of(target) == ""
    assert same_family(f"llm:gpt-4o{URL}", target) == ""


def test_a_model_may_have_an_at_sign_and_no_address():
    assert model_of(f"llm:a@b{URL}") == "a@b"
    assert model_of("openai:gpt-4o") == "gpt-4o"
    assert families_of("") == frozenset()
