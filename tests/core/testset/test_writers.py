"""Which models wrote a project's questions, by the calls in the ledger."""

from core.domain.llm import Message
from core.judging.models.families import family_warnings
from core.llm import open_chat
from core.project.service import create_project
from core.testset.writers import question_writers
from tests.support.servers.llm_server import LlmServer


def test_only_a_call_that_words_a_question_makes_a_writer(store):
    project = create_project(store, "Bank", "local")
    assert question_writers(store, project.id) == {}
    with LlmServer() as server:
        for model, purpose in (("gpt-4o", "generate_text"), ("aya", "judge"), ("qwen-2", "document_questions")):
            open_chat(store, project.id, f"{model}@{server.base_url}").ask([Message("user", "hello")], purpose=purpose)
        assert question_writers(store, project.id) == {
            "writer of the questions": f"openai:gpt-4o@{server.base_url}",
            "writer of the questions, no. 2": f"openai:qwen-2@{server.base_url}",
        }
    warnings = family_warnings(["llm:gpt-4.1@http://judge/v1"], question_writers(store, project.id))
    assert warnings == (
        "The judge (gpt-4.1) and the writer of the questions (gpt-4o) are of one family, GPT: models prefer their own "
        "output.",
    )
