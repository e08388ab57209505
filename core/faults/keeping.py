"""The answers of a trial that is not done, kept so that the same trial goes on where it was stopped.

An answer depends on the question, the system and the documents that it searches. So it is kept under these, and a trial
with other kinds of fault, another share or another seed goes on with the answers of the working set-up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from core.domain.identity import content_hash
from core.domain.results.responses import Response
from core.domain.sources.documents import Corpus
from core.domain.sources.projects import Source
from core.domain.testset.cases import TestSet
from core.faults.plan import TrialPlan
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

    @classmethod
    def of(cls, store: Store, plan: TrialPlan, test_set: TestSet, source: Source) -> KeptAnswers:
        """The answers of a set-up; another test set, other documents, another system are another set-up."""
        project_id = test_set.project_id
        with store.read() as connection:
            prompts = [
                [version.prompt_id, version.hash]
                for version in prompt_versions.all(connection, project_id)
                if version.in_use
            ]
        options = {name: plan.options[name] for name in (*TARGET_OPTIONS, "prompts") if name in plan.options}
        target = [plan.target, _file_hash(plan.target), options, plan.options.get("encoder", ""), sorted(prompts)]
        return cls(store, project_id, content_hash([test_set.content_hash, source.fingerprint, target]))

    def count(self) -> int:
        """How many there are."""
        with self.store.read() as connection:
            return trial_answers.count(connection, self.project_id, self.set_up)

    def on(self, copy: str) -> dict[str, Response]:
        """Those on one copy, by case."""
        with self.store.read() as connection:
            return trial_answers.of_copy(connection, self.project_id, self.set_up, copy)

    def put(self, copy: str, responses: Sequence[Response]) -> None:
        """Keeps answers on a copy; a question that the target failed at is asked again."""
        answered = [response for response in responses if response.answer is not None]
        if answered:
            with self.store.pulse(self.project_id) as connection:
                trial_answers.put(connection, self.project_id, self.set_up, copy, answered)

    def forget(self) -> None:
        """Forgets them all, so that the next trial asks every question."""
        with self.store.pulse(self.project_id) as connection:
            trial_answers.drop(connection, self.project_id, self.set_up)


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
