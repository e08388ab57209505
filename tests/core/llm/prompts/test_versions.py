"""Editing a prompt: what is kept, what is used, and what is refused."""

import pytest

from core.domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from core.llm import list_prompts, load_prompt, open_chat
from core.llm.prompts import versions
from core.llm.prompts.catalogue import built_in
from core.project.service import create_project
from core.store.database import Store
from core.store.models import calls
from tests.support.servers.llm_server import LlmServer
from tests.support.stores import blank_url

PROMPT = "reference_verdict"


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


@pytest.fixture
def project(store):
    return create_project(store, "Bank", "anna")


def edited(by="You examine answers with great care."):
    return versions.wording(built_in(PROMPT).text).replace("You examine the answers of", f"{by} You examine those of")


@pytest.mark.parametrize("prompt", list_prompts(), ids=lambda prompt: prompt.id)
def test_every_built_in_prompt_passes_its_own_check_and_can_be_shown(prompt):
    body = versions.wording(prompt.text)
    assert "purpose:" not in body
    assert versions.check(prompt.id, versions.compose(prompt.id, body)).inputs == prompt.inputs
    assert {message.role for message in versions.preview(prompt)} == {"system", "user"}


def test_an_edit_is_a_new_version_and_in_use(store, project):
    saved = versions.save(store, project.id, PROMPT, edited(), actor="anna", note="Stricter")
    used = load_prompt(PROMPT, store=store, project_id=project.id)
    assert (saved.version, saved.note, saved.created_by, saved.in_use) == ("1.1", "Stricter", "anna", True)
    assert (used.version, used.ref.hash) == ("1.1", saved.hash)
    assert "great care" in used.render(question="q", references=["r"], response="a")[0].content
    # Another project and the files know nothing of it.
    other = create_project(store, "Other", "anna")
    assert load_prompt(PROMPT, store=store, project_id=other.id).version == "1"
    assert built_in(PROMPT).version == "1"


def test_a_call_says_which_version_made_it(store, project):
    versions.save(store, project.id, PROMPT, edited(), actor="anna")
    prompt = load_prompt(PROMPT, store=store, project_id=project.id)
    with LlmServer() as server:
        chat = open_chat(store, project.id, server.spec())
        reply = chat.ask(
            prompt.render(question="q", references=["r"], response="a"), purpose="judge", prompt=prompt.ref
        )
    with store.read() as connection:
        call = calls.get(connection, reply.call_id)
    assert (call.prompt_id, call.prompt_version, call.prompt_hash) == (PROMPT, "1.1", prompt.ref.hash)


@pytest.mark.slow
def test_old_versions_stay_and_the_built_in_one_comes_back(store, project):
    for number in range(10):
        versions.save(store, project.id, PROMPT, edited(f"Edit {number}."), actor="anna", use=number < 9)
    (found,) = [item for item in versions.of_project(store, project.id) if item.built_in.id == PROMPT]
    # The tenth is 1.10, not 1.1 once more.
    assert [made.version for made in found.versions] == [f"1.{number}" for number in range(1, 11)]
    assert found.chosen is not None
    assert found.chosen.version == "1.9"
    versions.choose(store, project.id, PROMPT, "1.10", actor="anna")
    assert load_prompt(PROMPT, store=store, project_id=project.id).version == "1.10"
    versions.choose(store, project.id, PROMPT, "", actor="anna")
    assert load_prompt(PROMPT, store=store, project_id=project.id) == built_in(PROMPT)
    with store.read() as connection:
        assert versions.in_use(connection, project.id, PROMPT) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda body: body.replace("{% endblock %}", "", 1), "not a Jinja template|empty"),
        (lambda body: body.replace("{% block system %}", "{% block intro %}"), "blocks"),
        (lambda body: body.split("{% endblock %}", 1)[1], "no block system"),
        (lambda body: body.replace("{{ question |", "{{ query |"), "uses query"),
        (lambda body: body.replace('{{ question | fence("question") }}', ""), "does not use question"),
        (
            lambda body: body.replace('{{ response | fence("response") }}', "{{ response }}"),
            "no longer fences response",
        ),
        (lambda body: body.replace("{{ question |", "{{ question.__class__.__mro__ |"), "cannot be filled"),
        (lambda body: body.replace('fence("question")', 'fonce("question")'), "cannot be read: No filter named .fonce"),
        (lambda body: body.replace("You examine", "{{ cycler }} You examine", 1), "uses cycler, which is not"),
        (lambda body: body.replace("You examine", "{{ lipsum(n=9) }} You", 1), "uses lipsum"),
        (lambda body: body, "wording of version built-in"),
        (lambda body: "x" * 60_000, "60,"),
    ],
)
def test_a_wording_that_would_not_work_is_refused_and_not_kept(store, project, change, said):
    body = change(versions.wording(built_in(PROMPT).text))
    with pytest.raises(InvalidInput, match=said):
        versions.save(store, project.id, PROMPT, body, actor="anna")
    assert all(not item.versions for item in versions.of_project(store, project.id))


def test_the_header_is_not_a_matter_of_wording(store, project):
    text = built_in(PROMPT).text.replace("response: what the system under test answered", "response: anything")
    with pytest.raises(InvalidInput, match="changes inputs in the header"):
        versions.check(PROMPT, text)


def test_the_same_edit_twice_is_one_version(store, project):
    versions.save(store, project.id, PROMPT, edited(), actor="anna")
    with pytest.raises(InvalidInput, match=r"version 1\.1"):
        versions.save(store, project.id, PROMPT, edited() + "\n\n", actor="anna")


def test_who_and_what_is_checked(store, project):
    with pytest.raises(Forbidden):
        versions.save(store, project.id, PROMPT, edited(), actor="bob")
    with pytest.raises(NotFound, match="no prompt nothing"):
        versions.save(store, project.id, "nothing", edited(), actor="anna")
    with pytest.raises(NotFound, match="no version 7"):
        versions.choose(store, project.id, PROMPT, "7", actor="anna")
    with pytest.raises(InvalidInput, match="note"):
        versions.save(store, project.id, PROMPT, edited(), actor="anna", note="x" * 1_001)


def test_a_version_that_cannot_be_chosen_leaves_the_one_in_use(store, project):
    versions.save(store, project.id, PROMPT, edited(), actor="anna")
    with pytest.raises(NotFound):
        versions.choose(store, project.id, PROMPT, "9", actor="anna")
    assert load_prompt(PROMPT, store=store, project_id=project.id).version == "1.1"


def test_a_version_number_is_taken_once(store, project):
    saved = versions.save(store, project.id, PROMPT, edited(), actor="anna")
    with pytest.raises(Conflict), store.write("anna", "test.again") as connection:
        versions.prompt_versions.add(connection, saved)


def test_a_difference_is_shown_by_line():
    shown = versions.difference("one\ntwo\nthree", "one\n2\nthree")
    assert shown.splitlines()[:2] == ["--- built-in", "+++ yours"]
    assert {"-two", "+2"} <= set(shown.splitlines())
    assert versions.difference("same", "same") == ""
