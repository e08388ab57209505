"""Retrieval metrics by document and by chunk: golden numbers, ir-measures, properties."""

from math import log2

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, RR, P, R, SetF, SetP, SetR, Success, nDCG

from core.domain.results.responses import Context
from core.domain.status import Status
from core.metrics import Models, Sample, find_metric, score_samples

NAMES = ("precision", "recall", "f1", "hit", "mrr", "ndcg", "map", "map_retrieved")
GOLD = ("2022 Q3 AAPL", "2023 Q1 AAPL", "2023 Q2 AAPL", "2023 Q3 AAPL")
RETRIEVED = ("2022 Q3 AAPL", "2023 Q1 MSFT", "2023 Q1 AAPL")


def scored(name, retrieved, gold):
    sample = Sample(
        case_id="c",
        contexts=None if retrieved is None else tuple(Context(document_id=one, chunk_id=one) for one in retrieved),
        gold_document_ids=gold,
        gold_chunk_ids=gold,
    )
    ((found,),) = list(score_samples([sample], [find_metric(name)], Models()))
    return found


def value(name, retrieved, gold):
    return scored(name, retrieved, gold).value


@pytest.mark.parametrize("prefix", ["", "chunk_"])
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # Cohere's example: hits at ranks 1 and 3, three retrieved, four relevant.
        ("precision", 2 / 3),
        ("recall", 2 / 4),
        ("f1", 2 * (2 / 3) * (1 / 2) / (2 / 3 + 1 / 2)),  # 4/7
        ("hit", 1),
        ("mrr", 1 / 1),
        ("map_retrieved", (1 / 1 + 2 / 3) / 2),  # 0.83
        ("map", (1 / 1 + 2 / 3) / 4),  # 5/12
        # 1/log2(2) + 1/log2(4) = 1.5 over 1 + 0.63093 + 0.5 + 0.43068 = 2.56161
        ("ndcg", 1.5 / (1 + 1 / log2(3) + 1 / 2 + 1 / log2(5))),
        # Of the first two, only rank 1 is a hit.
        ("precision@2", 1 / 2),
        ("recall@2", 1 / 4),
        ("f1@2", 2 * 1 / (2 + 4)),
        ("map@2", 1 / 4),
        ("map_retrieved@2", 1 / 1),
        ("ndcg@2", 1 / (1 + 1 / log2(3))),
        # Three were retrieved: at 10 the share is of three, and the best order has all four relevant ones.
        ("precision@10", 2 / 3),
        ("ndcg@10", 1.5 / (1 + 1 / log2(3) + 1 / 2 + 1 / log2(5))),
        # Only three were retrieved but the cut-off leaves room for four in the best order.
        ("ndcg@4", 1.5 / (1 + 1 / log2(3) + 1 / 2 + 1 / log2(5))),
    ],
)
def test_the_notebooks_example(prefix, name, expected):
    assert value(prefix + name, RETRIEVED, GOLD) == pytest.approx(expected, abs=1e-12)


def test_the_notebooks_example_as_it_is_printed():
    assert [round(value(name, RETRIEVED, GOLD), 2) for name in ("precision", "recall", "map_retrieved")] == [
        0.67,
        0.5,
        0.83,
    ]


def test_a_late_first_hit():
    # The only hit is at rank 2 of 4 and both gold documents count.
    expected = {"precision": 1 / 4, "recall": 1 / 2, "f1": 2 / 6, "hit": 1, "mrr": 1 / 2, "map": (1 / 2) / 2}
    assert {name: value(name, ("x", "a", "y", "z"), ("a", "b")) for name in expected} == pytest.approx(expected)
    assert value("hit@1", ("x", "a"), ("a",)) == value("mrr@1", ("x", "a"), ("a",)) == 0


