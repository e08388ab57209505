"""A worker that commits each fact it has searched for: ``python -m tests.support.processes.eager_search job_1``."""

from __future__ import annotations

import sys

from core.diagnosis.service import evidence
from core.jobs import execute
from core.settings import settings
from core.store.database import Store

if __name__ == "__main__":
    evidence.COMMIT_S = 0.0
    with Store.open(settings().database_url) as store:
        execute(store, sys.argv[1])
