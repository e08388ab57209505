"""A project with documents about cards and branches, and topics that a person would find in them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.domain.estimates import Estimate
from core.domain.sources.topics import Topic, TopicChunk, TopicModel, TopicQuality, TopicSettings
from core.sources.corpora import corpus_chunks
from core.stats.intervals import wilson
from core.store.database import Store
from core.store.testset import question_drafts, topics
from core.testset.topics.finding import fingerprint
from tests.support.small_bank import ACTOR

CARDS = ("Juniper", "Saffron", "Obsidian", "Pewter", "Caraway", "Basalt")
BRANCHES = ("Kestrel Rise", "Marram Point", "Lantern Square", "Fulling Mill")


MANAGERS = ("Finch", "Moss", "Reed", "Sand")


@dataclass
class Library:
    """The store and its project."""

    store: Store
    project_id: str

    def drafts(self, **wanted):
        with self.store.read() as connection:
            return question_drafts.drafts(connection, self.project_id, **wanted)

    def batches(self):
        with self.store.read() as connection:
            return question_drafts.batches(connection, self.project_id)

    def put_topics(self, number_of, model_id="tm_1"):
        """Stores topics: what `number_of` says of each chunk."""
        source, chunks = corpus_chunks(self.store, self.project_id, actor=ACTOR)
        numbers = {chunk.id: number_of(chunk) for chunk in chunks}
        one = Estimate(value=1.0, low=1.0, high=1.0, n=1, method="given")
        share = wilson(0, len(chunks))
        model = TopicModel(
            id=model_id,
            project_id=self.project_id,
            source_id=source.id,
            settings=TopicSettings(),
            fingerprint=fingerprint(chunks),
            content_hash="h",
            chunks=len(chunks),
            quality=TopicQuality(coherence=one, silhouette=one, outliers=share, largest=share, stability=one),
        )
        found = [
            Topic(number=number, size=list(numbers.values()).count(number), name=f"Topic {'AB'[number]}")
            for number in sorted(set(numbers.values()))
            if number >= 0
        ]
        rows = [
            TopicChunk(chunk_id=chunk.id, found=numbers[chunk.id], topic=numbers[chunk.id], strength=1.0, x=0.0, y=0.0)
            for chunk in chunks
        ]
        with self.store.write(ACTOR, "test.topics", project_id=self.project_id) as connection:
            topics.put(connection, model, found, rows)
        return model


def write_documents(folder: Path) -> Path:
    """Ten short documents: six cards and four branches."""
    folder.mkdir()
    for place, name in enumerate(CARDS):
        (folder / f"{name.lower()}.md").write_text(
            f"# {name} card\n\nThe annual fee of the {name} card is £{20 + 7 * place}.\n\n"
            f"The {name} card was launched in March {1991 + place}.\n\n"
            f"| Item | Value |\n|---|---|\n| Limit for one payment | £{100 + 50 * place} |\n",
            encoding="utf-8",
        )
    for place, name in enumerate(BRANCHES):
        (folder / f"{name.lower().replace(' ', '-')}.md").write_text(
            f"# {name} branch\n\nThe manager of the {name} branch is Ada {MANAGERS[place]}.\n\n"
            f"The {name} branch was opened in May {2001 + place}.\n",
            encoding="utf-8",
        )
    return folder
