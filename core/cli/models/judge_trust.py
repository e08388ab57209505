"""Whether the judges of a run are trusted, as commands say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.settings import settings

if TYPE_CHECKING:
    from core.cli.models.endpoints import Access
    from core.domain.results.runs import Run
    from core.judges.unit_tests.gate import Trust
    from core.store.database import Store

NO_JUDGE = "No model judges."


def trusts_of(store: Store, run: Run) -> dict[str, Trust]:
    """By metric, whether its judge is trusted.

    A run in a folder has no judge tests of its own: those of the project count whose endpoint it was started with.

    Args:
        store: Where the run is.
        run: The run.
    """
    from core.cli.models.ledgers import PROJECT
    from core.judges.unit_tests.gate import run_trusts
    from core.store.database import Store

    project_id = str(run.options.get(PROJECT, "") or "")
    if not project_id:
        return run_trusts(store, run)
    with Store.open(settings().database_url) as own:
        return run_trusts(store, run, tested_in=(own, project_id))


def judge_document(store: Store, run: Run) -> dict[str, object]:
    """The run's own judge: its spec, whether it is trusted, and why; and the other judges of its scores by metric."""
    from core.domain.results.runs import VERDICT_METRIC

    trusts = trusts_of(store, run)
    own = trusts.pop(VERDICT_METRIC, None)
    others = {metric: trust.as_json() for metric, trust in trusts.items() if trust.trusted is not None}
    judge = own.as_json() if own else {"spec": run.judge, "trusted": None, "reason": NO_JUDGE, "test_run": ""}
    return {"judge": judge, **({"judges": others} if others else {})}


def score_document(store: Store, run: Run, metrics: Sequence[str]) -> dict[str, object]:
    """The judge behind a figure that rests on these metrics of a run; empty where no model judges any."""
    from core.judges.unit_tests.gate import score_trust

    trust = score_trust(trusts_of(store, run), metrics)
    return {} if trust is None else {"judge": trust.as_json()}


def file_document(access: Access, made_with: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """The same for scores of a file, by the judge tests of the project whose endpoint is named.

    Args:
        access: Names the endpoint.
        made_with: By metric, what its scores were made with.
    """
    from core.judges.unit_tests.gate import metric_trust
    from core.store.database import Store

    with Store.open(settings().database_url) as store:
        project_id = next((endpoint.project_id for endpoint in access.named(store)), "")
        found = {name: metric_trust(store, project_id, name, options) for name, options in made_with.items()}
    trusts = {name: trust for name, trust in found.items() if trust is not None}
    if not trusts:
        return {}
    worst = next((trust for trust in trusts.values() if trust.trusted is False), next(iter(trusts.values())))
    return {"judge": worst.as_json(), "judges": {name: trust.as_json() for name, trust in trusts.items()}}


def judge_line(document: dict[str, object]) -> list[str]:
    """The same for a person; nothing where the judge is trusted or no model judges."""
    judge = document.get("judge")
    if not isinstance(judge, dict) or judge["trusted"] is not False:
        return []
    return [f"The judge {judge['spec']} is not trusted: {judge['reason']}"]
