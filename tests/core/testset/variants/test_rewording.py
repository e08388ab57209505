"""Questions reworded by a model over HTTP: it never sees a value, and what it loses is no wording."""

import json

import pytest

from core.domain.testset.cases import TestCase
from core.llm import load_prompt, open_chat
from core.project.service import create_project
from core.testset.variants.rewording import PROMPT, masked, rewording
from tests.support.servers.llm_server import LlmServer

CASE = TestCase(
    case_id="c",
    question="What is the fee of the card 'Gold' in 2023?",
    sql_params={"card": "Gold"},
)


@pytest.fixture
def reworded(store):
    project = create_project(store, "Cards", "ada")

    def reworded(reply):
        bodies = []

        def answer(body):
            bodies.append(json.dumps(body))
            return json.dumps({"question": reply})

        with LlmServer(answer) as server:
            chat = open_chat(store, project.id, server.spec("m"))
            return rewording(chat, load_prompt(PROMPT, variant=chat.prompts))(CASE), bodies

    return reworded


def test_values_are_masked():
    assert masked(CASE) == ("What is the fee of the card [A] in [B]?", {"[A]": "'Gold'", "[B]": "2023"})


def test_the_model_sees_no_value_and_they_come_back(reworded):
    question, bodies = reworded("How much does the card [A] cost in [B]?")
    assert question == "How much does the card 'Gold' cost in 2023?"
    assert bodies
    assert not any("Gold" in body or "2023" in body for body in bodies)


@pytest.mark.parametrize("reply", ["How much does the card cost?", "[A] [A] [B]?", "", "x" * 2_000])
def test_a_reply_that_loses_a_value_is_no_wording(reworded, reply):
    assert reworded(reply)[0] is None
