"""Three runs of the same cases: the triple, the partition, the paired differences, the open-domain filter."""

from itertools import product

import numpy as np
import pytest

from core.diagnosis import DiagnosisRow
from core.diagnosis.three_way import (
    MEANINGS,
    Combination,
    Mode,
    Part,
    combination_of,
    open_domain_filter,
    three_way,
)
from core.domain.results.responses import Verdict

RIGHT, WRONG, NONE = Verdict.CORRECT, Verdict.INCORRECT, Verdict.NOT_JUDGED
MARKS = {"1": RIGHT, "0": WRONG, "-": NONE}


def rows(marks: str, *, wordings: int = 1, form: str = "short") -> list[DiagnosisRow]:
    """One row a mark (1 right, 0 wrong, - not judged), so many to a group."""
    return [
        DiagnosisRow(case_id=f"{form}{place}", group_id=f"g{place // wordings}", form=form, verdict=MARKS[mark])
        for place, mark in enumerate(marks)
    ]


def test_each_triple_has_its_name_and_its_part():
    expected = {
        "011": Part.FINE,
        "111": Part.KNOWN,
        "010": Part.RETRIEVAL,
        "110": Part.RETRIEVAL,
        "000": Part.READING,
        "100": Part.READING,
        "001": Part.LUCKY,
        "101": Part.LUCKY,
    }
    for triple in product("10-", repeat=3):
        found = combination_of(*(MARKS[mark] for mark in triple))
        assert found.part is expected.get("".join(triple), Part.NOT_JUDGED)
    assert set(MEANINGS) == set(Combination)


def test_the_parts_and_the_combinations_sum_to_every_case():
    #                    F K R S R' L N N
    found = three_way(rows("0101001-1"), rows("111100010"), rows("11000010-"))
    assert [str(case.combination) for case in found.cases] == [
        "wrong-right-right",
        "right-right-right",
        "wrong-right-wrong",
        "right-right-wrong",
        "wrong-wrong-wrong",
        "wrong-wrong-wrong",
        "right-wrong-right",
        "not-judged",
        "not-judged",
    ]
    assert sum(found.combinations.values()) == sum(share.num for share in found.parts.values()) == 9
    assert all(share.den == 9 for share in found.parts.values())
    assert found.judged == 7
    assert found.missing == {Mode.CLOSED_BOOK: 1, Mode.ORACLE: 0, Mode.RETRIEVAL: 1}
    assert found.parts[Part.READING].num == 2
    # Over the seven judged: closed book 3, oracle 4, live 3.
    assert [found.accuracy[mode].num for mode in Mode] == [3, 4, 3]
    assert found.reading_costs.num == 3


def test_a_case_that_a_run_lacks_is_not_judged():
    found = three_way(rows("00"), rows("1"), rows("11"))
    assert found.parts[Part.NOT_JUDGED].num == 1
    assert found.missing[Mode.ORACLE] == 1


def test_the_difference_is_that_of_the_accuracies_whatever_the_sizes_of_groups():
    generator = np.random.default_rng(3)
    groups = generator.integers(0, 20, size=90)
    given = [
        [
            DiagnosisRow(
                case_id=f"c{place}", group_id=f"g{group}", verdict=RIGHT if generator.random() < share else WRONG
            )
            for place, group in enumerate(groups)
        ]
        for share in (0.1, 0.9, 0.5)
    ]
    found = three_way(*given)
    oracle, live, closed = (found.accuracy[mode] for mode in (Mode.ORACLE, Mode.RETRIEVAL, Mode.CLOSED_BOOK))
    cost = found.retrieval_costs
    assert cost.value.value == pytest.approx(oracle.value - live.value)
    assert found.documents_give.value.value == pytest.approx(live.value - closed.value)
    assert cost.value.low < cost.value.value < cost.value.high
    assert cost.value.low > 0
    assert cost.p_value < 0.01
    assert cost.groups == len(set(groups))
    assert cost.value.n == 90
    again = three_way(*given)
    assert again.retrieval_costs == cost


def test_equal_runs_have_a_difference_of_zero_with_an_interval_around_it():
    found = three_way(rows("0" * 8), rows("11110000"), rows("11110000"))
    assert found.retrieval_costs.value.value == 0
    assert found.retrieval_costs.value.low < 0 < found.retrieval_costs.value.high
    assert found.retrieval_costs.p_value == 1


def test_with_few_groups_there_is_a_difference_and_no_interval():
    found = three_way(rows("0000"), rows("1110"), rows("1000"))
    assert found.retrieval_costs.value.value == 0.5
    assert found.retrieval_costs.value.low is None
    assert found.retrieval_costs.p_value is None
    assert "fewer than 6 groups" in found.retrieval_costs.value.method


def test_without_a_judged_case_nothing_is_divided():
    found = three_way(rows("--"), rows("11"), rows("11"))
    assert found.judged == 0
    assert found.accuracy[Mode.ORACLE].value is None
    assert found.retrieval_costs.value.value is None
    empty = three_way([], [], [])
    assert empty.parts[Part.FINE].value is None


def test_the_open_domain_filter_by_hand():
    # Six groups of two wordings; live answers groups 0, 1, 2; the model alone answers groups 0, 1 and 5.
    live = rows("100111000000", wordings=2)
    closed = rows("100100000010", wordings=2)
    found = open_domain_filter(closed, live)
    assert found.groups == {"g0", "g1", "g5"}
    assert found.of == 6
    assert (found.every.num, found.every.den) == (3, 6)
    # Left are groups 2, 3, 4, of which live answers one.
    assert (found.closed.num, found.closed.den) == (1, 3)
    assert found.by_form == {}


def test_the_filter_of_two_forms_leaves_out_a_group_that_either_form_answers():
    live = rows("11", form="short") + rows("01", form="long")
    closed = rows("00", form="short") + rows("10", form="long")
    found = open_domain_filter(closed, live)
    assert found.groups == {"g0"}
    every, outside = found.by_form["short"]
    assert (every.num, every.den, outside.num, outside.den) == (2, 2, 1, 1)


def test_it_is_plain_json():
    document = three_way(rows("0101001"), rows("1111000"), rows("1100001")).as_json()
    assert document["n"] == 7
    assert document["retrieval_db"]["den"] == 7
