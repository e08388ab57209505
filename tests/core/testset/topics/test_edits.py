import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import InvalidInput, NotFound
from core.domain.sources.topics import OUTLIER, EditKind, TopicEdit
from core.testset.topics.edits import TopicState, replay

FOUND = {"a": 0, "b": 0, "c": 0, "d": 1, "e": 1, "f": 2, "g": OUTLIER}


def edit(kind, topic, **rest):
    return TopicEdit(kind=kind, topic=topic, actor="ann", **rest)


def after(*edits):
    return replay(TopicState.from_clustering(FOUND), edits)


def test_merging_moves_the_chunks_and_forgets_the_name():
    state = after(edit(EditKind.RENAME, 1, name="Loans"), edit(EditKind.MERGE, 0, others=(1, 2)))

    assert state.topics == {0}
    assert state.topic_of["d"] == state.topic_of["f"] == 0
    assert state.names == {}


def test_splitting_gives_numbers_nobody_had():
    state = after(
        edit(EditKind.MERGE, 0, others=(2,)),
        edit(EditKind.SPLIT, 0, parts=(("b",), ("c", "f"))),
    )

    assert [state.topic_of[chunk] for chunk in "abcf"] == [0, 3, 4, 4]
    assert state.following == 5


def test_a_name_is_one_line_and_says_who_gave_it():
    state = after(
        edit(EditKind.RENAME, 0, name="  Cards \n and limits "),
        edit(EditKind.RENAME, 1, name="Loans", named_by="model"),
    )

    assert state.names == {0: ("Cards and limits", "ann"), 1: ("Loans", "model")}
    assert replay(state, [edit(EditKind.RENAME, 0, name="")]).names == {1: ("Loans", "model")}


def test_dropped_topics_can_be_restored():
    state = after(edit(EditKind.DROP, 1))

    assert state.dropped == {1}
    assert replay(state, [edit(EditKind.RESTORE, 1)]).dropped == frozenset()


def test_outliers_can_be_assigned_and_chunks_made_outliers():
    state = after(edit(EditKind.ASSIGN, 2, chunk_ids=("g",)), edit(EditKind.ASSIGN, OUTLIER, chunk_ids=("d", "e")))

    assert state.topic_of["g"] == 2
    assert state.topics == {0, 2}


@pytest.mark.parametrize(
    ("wrong", "error", "said"),
    [
        (edit(EditKind.RENAME, 9, name="x"), NotFound, "no topic 9"),
        (edit(EditKind.RENAME, 0, name="x" * 121), InvalidInput, "121 characters"),
        (edit(EditKind.MERGE, 0, others=(0,)), InvalidInput, "with itself"),
        (edit(EditKind.MERGE, 0), InvalidInput, "with itself"),
        (edit(EditKind.MERGE, OUTLIER, others=(0,)), NotFound, "no topic -1"),
        (edit(EditKind.SPLIT, 0, parts=(("a", "b", "c"),)), InvalidInput, "would not be split"),
        (edit(EditKind.SPLIT, 0, parts=(("a",), ())), InvalidInput, "would not be split"),
        (edit(EditKind.SPLIT, 0, parts=(("a",), ("a",))), InvalidInput, "in two parts"),
        (edit(EditKind.SPLIT, 0, parts=(("d",),)), NotFound, "d is not in topic 0"),
        (edit(EditKind.RESTORE, 0), InvalidInput, "not dropped"),
        (edit(EditKind.ASSIGN, 0, chunk_ids=("z",)), NotFound, "no chunk z"),
        (edit(EditKind.ASSIGN, 0), InvalidInput, "No chunk"),
        (edit(EditKind.ASSIGN, 9, chunk_ids=("a",)), NotFound, "no topic 9"),
    ],
)
def test_an_edit_that_makes_no_sense_is_refused(wrong, error, said):
    with pytest.raises(error, match=said):
        after(wrong)


CHUNKS = st.lists(st.sampled_from(sorted(FOUND)), min_size=1, max_size=3, unique=True).map(tuple)
EDITS = st.lists(
    st.one_of(
        st.builds(edit, st.just(EditKind.RENAME), st.integers(0, 4), name=st.sampled_from(["", "A", "B"])),
        st.builds(
            edit,
            st.just(EditKind.MERGE),
            st.integers(0, 4),
            others=st.lists(st.integers(0, 4), min_size=1, max_size=2).map(tuple),
        ),
        st.builds(edit, st.just(EditKind.SPLIT), st.integers(0, 4), parts=st.lists(CHUNKS, max_size=2).map(tuple)),
        st.builds(edit, st.sampled_from([EditKind.DROP, EditKind.RESTORE]), st.integers(0, 4)),
        st.builds(edit, st.just(EditKind.ASSIGN), st.integers(-1, 4), chunk_ids=CHUNKS),
    ),
    max_size=12,
)


def possible(state, edits):
    """Those of the edits that can be made, in their order."""
    made = []
    for one in edits:
        try:
            state = replay(state, [one])
        except (InvalidInput, NotFound):
            continue
        made.append(one)
    return made


@pytest.mark.slow
@given(EDITS)
def test_no_edit_loses_or_doubles_a_chunk(edits):
    start = TopicState.from_clustering(FOUND)
    state = replay(start, possible(start, edits))

    assert set(state.topic_of) == set(FOUND)
    assert state.dropped <= state.topics
    assert set(state.names) <= state.topics
    assert all(number < state.following for number in state.topics)


@pytest.mark.slow
@given(EDITS, st.integers(0, 12))
def test_edits_replay_in_pieces_as_in_one(edits, cut):
    start = TopicState.from_clustering(FOUND)
    made = possible(start, edits)

    assert replay(replay(start, made[:cut]), made[cut:]) == replay(start, made)
