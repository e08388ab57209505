"""The table answerable x answered: GroUSE's four situations, shares with intervals, what is in no cell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import InvalidInput
from core.metrics import Sample
from core.metrics.samples.answerability import Answering, Cell, answering, behaviour, cell_of
from core.stats import clustered_proportion, wilson

YES, NO = "The fee is 5 euros.", "I could not find this in the documents."


def sample(answer, answerable, number=0, **fields):
    return Sample(case_id=f"c{number}", question="What is the fee?", answer=answer, answerable=answerable, **fields)


def table(samples, clusters=None):
    return behaviour(samples, clusters or [str(place) for place in range(len(samples))])


@pytest.mark.parametrize(
    ("answer", "answerable", "cell"),
    [
        (YES, True, "answered_answerable"),
        (NO, True, "declined_answerable"),
        (YES, False, "answered_unanswerable"),
        (NO, False, "declined_unanswerable"),
        ("  ", True, "declined_answerable"),
        (YES, None, None),
        (None, True, None),
    ],
)
def test_the_cell_of_a_sample(answer, answerable, cell):
    found = cell_of(sample(answer, answerable))
    assert (found.value if found else None) == cell


def test_positive_acceptance_and_negative_rejection():
    # GroUSE: answered and answerable gives positive acceptance 1, declined and answerable 0; declined and not
    # answerable gives negative rejection 1, answered and not answerable 0. Here 3 of 4 and 1 of 2.
    samples = [sample(answer, True) for answer in (YES, YES, YES, NO)] + [sample(YES, False), sample(NO, False)]
    found = table(samples)
    accepted, rejected = found.answered_answerable, found.declined_unanswerable
    assert (accepted.num, accepted.den, rejected.num, rejected.den) == (3, 4, 1, 2)
    assert (found.declined_answerable.num, found.answered_unanswerable.num) == (1, 1)
    assert (found.answerable, found.unanswerable, found.total) == (4, 2, 6)
    assert (accepted.low, accepted.high) == (wilson(3, 4).low, wilson(3, 4).high)


def test_intervals_count_clusters():
    samples = [sample(YES, True) for _ in range(6)] + [sample(NO, True) for _ in range(6)]
    clusters = ["a"] * 6 + ["b"] * 6
    found = table(samples, clusters).answered_answerable
    assert found == clustered_proportion([True] * 6 + [False] * 6, [0] * 6 + [1] * 6)
    assert found.clusters == 2
    assert found.low < table(samples).answered_answerable.low


def test_failed_and_unknown_are_counted_apart():
    found = table([sample(YES, True), sample(None, True), sample(None, None), sample(YES, None), sample(NO, None)])
    assert (found.failed, found.unknown.num, found.unknown.den) == (2, 1, 2)
    assert (found.answerable, found.total) == (1, 5)


def test_an_answer_that_declines_a_part_counts_as_answered_and_is_counted():
    part = "The fee of the Gold account is 5 euros. The fee of the other account is not stated in the documents."
    found = table([sample(part, True), sample(YES, True), sample(NO, True), sample(part, False)])
    assert (found.answered_answerable.num, found.answered_unanswerable.num, found.partly) == (2, 1, 2)
    assert table([sample(part, True, abstained=True)]).partly == 0


def test_a_row_without_cases_is_no_number():
    found = table([sample(YES, True)])
    assert found.declined_unanswerable.value is None
    assert found.declined_unanswerable.low is None
    empty = table([])
    assert empty.total == 0
    assert empty.answered_answerable.value is None


def test_the_word_of_the_target_decides_and_its_agreement_with_the_rules_is_counted():
    samples = [
        sample(YES, True, abstained=False),
        sample(NO, True, abstained=True),
        sample(NO, True, abstained=False),
        sample(YES, True),
    ]
    found = table(samples)
    assert found.answered_answerable.num == 3
    assert (found.agreement.num, found.agreement.den) == (2, 3)


def test_an_empty_answer_does_not_answer_whatever_the_target_says():
    assert answering(sample(" ", True, abstained=False)).answers is False
    assert answering(sample(None, True, abstained=True)) is None


def test_every_sample_needs_a_cluster():
    for clusters in ([], ["a", "b"]):
        with pytest.raises(InvalidInput, match="1 samples come with"):
            behaviour([sample(YES, True)], clusters)


def test_samples_are_read_once():
    found = behaviour((sample(YES, True, number) for number in range(3)), ["a", "b", "c"])
    assert found.answerable == 3


def test_the_command_lines_form_holds_every_cell():
    shown = table([sample(YES, True), sample(NO, False), sample(None, None)]).as_json()
    assert set(shown) == {"total", "unknown", "failed", "partly", "agreement", *(cell.value for cell in Cell)}
    assert shown["answered_answerable"]["num"] == shown["declined_unanswerable"]["num"] == shown["failed"] == 1
    assert shown["declined_answerable"]["value"] == 0.0


CASES = st.lists(
    st.tuples(st.sampled_from([YES, NO, "", None]), st.sampled_from([True, False, None]), st.sampled_from("abc")),
    max_size=25,
)


@pytest.mark.slow
@given(CASES, st.randoms())
def test_every_sample_is_in_one_place_and_their_order_does_not_matter(cases, random):
    def counted(cases):
        found = behaviour([sample(answer, can) for answer, can, _ in cases], [group for _, _, group in cases])
        assert found.total == len(cases)
        assert sum(found.share(cell).num for cell in Cell) == found.answerable + found.unanswerable
        for first, second in (
            (found.answered_answerable, found.declined_answerable),
            (found.declined_unanswerable, found.answered_unanswerable),
        ):
            assert first.num + second.num == first.den == second.den
            if first.den:
                assert 0.0 <= first.low <= first.value <= first.high <= 1.0
                assert first.low == pytest.approx(1.0 - second.high)
        return found

    shuffled = list(cases)
    random.shuffle(shuffled)
    assert counted(cases) == counted(shuffled)


def test_what_is_known_of_an_answer_is_not_read_again():
    samples = [sample(YES, True), sample(NO, True, 1), sample(YES, False, 2)]
    known = {"c0": Answering(answers=False), "c2": Answering(answers=True, partly=True, agrees=False)}
    found = behaviour(samples, ["a", "b", "c"], known)
    assert (found.declined_answerable.num, found.answered_unanswerable.num, found.partly) == (2, 1, 1)
    assert (found.agreement.num, found.agreement.den) == (0, 1)
    assert cell_of(samples[0], known) is Cell.DECLINED_ANSWERABLE
