"""The server: `app.py` as an ASGI application with a supervisor for workers, a health route and safe headers.

``streamlit run pages/server/application.py`` serves it; `pages.server.serve` is the launcher that does so.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
IMPORTED_FROM = ROOT.parent if (ROOT / "__init__.py").is_file() else ROOT
"""Where our packages are found: the checkout, or the folder that the package ``plumbline`` is installed in."""
if str(IMPORTED_FROM) not in sys.path:
    # Streamlit runs this file by its path, so that the checkout is not on the path by itself.
    sys.path.insert(0, str(IMPORTED_FROM))

import streamlit as st  # noqa: E402
from sqlalchemy.exc import SQLAlchemyError  # noqa: E402
from starlette.middleware import Middleware  # noqa: E402
from starlette.requests import Request  # noqa: E402
from starlette.responses import JSONResponse  # noqa: E402
from starlette.routing import Route  # noqa: E402
from starlette.types import ASGIApp, Message, Receive, Scope, Send  # noqa: E402
from streamlit.runtime import Runtime  # noqa: E402

from core.domain.errors import PlumblineError  # noqa: E402
from core.store.trail import audit  # noqa: E402
from pages.server.guards import Guards  # noqa: E402

HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"SAMEORIGIN",
    b"referrer-policy": b"same-origin",
    b"content-security-policy": b"frame-ancestors 'self'; base-uri 'self'; object-src 'none'; form-action 'self'",
}
"""What every response carries; script sources are left open since Streamlit's own page needs inline code."""

log = logging.getLogger("plumbline.server")


class SafeHeaders:
    """Adds `HEADERS` to every HTTP response; WebSockets pass through untouched."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                missing = [(name, value) for name, value in HEADERS.items() if name not in present]
                message = {**message, "headers": [*message["headers"], *missing]}
            await send(message)

        await self.app(scope, receive, with_headers)


async def health(request: Request) -> JSONResponse:
    """Whether the server runs and its store answers, in one word; 503 and a line in the log where it does not."""
    try:
        await asyncio.to_thread(_newest_entry)
    except (PlumblineError, SQLAlchemyError, OSError) as error:
        log.error("The store does not answer: %s", error)
        return JSONResponse({"status": "unavailable"}, status_code=503)
    return JSONResponse({"status": "ok"})


def _newest_entry() -> int:
    from pages.kit import cache

    with cache.store().read() as connection:
        return audit.lock_free_head(connection)[0]


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[dict[str, Any]]:
    """Warms the app before the first visitor, then supervises workers until the server stops."""
    from pages.server.one_server import claim

    claim()
    await _warm()
    from core import jobs
    from pages.kit import cache

    await asyncio.to_thread(_clean)
    stop = asyncio.Event()
    supervisor = asyncio.create_task(jobs.supervise(cache.store(), stop))
    supervisor.add_done_callback(_say_why_it_ended)
    print(f"Plumbline is at {address()} (Ctrl-C stops it)", flush=True)
    try:
        yield {"ready": True}
    finally:
        stop.set()
        await asyncio.gather(supervisor, return_exceptions=True)


def _clean() -> None:
    """Deletes uploads that a killed server or worker could not delete, or that nothing names; closes older files."""
    from core.data_folder import protect
    from core.project.uploads import clean_uploads
    from core.sources.loading import clean_spools
    from pages.kit import cache

    try:
        protect()
        clean_spools(cache.store())
        clean_uploads(cache.store())
    except (PlumblineError, OSError) as error:
        log.warning("Old uploads could not be looked for this time: %s", error)


def address() -> str:
    """Where a browser on this machine finds the app."""
    host = st.get_option("server.address") or "localhost"
    host_name = "localhost" if host == "127.0.0.1" or set(host) <= set("0.:") else host
    return f"http://{host_name}:{st.get_option('server.port')}"


async def _warm() -> None:
    """Runs the app once without a visitor.

    Until `st.navigation` has run in a process, Streamlit takes the folder ``pages/`` for its own and greets the first
    deep link with "Page not found". The visit also loads what the first page needs.
    """
    ok, why = await Runtime.instance().does_script_run_without_error()
    if not ok:
        log.error("The app did not run once through before the first visitor: %s", why)


def _say_why_it_ended(supervisor: asyncio.Task[None]) -> None:
    if not supervisor.cancelled() and (error := supervisor.exception()):
        log.error("Workers are no longer supervised; restart the server.", exc_info=error)


def tell(error: Exception) -> bool:
    """Shows what a person can act on; anything else gets a plain sentence here and Streamlit's traceback in the log."""
    from pages.kit import errors

    if isinstance(error, PlumblineError):
        errors.show(error)
    else:
        st.error(
            "**This page failed for a reason of ours.**\n\nReload it; what was saved is safe. "
            "The server's log holds the details.",
            icon=":material/error:",
        )
    return True


app = st.App(
    ROOT / "app.py",
    lifespan=lifespan,
    routes=[Route("/healthz", health)],
    middleware=[Middleware(SafeHeaders), Middleware(Guards)],
    on_script_error=tell,
)
