"""Mailboxes are read mail by mail."""

from __future__ import annotations

import mailbox
from email.message import EmailMessage

from core.sources.corpus.loading import load_corpus


def mail(subject, body, attached=None):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ada@bank.example", "ben@bank.example", subject
    message.set_content(body)
    if attached:
        message.add_attachment(attached[1], filename=attached[0])
    return message


def box(path, *mails):
    written = mailbox.mbox(path, create=True)
    for message in mails:
        written.add(message)
    written.close()


def test_each_mail_is_a_document_and_its_attachments_follow(tmp_path):
    body = "The line ends on 3 May 2026.\n\nFrom Monday on the desk is closed.\n"
    box(tmp_path / "team.mbox", mail("Line", body), mail("Fees", "See the file.", ("fees.csv", "card,fee\nGold,3\n")))
    corpus = load_corpus(tmp_path)
    assert [document.id for document in corpus.documents] == [
        "team.mbox/00001.eml",
        "team.mbox/00002.eml",
        "team.mbox/00002.eml/fees.csv",
    ]
    assert [document.title for document in corpus.documents[:2]] == ["Line", "Fees"]
    assert "From Monday on the desk is closed." in corpus.documents[0].text, "the sign before From is taken off"


def test_prose_that_begins_with_from_is_no_mail(tmp_path):
    (tmp_path / "m.mbox").write_bytes(
        b"From a@b Mon May  5 10:00:00 2025\nSubject: One\n\nHello.\n\nFrom here it took until 2026\nto end.\n"
    )
    (document,) = load_corpus(tmp_path).documents
    assert "From here it took until 2026" in document.text


def test_what_is_no_mailbox_is_refused_by_name(tmp_path):
    (tmp_path / "notes.mbox").write_text("Dear all, the desk is closed.")
    (tmp_path / "fees.md").write_text("# Fees\n\nThe fee is 3 euros.")
    corpus = load_corpus(tmp_path)
    (skipped,) = corpus.skipped
    assert skipped.path == "notes.mbox"
    assert "no mail begins in it" in skipped.reason
    assert "save its mails as .eml" in skipped.reason


def test_an_outlook_store_is_refused_with_the_way_out(tmp_path):
    (tmp_path / "archive.pst").write_bytes(b"!BDN" + bytes(64))
    (tmp_path / "fees.md").write_text("# Fees\n\nThe fee is 3 euros.")
    (skipped,) = load_corpus(tmp_path).skipped
    assert "Outlook store files (.pst) are not read" in skipped.reason
    assert ".mbox" in skipped.reason
