"""Every prompt can be put to the real small model: its trials have inputs that the prompt is rendered with."""

import pytest

from bench.real_model.prompts import PROMPTS
from bench.real_model.trials import Bench
from core.domain.llm import PromptVariant
from core.llm import list_prompts, load_prompt


@pytest.fixture(scope="module")
def bench():
    return Bench(1)


def test_every_prompt_is_among_them():
    assert set(PROMPTS) == {prompt.id.removesuffix("/short") for prompt in list_prompts()}


@pytest.mark.parametrize("prompt_id", PROMPTS)
def test_a_prompt_has_a_trial_that_it_can_be_rendered_with(bench, prompt_id):
    [trial] = bench.trials(prompt_id)
    for variant in PromptVariant:
        assert load_prompt(prompt_id, variant=variant).render(**trial.inputs)