def test_what_was_missed_is_told():
    found = scored("recall", RETRIEVED, GOLD)
    assert found.detail == {
        "hits": [1, 3],
        "relevant": 4,
        "retrieved": 3,
        "missed": ["2023 Q2 AAPL", "2023 Q3 AAPL"],
    }
    assert scored("recall@1", RETRIEVED, GOLD).detail == {
        "hits": [1],
        "relevant": 4,
        "retrieved": 1,
        "missed": ["2023 Q2 AAPL", "2023 Q3 AAPL", "2023 Q1 AAPL"],
    }
    many = scored("recall", ("x",), tuple(str(number) for number in range(50)))
    assert len(many.detail["missed"]) == 20


@pytest.mark.parametrize("prefix", ["", "chunk_"])
def test_nothing_retrieved(prefix):
    found = {name: scored(prefix + name, (), GOLD) for name in NAMES}
    assert {name: one.value for name, one in found.items()} == {
        **dict.fromkeys(NAMES, 0.0),
        "precision": None,
    }
    assert found["precision"].status is Status.NOT_APPLICABLE
    assert ("document" if not prefix else "chunk") in found["precision"].detail["reason"]
    assert all(one.detail["rule"] == "nothing retrieved" for one in found.values())


@pytest.mark.parametrize("name", [*NAMES, *(f"chunk_{name}@3" for name in NAMES)])
def test_without_gold_or_without_knowledge_there_is_no_value(name):
    assert scored(name, RETRIEVED, None).status is Status.NOT_APPLICABLE
    assert scored(name, RETRIEVED, ()).status is Status.NOT_APPLICABLE
    assert scored(name, None, GOLD).status is Status.MISSING_INPUT
    assert scored(name, ("", ""), GOLD).status is Status.MISSING_INPUT


@pytest.mark.parametrize("name", NAMES)
def test_repeated_ids_count_once(name):
    once = value(name, ("a", "x", "b"), ("a", "b", "c"))
    assert value(name, ("a", "a", "x", "a", "b", "x"), ("a", "b", "c", "b")) == once
    assert value(f"{name}@3", ("a", "a", "a", "x", "b"), ("a", "b", "c")) == once


@pytest.mark.parametrize("name", NAMES)
def test_spellings_of_one_id_are_one_id(name):
    assert value(name, ("1.0", "People:2.0", "1"), ("1", "people:2")) == 1
    assert value(name, ("Bücher/Größe.md", "日本"), ("日本", "Bücher/Größe.md")) == 1


def test_a_document_keyed_without_its_table_is_found_and_a_chunk_is_not():
    assert value("recall", ("7",), ("client:7",)) == 1
    assert value("chunk_recall", ("7",), ("client:7",)) == 0
    # The full id goes before the bare key, with or without a cut-off.
    assert scored("mrr", ("7", "client:7"), ("client:7",)).detail["hits"] == [2]
    assert value("hit@1", ("7", "client:7"), ("client:7",)) == 0
    # A bare gold id names no document of a table: company:7 would be as good.
    assert value("recall", ("client:7",), ("7",)) == 0


ids = st.lists(st.integers(0, 30).map(str), max_size=25)
some = st.lists(st.integers(0, 30).map(str), min_size=1, max_size=25)
cuts = st.one_of(st.none(), st.integers(1, 30))


def named(name, k):
    return name if k is None else f"{name}@{k}"


@pytest.mark.parametrize("seed", range(40))
def test_ir_measures_agrees(seed):
    import random

    chance = random.Random(seed)
    pool = [f"d{number}" for number in range(30)]
    retrieved = chance.sample(pool, chance.randint(1, 25))
    gold = chance.sample(pool, chance.randint(1, 12))
    k = chance.choice([1, 2, 3, 5, 10, 20, 30])
    qrels = [ir_measures.Qrel("q", one, 1) for one in gold]
    run = [ir_measures.ScoredDoc("q", one, -rank) for rank, one in enumerate(retrieved)]
    theirs = {
        "precision": SetP,
        "recall": SetR,
        "f1": SetF,
        "mrr": RR,
        "ndcg": nDCG,
        "map": AP,
        f"recall@{k}": R @ k,
        f"hit@{k}": Success @ k,
        f"mrr@{k}": RR @ k,
        f"ndcg@{k}": nDCG @ k,
        f"map@{k}": AP @ k,
    }
    found = ir_measures.calc_aggregate([*theirs.values(), P @ k], qrels, run)
    ours = {name: value(name, retrieved, gold) for name in theirs}
    assert ours == pytest.approx({name: found[measure] for name, measure in theirs.items()}, abs=1e-9)
    # Theirs divides by k even where fewer were retrieved.
    assert value(f"precision@{k}", retrieved, gold) * min(k, len(retrieved)) / k == pytest.approx(found[P @ k])


