"""Whether a judge's model is kin of the model it judges: models prefer their own output."""

from __future__ import annotations

import re
from typing import Final

_FAMILIES: Final = (
    ("GPT", r"gpt|chatgpt|davinci|o[134](?=$|-)"),
    ("Claude", r"claude"),
    ("Gemini", r"gemini|gemma|palm|bison"),
    ("Llama", r"llama|vicuna|alpaca"),
    ("Mistral", r"mistral|mixtral|ministral|magistral|codestral"),
    ("Qwen", r"qwen|qwq"),
    ("DeepSeek", r"deepseek"),
    ("Command", r"command|aya"),
    ("Phi", r"phi"),
    ("Grok", r"grok"),
    ("Nova", r"nova|titan"),
    ("Granite", r"granite"),
    ("GLM", r"glm|chatglm"),
    ("Kimi", r"kimi|moonshot"),
    ("Yi", r"yi"),
    ("Jamba", r"jamba"),
)
"""Family and how the names of its models begin; one model may be kin of two (a distilled one)."""

_MODEL_OF = frozenset({"llm", "openai"})
"""Kinds of judges and targets whose argument is ``MODEL@BASE_URL``."""


def model_of(spec: str) -> str:
    """The model a judge or a target asks; empty where it asks none, or nobody can tell.

    >>> model_of("llm:gpt-4o@https://api.example.com/v1"), model_of("http:target.yaml")
    ('gpt-4o', '')
    """
    kind, _, argument = spec.strip().partition(":")
    if kind not in _MODEL_OF:
        return ""
    model, at, _ = argument.rpartition("@")
    return (model if at else argument).strip()


def families_of(model: str) -> frozenset[str]:
    """The families a model's name tells; none for a name of somebody's own.

    >>> sorted(families_of("meta-llama/Llama-3.1-8B-Instruct")), sorted(families_of("DeepSeek-R1-Distill-Qwen-7B"))
    (['Llama'], ['DeepSeek', 'Qwen'])
    """
    name = model.casefold().rsplit("/", 1)[-1]
    return frozenset(family for family, begins in _FAMILIES if re.search(rf"(?:^|(?<=[-_.: ]))(?:{begins})", name))


def same_family(judge_spec: str, target_spec: str) -> str:
    """A warning where the judge's model is kin of the target's; empty where it is not, or nobody can tell.

    Args:
        judge_spec: Such as ``llm:MODEL@BASE_URL``.
        target_spec: Such as ``openai:MODEL@BASE_URL``; of a target that hides its model nothing is known.

    >>> same_family("llm:gpt-4o@https://a.example/v1", "openai:gpt-4o-mini@https://b.example/v1")
    'The judge (gpt-4o) and the target (gpt-4o-mini) are of one family, GPT: models prefer their own output.'
    >>> same_family("llm:claude-x@https://a.example/v1", "openai:gpt-4o@https://b.example/v1")
    ''
    """
    judge, target = model_of(judge_spec), model_of(target_spec)
    if not judge or not target:
        return ""
    if judge.casefold() == target.casefold():
        return f"The judge and the target are the same model, {judge}: models prefer their own output."
    shared = families_of(judge) & families_of(target)
    if not shared:
        return ""
    return (
        f"The judge ({judge}) and the target ({target}) are of one family, {' and '.join(sorted(shared))}: "
        "models prefer their own output."
    )
