"""E-mails in the form in which they are sent (.eml) and of Outlook (.msg); their attachments are files of their own."""

from __future__ import annotations

from email.message import Message

from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.readers.mail.message import attachments, body_of, head_fields, header, parse_message, pictures
from core.sources.corpus.readers.mail.outlook import outlook_message
from core.sources.corpus.readers.mail.quotes import told_once_inside

NO_TEXT = "(The mail has no text of its own.)"


@reads("e-mail", ".eml")
def read_eml(data: bytes) -> tuple[Parsed, ...]:
    """The body as one document, its head as metadata; what a reply quotes is kept, and the same text told once."""
    return (_parsed(parse_message(data)),)


@reads("Outlook e-mail", ".msg")
def read_msg(data: bytes) -> tuple[Parsed, ...]:
    """As `read_eml`, of a message that Outlook saved."""
    return (_parsed(outlook_message(data)),)


def _parsed(message: Message) -> Parsed:
    body = body_of(message)
    subject = header(message, "subject")
    notes = list(body.notes)
    if count := pictures(message):
        notes.append(f"left out: {count:,} picture{'' if count == 1 else 's'} in its text")
    text, repeated = told_once_inside(body.text)
    if repeated:
        notes.append(f"left out: {repeated:,} words that it quotes twice")
    if not text.strip() and (subject or any(True for _ in attachments(message))):
        text = f"{subject}\n\n{NO_TEXT}".strip()
    return Parsed(text=text, title=subject, metadata=head_fields(message), notes=tuple(notes))