@pytest.mark.slow
@given(retrieved=ids, gold=some, k=cuts)
def test_every_value_lies_between_0_and_1_and_the_order_of_gold_does_not_matter(retrieved, gold, k):
    for name in NAMES:
        found = value(named(name, k), retrieved, gold)
        assert found is None or 0 <= found <= 1
        assert found == value(named(name, k), retrieved, gold[::-1])


@pytest.mark.slow
@given(gold=some)
def test_all_and_only_the_relevant_ones_is_perfect_and_none_is_worst(gold):
    assert {value(name, gold, gold) for name in NAMES} == {1.0}
    assert {value(name, ["x", "y"], gold) for name in NAMES} == {0.0}


@pytest.mark.slow
@given(retrieved=ids.filter(bool), gold=some)
def test_what_is_added_at_the_end(retrieved, gold):
    before = {name: value(name, retrieved, gold) for name in NAMES}
    worse = {name: value(name, [*retrieved, "irrelevant"], gold) for name in NAMES}
    assert all(worse[name] == before[name] for name in ("recall", "hit", "mrr", "ndcg", "map", "map_retrieved"))
    assert worse["precision"] <= before["precision"]
    assert worse["f1"] <= before["f1"]
    better = {name: value(name, [*retrieved, "more"], [*gold, "more"]) for name in NAMES}
    without = {name: value(name, retrieved, [*gold, "more"]) for name in NAMES}
    assert all(better[name] >= without[name] - 1e-12 for name in NAMES if name != "map_retrieved")


@pytest.mark.slow
@given(retrieved=st.lists(st.integers(0, 30).map(str), min_size=2, max_size=25, unique=True), gold=some, data=st.data())
def test_a_hit_that_moves_up_never_costs_anything(retrieved, gold, data):
    place = data.draw(st.integers(1, len(retrieved) - 1))
    if retrieved[place] not in gold or retrieved[place - 1] in gold:
        return
    moved = [*retrieved]
    moved[place - 1], moved[place] = moved[place], moved[place - 1]
    k = data.draw(cuts)
    for name in NAMES:
        if k is not None and name == "map_retrieved":
            continue  # A late hit that enters the cut-off lowers the mean of the precisions of the hits there.
        assert value(named(name, k), moved, gold) >= value(named(name, k), retrieved, gold) - 1e-12


@pytest.mark.slow
@given(retrieved=ids, gold=some, k=st.integers(1, 29))
def test_a_wider_cut_never_finds_less(retrieved, gold, k):
    for name in ("recall", "hit", "mrr", "map"):
        assert value(f"{name}@{k + 1}", retrieved, gold) >= value(f"{name}@{k}", retrieved, gold)


@pytest.mark.parametrize(
    ("retrieved", "gold", "recall", "missed"),
    [
        # one retrieved "7" is one document, so it is one of the two
        (("7",), ("client:7", "account:7"), 1 / 2, ["account:7"]),
        (("7", "9"), ("account:7", "client:7", "client:9"), 2 / 3, ["client:7"]),
        (("7", "account:7"), ("client:7", "account:7"), 2 / 2, []),
        (("7", "client:7"), ("client:7", "account:7"), 2 / 2, []),
        # the id that is retrieved as it is goes first
        (("7",), ("client:7", "7"), 1 / 2, ["client:7"]),
        # two spellings of one id are one document
        (("7",), ("client:7", "Client:7.0"), 1 / 1, []),
    ],
)
def test_a_bare_key_stands_for_one_gold_document_only(retrieved, gold, recall, missed):
    found = scored("recall", retrieved, gold)
    assert found.value == pytest.approx(recall)
    assert found.detail["missed"] == missed
