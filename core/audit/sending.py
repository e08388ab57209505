"""Taking heads of the audit trail outside: to a file, an HTTP endpoint, a mailbox."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from sqlalchemy import select

from core.audit.anchors import Anchor, append, newest
from core.domain.errors import CallFailed, InvalidInput, PlumblineError
from core.net import loop
from core.net.addresses import shown
from core.net.gate import Destination, admit, destination_of
from core.net.gate.mail import MailError, open_mail
from core.net.tls import trust
from core.settings import settings
from core.store.codec import from_row
from core.store.database import Store
from core.store.tables import audit
from core.store.trail.audit import AuditEntry

SECONDS: Final = 10.0
"""How long one destination may take."""

ACTION: Final = "audit.anchor"
SENDER: Final = "plumbline@localhost"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchored:
    """An anchor and where it is now.

    Attributes:
        anchor: What was sent.
        sent: The destinations that have it, without what may be secret in them.
        failed: Why others do not, by destination.
    """

    anchor: Anchor
    sent: tuple[str, ...]
    failed: dict[str, str]


def anchor(store: Store, destinations: Sequence[str], *, actor: str, reason: str) -> Anchored:
    """Sends the present head to some places, and records which of them have it.

    Args:
        store: The store.
        destinations: A file; ``https://host/path``, which gets it as JSON by POST; ``smtp://host:port/mailbox@bank`` or
            ``smtps://...``, which gets a mail. A user may stand before the host; the password is
            PLUMBLINE_SMTP_PASSWORD.
        actor: Who does it.
        reason: Why, such as ``test_set.freeze``.

    Raises:
        InvalidInput: There is no destination, one of them is none, or nothing was written yet.
    """
    if not destinations:
        raise InvalidInput("There is no place to anchor to.", "Name a file, an https:// or an smtp:// address.")
    for destination in destinations:
        _check(destination)
    head = newest(store, reason)
    sent, failed = [], {}
    for destination in destinations:
        name = _named(destination)
        try:
            _send(destination, head)
        except (PlumblineError, OSError, MailError, ssl.SSLError) as error:
            failed[name] = _reason(error)
        else:
            sent.append(name)
    detail = {"seq": head.seq, "hash": head.hash, "reason": reason, "sent": sent, "failed": failed}
    with store.write(actor, ACTION, subject=str(head.seq), detail=detail):
        pass
    return Anchored(anchor=head, sent=tuple(sent), failed=failed)


def sign_off(store: Store, actor: str, reason: str) -> None:
    """Anchors after a sign-off, where the operator says to what; a failure is recorded and takes nothing back."""
    destinations = settings().audit_anchors
    if not destinations:
        return
    try:
        outcome = anchor(store, destinations, actor=actor, reason=reason)
    except PlumblineError as error:
        log.warning("The head of the audit trail was not anchored: %s", error)
    else:
        for name, why in outcome.failed.items():
            log.warning("The head of the audit trail was not anchored at %s: %s", name, why)


def last_anchored(store: Store) -> AuditEntry | None:
    """The newest entry of an anchoring, None where there was none."""
    query = select(audit).where(audit.c.action == ACTION).order_by(audit.c.seq.desc()).limit(1)
    with store.read() as connection:
        row = connection.execute(query).mappings().one_or_none()
    return None if row is None else from_row(AuditEntry, row)


def _check(destination: str) -> None:
    scheme, _, rest = destination.partition("://")
    if not rest:
        if not destination.strip():
            raise InvalidInput("A place to anchor to is blank.", "Name a file, an https:// or an smtp:// address.")
        return
    parts = urlsplit(destination)
    if scheme not in ("http", "https", "smtp", "smtps") or not parts.hostname:
        raise InvalidInput(
            f"{shown(destination)} is no place to anchor to.", "Name a file, an https:// or an smtp:// address."
        )
    if scheme.startswith("smtp") and "@" not in parts.path:
        raise InvalidInput(
            f"{shown(destination)} names no mailbox.", "Write smtp://mail.bank.example/auditor@bank.example."
        )


def _send(destination: str, head: Anchor) -> None:
    scheme = destination.partition("://")[0] if "://" in destination else ""
    if not scheme:
        append(Path(destination).expanduser(), head)
        return
    if scheme.startswith("http"):
        admit(destination_of(destination))
        loop.call(_post(destination, head))
    else:
        _mail(destination, head)


async def _post(url: str, head: Anchor) -> None:
    import httpx2  # a quarter of a second, only for those who send

    from core.net.pools import http_client

    try:
        async with asyncio.timeout(SECONDS), http_client(1, trust()) as client:
            reply = await client.post(
                url, content=head.line().encode("utf-8"), headers={"Content-Type": "application/json"}
            )
    except TimeoutError:
        raise CallFailed(f"There was no reply within {SECONDS:g} seconds.") from None
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise CallFailed(f"It could not be reached ({type(error).__name__}).") from None
    if not reply.is_success:
        raise CallFailed(f"It replied with status {reply.status_code}.")


def _mail(destination: str, head: Anchor) -> None:
    parts = urlsplit(destination)
    message = EmailMessage()
    message["Subject"] = f"Plumbline audit head {head.seq} {head.hash[:16]}"
    message["From"] = SENDER if "@" not in (parts.username or "") else unquote(str(parts.username))
    message["To"] = unquote(parts.path.strip("/"))
    message.set_content(head.line() + "\n", cte="8bit")
    secure = parts.scheme == "smtps"
    to = Destination(str(parts.hostname), parts.port)
    with open_mail(to, secure=secure, trust=trust(), seconds=SECONDS) as server:
        server.ehlo()
        if not secure and server.has_extn("starttls"):
            server.starttls(context=trust())
            server.ehlo()
        password = settings().smtp_password
        if parts.username and password:
            server.login(unquote(parts.username), password.get_secret_value())
        server.send_message(message)


def _named(destination: str) -> str:
    """A destination as it may be stored and shown."""
    return shown(destination) if "://" in destination else str(Path(destination).expanduser().absolute())


def _reason(error: Exception) -> str:
    if isinstance(error, PlumblineError):
        return error.message
    return str(getattr(error, "strerror", None) or type(error).__name__)
