"""The ledger that runs in folders of their own share, so that the same plan is paid for once, whatever its folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.models.run_models import MODELS
from core.cli.output import tell
from core.domain.errors import InvalidInput, PlumblineError
from core.settings import settings

if TYPE_CHECKING:
    from core.cli.models.endpoints import Access
    from core.domain.results.runs import Run
    from core.llm import SharedLedger
    from core.store.database import Store

PROJECT = "ledger_project"
"""The option of a run that says whose ledger it shares, so that it goes on with the same one."""

LEDGER_FILE = "ledger.sqlite"

LedgerPath = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        metavar="PATH",
        help="File or folder that keeps replies of models for later runs; by default the project of --endpoint, "
        "else the default store.",
    ),
]


@contextmanager
def shared_ledger(store: Store, run: Run, path: Path | None, access: Access) -> Iterator[SharedLedger | None]:
    """The ledger a run shares; None where it calls no model, or lives in the store that would be shared.

    Args:
        store: Where the run is.
        run: The run.
        path: Where the ledger is; None for that of the endpoint's project, else of the default store.
        access: Names the endpoint.

    Raises:
        InvalidInput: The path cannot be used.
    """
    from core.judging.registry import split_judges
    from core.llm import SharedLedger
    from core.store.database import Store

    judges = split_judges(str(run.options.get("metric_judges") or ""))
    if not any(spec.partition(":")[0] in MODELS for spec in (run.target, run.judge, *judges)):
        yield None
        return
    if path is not None and path.is_dir():
        path = path / LEDGER_FILE
    if path is not None and not path.absolute().parent.is_dir():
        raise InvalidInput(f"There is no folder {path.parent} for the ledger.", "Create it, or give another --ledger.")
    try:
        opened = Store.open(f"sqlite:///{path.resolve()}" if path else settings().database_url)
    except PlumblineError as error:
        if path is not None or access.names:
            raise
        tell(f"The default store cannot keep the replies for later runs, only the run's folder can: {error.message}")
        yield None
        return
    with opened as other:
        project_id = "" if path is not None else project_of(access, other) or str(run.options.get(PROJECT, ""))
        yield None if other.url == store.url else SharedLedger(store=other, project_id=project_id)


def project_of(access: Access, store: Store) -> str:
    """The project whose ledger is meant: that of the first endpoint that is named; "" where none is."""
    return next((endpoint.project_id for endpoint in access.named(store)), "")
