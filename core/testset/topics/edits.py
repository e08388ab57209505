"""Edits of topics by people: each edit is recorded, and all of them are replayed on the clustering.

An edit names chunks where it needs them, so that a replay is a walk over records: no clustering, no model, no seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from core.domain.errors import InvalidInput, NotFound
from core.domain.sources.topics import OUTLIER, EditKind, TopicEdit
from core.text.display.visible import require_visible

LONGEST_NAME = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicState:
    """Topics after some edits.

    Attributes:
        topic_of: Topic of each chunk, -1 for none.
        names: Name and its author, of each topic that has a name.
        dropped: Topics that were dropped.
        following: The number the next new topic gets.
    """

    topic_of: Mapping[str, int]
    names: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    dropped: frozenset[int] = frozenset()
    following: int = 0

    @classmethod
    def from_clustering(cls, topic_of: Mapping[str, int]) -> TopicState:
        """Topics as the clustering gave them."""
        return cls(topic_of=dict(topic_of), following=max(topic_of.values(), default=OUTLIER) + 1)

    @property
    def topics(self) -> frozenset[int]:
        """The numbers of the topics that have chunks, without the outliers."""
        return frozenset(self.topic_of.values()) - {OUTLIER}


def replay(state: TopicState, edits: Iterable[TopicEdit]) -> TopicState:
    """The topics after edits, one after the other.

    Raises:
        NotFound: An edit names a topic or a chunk that does not exist.
        InvalidInput: An edit is not possible, such as merging a topic into itself.
    """
    for edit in edits:
        state = _STEPS[edit.kind](state, edit)
    return state


def _rename(state: TopicState, edit: TopicEdit) -> TopicState:
    _require_topics(state, edit.topic)
    name = " ".join(edit.name.split())
    if len(name) > LONGEST_NAME:
        raise InvalidInput(f"The name {name[:30]!r}... has {len(name)} characters.", f"Use at most {LONGEST_NAME}.")
    require_visible(name, "a topic")
    others = {number: topic_name for number, topic_name in state.names.items() if number != edit.topic}
    return replace(state, names=others | ({edit.topic: (name, edit.named_by or edit.actor)} if name else {}))


def _merge(state: TopicState, edit: TopicEdit) -> TopicState:
    _require_topics(state, edit.topic, *edit.others)
    merged = frozenset(edit.others)
    if not merged or edit.topic in merged:
        raise InvalidInput(f"Topic {edit.topic} cannot be merged with itself.", "Name two topics or more.")
    return replace(
        state,
        topic_of={chunk: edit.topic if topic in merged else topic for chunk, topic in state.topic_of.items()},
        names={number: name for number, name in state.names.items() if number not in merged},
        dropped=state.dropped - merged,
    )


def _split(state: TopicState, edit: TopicEdit) -> TopicState:
    _require_topics(state, edit.topic)
    moved: dict[str, int] = {}
    for number, part in enumerate(edit.parts):
        for chunk in part:
            _in_topic(state, chunk, edit.topic)
            if chunk in moved:
                raise InvalidInput(f"Chunk {chunk} is in two parts.", "Put each chunk into one part.")
            moved[chunk] = state.following + number
    size = sum(topic == edit.topic for topic in state.topic_of.values())
    if not edit.parts or not all(edit.parts) or len(moved) == size:
        raise InvalidInput(
            f"Topic {edit.topic} would not be split: each part needs a chunk, and one must stay.",
            "Name the chunks of each new topic.",
        )
    return replace(state, topic_of={**state.topic_of, **moved}, following=state.following + len(edit.parts))


def _drop(state: TopicState, edit: TopicEdit) -> TopicState:
    _require_topics(state, edit.topic)
    return replace(state, dropped=state.dropped | {edit.topic})


def _restore(state: TopicState, edit: TopicEdit) -> TopicState:
    if edit.topic not in state.dropped:
        raise InvalidInput(f"Topic {edit.topic} is not dropped.", "Only a dropped topic can be restored.")
    return replace(state, dropped=state.dropped - {edit.topic})


def _assign(state: TopicState, edit: TopicEdit) -> TopicState:
    if edit.topic != OUTLIER:
        _require_topics(state, edit.topic)
    if not edit.chunk_ids:
        raise InvalidInput("No chunk is named.", "Name the chunks to assign.")
    for chunk in edit.chunk_ids:
        if chunk not in state.topic_of:
            raise NotFound(f"There is no chunk {chunk} in these topics.", "List them with topics show.")
    topic_of = {**state.topic_of, **dict.fromkeys(edit.chunk_ids, edit.topic)}
    remaining = frozenset(topic_of.values())
    return replace(
        state,
        topic_of=topic_of,
        names={number: name for number, name in state.names.items() if number in remaining},
        dropped=state.dropped & remaining,
    )


def _require_topics(state: TopicState, *numbers: int) -> None:
    numbers_present = state.topics
    for number in numbers:
        if number not in numbers_present:
            raise NotFound(
                f"There is no topic {number}.",
                f"The topics are {', '.join(map(str, sorted(numbers_present))) or '(none)'}.",
            )


def _in_topic(state: TopicState, chunk: str, topic: int) -> None:
    if state.topic_of.get(chunk) != topic:
        raise NotFound(f"Chunk {chunk} is not in topic {topic}.", "Name chunks of the topic that is split.")


_STEPS = {
    EditKind.RENAME: _rename,
    EditKind.MERGE: _merge,
    EditKind.SPLIT: _split,
    EditKind.DROP: _drop,
    EditKind.RESTORE: _restore,
    EditKind.ASSIGN: _assign,
}
