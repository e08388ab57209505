"""The answers of asking that is not done, kept so that the same work goes on where it was stopped or killed.

An answer depends on the question, the system and the documents that it searches, so it is kept under these. The answers
are forgotten once the work is done: what comes of it is kept by whoever asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from core.domain.identity import content_hash
from core.domain.results.responses import Response
from core.domain.sources.documents import Corpus
from core.runs.target import TARGET_OPTIONS
from core.store.database import Store
from core.store.models import prompt_versions
from core.store.results import trial_answers


@dataclass(frozen=True, slots=True)
class KeptAnswers:
    """The answers of one set-up in a store.

    Attributes:
        store: Where they are.
        project_id: The project.
        set_up: What they depend on besides the question and the copy.
    """

    store: Store
    project_id: str
    set_up: str

    def count(self) -> int:
        """How many there are."""
        with self.store.read() as connection:
            return trial_answers.count(connection, self.project_id, self.set_up)

    def on(self, copy: str) -> dict[str, Response]:
        """Those on one copy, by case."""
        with self.store.read() as connection:
            return trial_answers.of_copy(connection, self.project_id, self.set_up, copy)

    def beside(self, copy: str) -> dict[str, Mapping[str, Any]]:
        """What was kept with those on one copy, by case."""
        with self.store.read() as connection:
            return trial_answers.beside(connection, self.project_id, self.set_up, copy)

    def put(
        self, copy: str, responses: Sequence[Response], beside: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        """Keeps answers on a copy; a question that the target failed at is asked again.

        Args:
            copy: Of the documents.
            responses: What the target gave.
            beside: What else is kept, plain JSON by case.
        """
        answered = [response for response in responses if response.answer is not None]
        if answered:
            with self.store.pulse(self.project_id) as connection:
                trial_answers.put(connection, self.project_id, self.set_up, copy, answered, beside)

    def forget(self) -> None:
        """Forgets them all, so that the next work asks every question."""
        with self.store.pulse(self.project_id) as connection:
            self.drop(connection)

    def drop(self, connection: Connection) -> None:
        """Forgets them all in a write of the caller's."""
        trial_answers.drop(connection, self.project_id, self.set_up)


def system_of(store: Store, project_id: str, target: str, options: Mapping[str, object]) -> list[object]:
    """What the answers of a target depend on besides questions and documents.

    Args:
        store: Where the project's prompts are.
        project_id: The project.
        target: Its spec; where that names a file, the file's content counts.
        options: Of the run.
    """
    with store.read() as connection:
        prompts = [
            [version.prompt_id, version.hash]
            for version in prompt_versions.all(connection, project_id)
            if version.in_use
        ]
    chosen = {name: options[name] for name in (*TARGET_OPTIONS, "prompts") if name in options}
    return [target, _file_hash(target), chosen, options.get("encoder", ""), sorted(prompts)]


def copy_name(documents: Corpus, of: Corpus) -> str:
    """What tells a copy of documents from the documents: a hash of the differences, empty where there is none."""
    before: Mapping[str, object] = {document.id: document for document in of.documents}
    other = [[page.id, page.title, page.text] for page in documents.documents if before.get(page.id) != page]
    gone = sorted(before.keys() - {page.id for page in documents.documents})
    return content_hash([gone, other]) if gone or other else ""


def _file_hash(target: str) -> str:
    """The hash of the file that a target reads, where its spec names one: what was recorded or set there may change."""
    path = Path(target.partition(":")[2].strip()).expanduser()
    try:
        return sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    except OSError:
        return ""
