"""Readable names of topics by a language model; each is recorded as an edit, so that a replay asks no model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from core.domain.errors import BudgetSpent, CallFailed
from core.domain.llm import Message
from core.domain.sources.topics import OUTLIER, EditKind, Topic, TopicEdit
from core.llm import ChatModel, Prompt
from core.testset.grounded.llm.proposals import in_order
from core.testset.topics.edits import LONGEST_NAME

PROMPT = "topic_names"
PURPOSE = "topic_names"
LONGEST_PASSAGE = 800
MOST_OTHERS = 60


class TopicName(BaseModel):
    """The model's reply."""

    name: str = Field(description="Two to five words.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """The result of naming.

    Attributes:
        edits: A renaming for each topic that got a name.
        failures: Why a topic has none, by its number.
    """

    edits: tuple[TopicEdit, ...]
    failures: Mapping[int, str]


def name_topics(
    chat: ChatModel,
    prompt: Prompt,
    topics: Sequence[Topic],
    texts: Mapping[str, str],
    *,
    actor: str,
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Naming:
    """Asks for a name of each topic that a person has not named; one call a topic, and one repair at most.

    Args:
        chat: The model.
        prompt: `PROMPT`, as the project has it.
        topics: All of them; the outliers, dropped topics and those named by a person are skipped.
        texts: Of the chunks that are examples, by id.
        actor: Who requested the names.
        progress: Called with how many are done.
        should_stop: Called before each.

    Raises:
        Stopped: A stop was requested; replies so far are in the ledger.
        BudgetSpent: Nothing more may be sent.
    """
    unnamed = nameless(topics)

    def ask_name(topic: Topic) -> str | CallFailed:
        messages = asked_about(prompt, topic, topics, texts)
        try:
            reply, _ = chat.ask_for(
                TopicName, messages, purpose=PURPOSE, case_id=f"topic {topic.number}", prompt=prompt.ref
            )
        except BudgetSpent:
            raise
        except CallFailed as error:
            return error
        return " ".join(reply.name.split()).strip("\"'.“”«» ")

    replies = in_order(
        unnamed,
        ask_name,
        concurrency=chat.concurrency,
        stage="Naming topics",
        progress=progress,
        should_stop=should_stop,
    )
    edits, failures = [], {}
    for topic, name in zip(unnamed, replies, strict=True):
        if isinstance(name, CallFailed):
            failures[topic.number] = name.message
        elif not 0 < len(name) <= LONGEST_NAME:
            failures[topic.number] = f"The model gave a name of {len(name)} characters."
        else:
            edits.append(
                TopicEdit(kind=EditKind.RENAME, topic=topic.number, name=name, actor=actor, named_by=chat.model)
            )
    return Naming(edits=tuple(edits), failures=failures)


def nameless(topics: Sequence[Topic]) -> list[Topic]:
    """The topics that a model would name: neither outliers nor dropped, and without a name."""
    return [topic for topic in topics if topic.number != OUTLIER and not topic.dropped and not topic.name]


def asked_about(prompt: Prompt, topic: Topic, topics: Sequence[Topic], texts: Mapping[str, str]) -> tuple[Message, ...]:
    """The request about a topic: its words, some of its passages, the words of the others."""
    others = [_words(other) for other in topics if other.number not in (OUTLIER, topic.number)]
    passages = [texts[chunk][:LONGEST_PASSAGE] for chunk in topic.examples if chunk in texts]
    return prompt.render(words=_words(topic), passages="\n\n".join(passages), others="\n".join(others[:MOST_OTHERS]))


def _words(topic: Topic) -> str:
    return ", ".join(term.text for term in topic.terms)
