"""The MTRAG human evaluation: how well faithfulness and its peers go with what people said."""

import numpy as np
import pytest
from scipy import stats

from bench.mtrag import PEERS, SHIPPED, correlation, difference, held_out

pytestmark = pytest.mark.slow


@pytest.fixture
def scored(mtrag_scored):
    return mtrag_scored


def test_the_rows(scored):
    assert len(scored.rows) == 318
    assert len(set(scored.tasks.tolist())) == 159
    assert int(scored.with_contexts.sum()) == 300
    assert 1.0 <= scored.human("faithfulness").min() <= scored.human("faithfulness").max() <= 4.0


@pytest.mark.parametrize(
    ("name", "expected"), [("Bert-KPrec", 0.654), ("rl_f", 0.635), ("RougeL", 0.505), ("rb_llm", 0.289)]
)
def test_the_shipped_scores_are_where_the_data_set_says(scored, name, expected):
    found = correlation(scored, name, "faithfulness")
    assert found.value == pytest.approx(expected, abs=0.0006)
    assert found.value == pytest.approx(stats.spearmanr(scored.of(name), scored.human("faithfulness")).statistic)


@pytest.mark.parametrize(
    ("name", "all_rows", "with_contexts"),
    [
        ("fitted", 0.753, 0.746),
        ("faithfulness", 0.769, 0.758),
        ("lexical_precision", 0.712, 0.711),
        ("groundedness", 0.659, 0.649),
    ],
)
def test_our_figures(scored, name, all_rows, with_contexts):
    assert correlation(scored, name, "faithfulness").value == pytest.approx(all_rows, abs=0.01)
    assert correlation(scored, name, "faithfulness", contexts_only=True).value == pytest.approx(with_contexts, abs=0.01)


@pytest.mark.parametrize("name", ["fitted", "faithfulness"])
@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("contexts_only", [False, True])
def test_faithfulness_beats_its_peers(scored, name, peer, contexts_only):
    """The whole interval of the paired difference lies above 0, tasks drawn."""
    assert difference(scored, name, peer, contexts_only=contexts_only).low > 0.02


def test_it_beats_bert_kprec_when_conversations_are_drawn(scored):
    """Tasks of one conversation share documents; there are only 20 of them."""
    conversations = scored.by(lambda row: row.conversation)
    assert difference(scored, "fitted", "Bert-KPrec", clusters=conversations).low > 0.02


def test_it_holds_in_collections_and_systems_it_was_not_fitted_on(scored):
    for groups in (scored.by(lambda row: row.collection), scored.by(lambda row: row.system)):
        for one in held_out(scored, groups):
            assert one.fitted > one.peer + 0.03, one
            assert one.fixed > one.peer + 0.03, one


def test_the_fit_is_out_of_fold_and_no_weight_is_negative(scored):
    assert all(weight >= 0.0 for weight in scored.fitted.weights)
    inside = scored.fitted.predict(scored.parts)
    assert not np.allclose(inside, scored.fitted.out_of_fold)


def test_answers_without_contexts_follow_the_rules(scored):
    alone = ~scored.with_contexts
    assert set(scored.values["faithfulness"][alone].tolist()) == {0.0, 0.5}
    assert set(scored.values["groundedness"][alone].tolist()) == {0.0}
    assert set(np.round(scored.of(SHIPPED[0])[alone], 6).tolist()) == {0.0}
