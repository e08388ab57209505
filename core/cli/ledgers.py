"""The ledger that runs in folders of their own share, so that the same plan is paid for once, whatever its folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.domain.errors import InvalidInput
from core.settings import settings

if TYPE_CHECKING:
    from core.cli.endpoints import Access
    from core.domain.results.runs import Run
    from core.llm import SharedLedger
    from core.store.database import Store

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
    from core.cli.workspace import MODELS
    from core.llm import SharedLedger
    from core.store.database import Store

    if not any(spec.partition(":")[0] in MODELS for spec in (run.target, run.judge)):
        yield None
        return
    if path is not None and path.is_dir():
        path = path / LEDGER_FILE
    if path is not None and not path.absolute().parent.is_dir():
        raise InvalidInput(f"There is no folder {path.parent} for the ledger.", "Create it, or give another --ledger.")
    with Store.open(f"sqlite:///{path.resolve()}" if path else settings().database_url) as other:
        named = () if path is not None else access.named(other)
        yield (
            None
            if other.url == store.url
            else SharedLedger(store=other, project_id=named[0].project_id if named else "")
        )
