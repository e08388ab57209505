"""Under what the answers of a trial are kept until it is done.

A trial with other kinds of fault, another share or another seed goes on with the answers of the working set-up.
"""

from __future__ import annotations

from core.domain.identity import content_hash
from core.domain.sources.projects import Source
from core.domain.testset.cases import TestSet
from core.faults.plan import TrialPlan
from core.runs.stages.kept_answers import KeptAnswers, system_of
from core.store.database import Store


def kept_of(store: Store, plan: TrialPlan, test_set: TestSet, source: Source) -> KeptAnswers:
    """The answers of a set-up; another test set, other documents, another system are another set-up."""
    system = system_of(store, test_set.project_id, plan.target, plan.options)
    return KeptAnswers(store, test_set.project_id, content_hash([test_set.content_hash, source.fingerprint, system]))
