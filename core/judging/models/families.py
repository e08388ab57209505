"""Whether a judge's model is of one family with the model it judges: models prefer their own output."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
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
"""Family and how the names of its models begin; a distilled model may belong to two families."""

_MODEL_OF = frozenset({"llm", "openai", "grouse"})
"""Kinds of judges and targets whose argument is ``MODEL@BASE_URL``."""


def model_of(spec: str) -> str:
    """The model that a judge or a target calls; empty where it calls none or its spec does not name one.

    >>> model_of("llm:gpt-4o@https://api.example.com/v1"), model_of("http:target.yaml")
    ('gpt-4o', '')
    """
    kind, _, argument = spec.strip().partition(":")
    if kind not in _MODEL_OF:
        return ""
    model, at, _ = argument.rpartition("@")
    return (model if at else argument).strip()


def families_of(model: str) -> frozenset[str]:
    """The families that a model's name indicates; none for a custom name.

    >>> sorted(families_of("meta-llama/Llama-3.1-8B-Instruct")), sorted(families_of("DeepSeek-R1-Distill-Qwen-7B"))
    (['Llama'], ['DeepSeek', 'Qwen'])
    """
    name = model.casefold().rsplit("/", 1)[-1]
    return frozenset(family for family, begins in _FAMILIES if re.search(rf"(?:^|(?<=[-_.: ]))(?:{begins})", name))


def same_family(judge_spec: str, target_spec: str) -> str:
    """A warning where the judge's model and the target's are of one family; empty where they are not, or are unknown.

    Args:
        judge_spec: Such as ``llm:MODEL@BASE_URL``.
        target_spec: Such as ``openai:MODEL@BASE_URL``; a target that hides its model gives no warning.

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


def family_warnings(judges: Sequence[str], others: Mapping[str, str]) -> tuple[str, ...]:
    """Warnings where a judge is of one family with what it judges, or two judges are of one.

    Args:
        judges: Their specs.
        others: What else a model did, by what it is called ("target", "writer of the questions"): its spec.

    >>> family_warnings(["llm:gpt-4o@http://a/v1", "llm:gpt-4.1@http://a/v1"], {"target": "openai:aya@http://b/v1"})
    ('The judges gpt-4o and gpt-4.1 are of one family, GPT: they are wrong together more often than two families are.',)
    >>> family_warnings(["grouse:command-a@https://a/v1"], {"target": "openai:command-r@https://b/v1"})
    ('The judge (command-a) and the target (command-r) are of one family, Command: models prefer their own output.',)
    """
    found = [
        sentence.replace("the target", f"the {name}")
        for judge in judges
        for name, spec in others.items()
        if (sentence := same_family(judge, spec))
    ]
    models = [model for judge in judges if (model := model_of(judge))]
    for first, second in combinations(models, 2):
        if shared := families_of(first) & families_of(second):
            found.append(
                f"The judges {first} and {second} are of one family, {' and '.join(sorted(shared))}: they are wrong "
                "together more often than two families are."
            )
    return tuple(dict.fromkeys(found))
