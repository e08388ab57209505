"""Which variant of the prompts is sent: what somebody chose, by a run, a command and the estimate alike."""

import json
from dataclasses import replace

import pytest

from core.cli import main
from core.domain.errors import InvalidInput
from core.domain.llm import PromptVariant
from core.domain.model_profiles import Capabilities, Profile
from core.llm import load_prompt, open_chat
from core.llm.addresses import split_spec
from core.llm.profiles.forms import SYSTEM
from core.llm.variants import asked_variant, variant_of
from core.store.database import Store
from core.store.models import profiles
from tests.support.bank_cases import bank_cases, write_case_file
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import write_documents
from tests.support.stores import blank_url

SHORT = PromptVariant.SHORT


def test_what_somebody_chose_counts_before_what_suits_the_model(tmp_path):
    with pytest.raises(InvalidInput, match="kind 'long'"):
        asked_variant("long")
    with Store.open(blank_url(tmp_path)) as store, LlmServer(lambda body: "x") as server:
        assert (
            variant_of(store, "", server.spec(), SHORT)
            is SHORT
            is open_chat(store, "", server.spec(), prompts=SHORT).prompts
        )
        assert open_chat(store, "", server.spec()).prompts is PromptVariant.FULL


@pytest.mark.slow
def test_a_run_asks_target_and_judge_with_the_variant_chosen(tmp_path, monkeypatch, capsys):
    """The same command with the full prompts is another run: nothing of the ledger serves it."""
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    case = bank_cases()[0]
    write_case_file(tmp_path / "cases.jsonl", [case])
    write_documents(tmp_path / "documents")
    short = [load_prompt(name, variant=SHORT) for name in ("answer_from_contexts", "reference_verdict")]
    full = [load_prompt(prompt.id.removesuffix("/short")) for prompt in short]

    def model(body):
        judged = "verdict" in json.dumps(body)
        return {"reason": "Same.", "verdict": "Correct"} if judged else case.reference_answers[0]

    with LlmServer(model) as server:
        for kind, prompts in (("short", short), ("full", full), ("auto", full)):
            before = len(server.bodies)
            spec = server.spec("m")
            command = ["evaluate", "--testset", "cases.jsonl", "--target", f"openai:{spec}", "--judge", f"llm:{spec}"]
            monkeypatch.setattr(
                "sys.argv",
                [
                    "plumbline",
                    *command,
                    "--corpus",
                    "documents",
                    "--out",
                    kind,
                    "--prompts",
                    kind,
                    "--ledger",
                    f"{kind}.db",
                ],
            )
            with pytest.raises(SystemExit) as ended:
                main()
            assert ended.value.code == 0, capsys.readouterr().err
            sent = [body["messages"][0]["content"] for body in server.bodies[before:]]
            sent = [text for text in sent if text != SYSTEM.content]  # how the model can be held to a form
            systems = [
                prompt.text.split("{% block system %}")[1].split("{% endblock %}")[0].strip() for prompt in prompts
            ]
            assert [text.startswith(system) for text, system in zip(sent, systems, strict=True)] == [True, True]


def test_what_was_found_of_a_model_counts_where_nobody_chose(tmp_path):
    with Store.open(blank_url(tmp_path)) as store, LlmServer(lambda body: "x") as server:
        spec = server.spec("weak")
        found = Capabilities(prompts=SHORT)
        model, base_url = split_spec(spec)
        profile = Profile(id=profiles.id_of("", base_url, model, ""), project_id="", base_url=base_url, model=model)
        with store.pulse("") as connection:
            profiles.put(connection, replace(profile, found=found))
        assert variant_of(store, "", spec) is SHORT is open_chat(store, "", spec).prompts
        assert open_chat(store, "", spec, prompts=PromptVariant.FULL).prompts is PromptVariant.FULL
