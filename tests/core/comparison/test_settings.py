"""What two runs have in common: what is refused, what is told, which runs are repeats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.comparison.settings import differing, refuse, repeats, why_no_noise
from core.domain.errors import InvalidInput
from core.domain.results.runs import Run, RunState
from core.domain.testset.cases import TestSet

SETS = {
    "t1": TestSet(id="t1", project_id="p", name="Facts", content_hash="a" * 64, frozen_at="2026"),
    "t2": TestSet(id="t2", project_id="p", name="Facts", version=2, content_hash="b" * 64, frozen_at="2026"),
    "t3": TestSet(id="t3", project_id="q", name="Facts", content_hash="a" * 64, frozen_at="2026"),
}


def run(run_id, **fields):
    values = {"project_id": "p", "test_set_id": "t1", "target": "bm25", "state": RunState.FINISHED} | fields
    return Run(id=run_id, **values)


A = run("a")


@pytest.mark.parametrize(
    ("other", "names", "refused"),
    [
        (run("b"), [], False),
        (run("b", target="dense"), ["system"], False),
        (run("b", options={"k": 3, "ledger": "x"}), ["option k"], False),
        (run("b", judge="llm:m@http://a/v1"), ["judge"], True),
        (run("b", test_set_id="t2", seed=4), ["test set", "seed"], True),
        (run("b", options={"match_tolerance": 0.1}), ["option match_tolerance"], True),
        (run("b", test_set_id="t3", project_id="q"), [], False),
    ],
    ids=["same", "system", "option", "judge", "test set", "judge's option", "same set in another store"],
)
def test_what_differs_is_named_and_what_decides_is_refused(other, names, refused):
    settings = differing(A, other, SETS)
    assert [setting.name for setting in settings] == names
    if refused:
        with pytest.raises(InvalidInput, match="differ in more than the system"):
            refuse(A, other, settings, accept=False)
    refuse(A, other, settings, accept=True)


@pytest.mark.parametrize(
    ("other", "message"), [(A, "Both runs are a"), (run("b", state=RunState.RUNNING), "b is not finished")]
)
def test_what_cannot_be_compared_at_all(other, message):
    with pytest.raises(InvalidInput, match=message):
        refuse(A, other, (), accept=True)


@pytest.mark.parametrize("target", ["recorded:answers.jsonl", "openai:m@http://a/v1"])
def test_answers_that_are_given_once_are_no_repeats(target):
    first = run("a", target=target)
    assert repeats(first, [first, run("again", target=target)]) == []
    assert why_no_noise(first)
    assert not why_no_noise(run("b"))


def test_repeats_have_everything_in_common():
    others = [
        A,
        run("again", options={"ledger": "elsewhere"}),
        run("other system", target="dense"),
        run("other option", options={"k": 3}),
        run("unfinished", state=RunState.RUNNING),
        replace(A, id="with another seed", seed=9),
    ]
    assert [one.id for one in repeats(A, others)] == ["again", "with another seed"]


def test_lists_are_told_in_words_and_long_ones_are_not_cut_within_one():
    names = [f"score_number_{number}" for number in range(40)]
    first, second = run("a", options={"metrics": ["token_f1", "hit"]}), run("b", options={"metrics": names})
    (one,) = differing(first, second, SETS)
    assert one.before == "token_f1, hit"
    assert one.after.endswith(", ...")
    assert all(word in names for word in one.after.removesuffix(", ...").split(", "))
    # Lists that differ behind what is told differ all the same.
    (one,) = differing(second, run("c", options={"metrics": [*names, "hit"]}), SETS)
    assert one.after == f"{one.before} (differs further on)"


def test_secrets_are_not_told_and_that_they_differ_is():
    at = "openai:m@https://ann:{}@llm.bank.example/v1?api_key={}"
    first = run("a", target=at.format("pw-1", "key-1"), judge=at.format("pw-1", "key-1"), options={"api_key": "key-1"})
    second = run("b", target=at.format("pw-2", "key-2"), judge="match", options={"api_key": "key-2"})
    found = {one.name: one for one in differing(first, second, SETS)}
    assert found.keys() == {"judge", "option api_key", "system"}
    told = " ".join(f"{one.before} {one.after}" for one in found.values())
    assert not [secret for secret in ("pw-", "key-", "ann") if secret in told]
    assert found["system"].after == "openai:m@https://llm.bank.example/v1 (differs in what is not shown)"
    with pytest.raises(InvalidInput, match="judge") as refused:
        refuse(first, second, tuple(found.values()), accept=False)
    assert "pw-1" not in str(refused.value)


def test_a_system_is_told_by_its_address_and_never_by_a_path():
    folder = "http:/srv/data/projects/prj_1/targets"
    first = run("a", target="bm25", options={"k": 3})
    second = run("b", target=f"{folder}/localhost_8699-b5bc257272a87ad9.yaml")
    assert [(one.name, one.before, one.after) for one in differing(first, second, SETS)] == [
        ("option k", "3", "not set"),
        ("system", "bm25", "localhost:8699"),
    ]
    (one,) = differing(second, run("c", target=f"{folder}/localhost_8699-0123456789abcdef.yaml"), SETS)
    assert one.after == "localhost:8699 (differs in what is not shown)"
