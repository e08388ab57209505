"""E-mails: heads, bodies, quotes and attachments; hostile ones cost no more than their size."""

import struct
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest

from core.domain.errors import UnreadableFile
from core.sources.corpus import load_corpus
from core.sources.corpus.parsing import format_of
from core.sources.corpus.readers.mail.compressed_rtf import unpacked_rtf
from core.sources.corpus.readers.mail.quotes import segments, told_once
from tests.support.files.compound_files import outlook_file

FILES = Path(__file__).parent / "files"
FEE = "the fee of the Gold card rises to 45 euros on 1 June 2026."
FIRST = f"Dear Ben,\n\n{FEE}\n\nRegards\nÄnne"
REPLY = f"Thanks. Who tells the branches about it?\n\nOn Fri, 1 May 2026, Änne Müller wrote:\n> Dear Ben,\n>\n> {FEE}\n"
THIRD = f"""I do, on Monday at the meeting.

Von: Ben Ito
Gesendet: Freitag, 1. Mai 2026 11:00
An: Änne
Betreff: Re: Gebühren

{REPLY}"""


def mail(body="Text.", *, subject="Gebühren – Zürich", html="", attached=(), **heads):
    message = EmailMessage()
    for name, value in {
        "From": "Änne Müller <anne@bank.example>",
        "To": "Ben Ito <ben@bank.example>",
        "Subject": subject,
        "Date": "Fri, 01 May 2026 10:00:00 +0200",
        **heads,
    }.items():
        message[name] = value
    message.set_content(body)
    if html:
        message.add_alternative(html, subtype="html")
    for name, content, kind in attached:
        if isinstance(content, EmailMessage):
            message.add_attachment(content)
        else:
            maintype, subtype = kind.split("/")
            message.add_attachment(content, maintype=maintype, subtype=subtype, filename=name)
    return message


def data_of(message):
    return message.as_bytes(policy=SMTP)


def loaded(folder, **files):
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        data = data_of(content) if isinstance(content, EmailMessage) else content
        (folder / name.replace("__", ".")).write_bytes(data)
    return load_corpus(folder)


def read(data, ending=".eml"):
    [parsed] = format_of(ending).read(data)
    return parsed


def reasons(corpus):
    return {item.path: item.reason for item in corpus.skipped}


def test_heads_are_metadata_and_encoded_words_are_decoded():
    parsed = read(data_of(mail(Cc=", ".join(f"Person {n} <p{n}@bank.example>" for n in range(9)))))
    assert parsed.title == "Gebühren – Zürich"
    assert dict(parsed.metadata) == {
        "from": "Änne Müller <anne@bank.example>",
        "to": "Ben Ito <ben@bank.example>",
        "cc": ", ".join(f"Person {n} <p{n}@bank.example>" for n in range(5)) + " and 4 more",
        "date": "2026-05-01",
        "sent": "2026-05-01T10:00:00+02:00",
        "subject": "Gebühren – Zürich",
    }
    assert parsed.text == "Text."


@pytest.mark.parametrize(
    ("head", "body", "text", "note"),
    [
        ("Content-Type: text/plain; charset=iso-8859-1", "Gebühr".encode("latin-1"), "Gebühr", ""),
        ("Content-Type: text/plain; charset=klingon", "Gebühr".encode(), "Gebühr", "klingon"),
        ("Content-Type: text/plain; charset=utf-8", "Gebühr".encode("latin-1"), "Gebühr", "is not in it"),
        ("X-None: 1", "Gebühr".encode("cp1252"), "Gebühr", "Windows-1252"),
        ("Content-Type: text/html; charset=koi8-r", "<p>Плата</p>".encode("koi8-r"), "Плата", ""),
    ],
)
def test_bodies_in_any_encoding(head, body, text, note):
    parsed = read(b"From: a@b.example\r\n" + head.encode() + b"\r\n\r\n" + body)
    assert parsed.text == text
    assert bool(parsed.notes) == bool(note)
    assert note in " ".join(parsed.notes)


def test_the_plain_body_is_read_unless_it_is_a_stub():
    html = "<p>" + "The fee of the card is 45 euros a year. " * 3 + "</p>"
    assert read(data_of(mail("The fee is 45 euros, as the page says in more words.", html=html))).text.startswith(
        "The fee is 45"
    )
    stub = read(data_of(mail("See HTML.", html=html)))
    assert stub.text.startswith("The fee of the card")
    assert stub.notes == ("its plain text is a stub; its HTML is read",)


def test_each_attachment_is_a_document_that_names_its_mail(tmp_path):
    fees = (FILES / "fees.doc").read_bytes()
    inner = mail("Inside.", subject="Inner: mail", attached=[("deep.txt", b"Deep text.", "text/plain")])
    corpus = loaded(
        tmp_path / "a",
        m__eml=mail(
            attached=[
                ("Gebühren.doc", fees, "application/msword"),
                ("", inner, ""),
                ("../../../evil.txt", b"Behind a path.", "application/octet-stream"),
                ("note.txt", b"One note.", "text/plain"),
                ("note.txt", b"Another note.", "text/plain"),
                ("winmail.dat", b"\x78\x9f\x3e\x22", "application/ms-tnef"),
                ("run.exe", b"MZ", "application/octet-stream"),
            ]
        ),
    )
    documents = {document.id: document for document in corpus.documents}
    assert list(documents) == [
        "m.eml",
        "m.eml/Gebühren.doc",
        "m.eml/Inner mail.eml",
        "m.eml/Inner mail.eml/deep.txt",
        "m.eml/evil.txt",
        "m.eml/note.txt",
        "m.eml/note 2.txt",
    ]
    assert documents["m.eml/Gebühren.doc"].format == "doc"
    assert documents["m.eml/Gebühren.doc"].metadata["attached to"] == "m.eml"
    assert documents["m.eml/Inner mail.eml/deep.txt"].metadata["attached to"] == "m.eml/Inner mail.eml"
    assert documents["m.eml/evil.txt"].notes == ("the mail names it ../../../evil.txt; only the last part is used",)
    assert "TNEF" in reasons(corpus)["m.eml/winmail.dat"]
    assert reasons(corpus)["m.eml/run.exe"] == "program files (.exe) are not read"
    assert not (tmp_path / "evil.txt").exists()


def test_pictures_in_the_text_and_signatures_are_no_attachments():
    message = mail("Text.")
    message.add_attachment(b"sig", maintype="application", subtype="pgp-signature", filename="signature.asc")
    message.add_attachment(
        b"png", maintype="image", subtype="png", filename="logo.png", cid="<1>", disposition="inline"
    )
    parsed = read(data_of(message))
    assert parsed.notes == ("left out: 1 picture in its text",)


def test_an_unchanged_mail_and_its_attachments_are_not_read_again(tmp_path):
    before = loaded(tmp_path / "a", m__eml=mail(attached=[("n.txt", b"A note.", "text/plain")]))
    assert load_corpus(tmp_path / "a", before=before) == before


@pytest.mark.parametrize("kind", ["application/pkcs7-mime", "multipart/encrypted"])
def test_an_encrypted_mail_is_named_as_such(kind):
    with pytest.raises(UnreadableFile, match="encrypted") as error:
        read(f"From: a@b.example\r\nContent-Type: {kind}; boundary=x\r\n\r\nabc".encode())
    assert error.value.hint


@pytest.mark.parametrize("data", [b"just text", b"\x00\x01\x02", b"a: b\n\ntext"])
def test_what_is_no_mail(data):
    with pytest.raises(UnreadableFile, match="no e-mail"):
        read(data)


def test_a_thousand_mails_in_one_another_end(tmp_path):
    inner = b"From: a@b.example\r\nSubject: deepest\r\n\r\nText."
    for _ in range(1_000):
        inner = b"From: a@b.example\r\nContent-Type: message/rfc822\r\n\r\n" + inner
    corpus = loaded(tmp_path / "a", m__eml=inner, ok__txt=b"Other.")
    assert [document.id for document in corpus.documents] == ["ok.txt"]
    assert "too deep" in reasons(corpus)["m.eml"]


def test_ten_mails_in_one_another_are_followed_five_deep(tmp_path):
    inner = mail("Innermost.", subject="Level 0")
    for level in range(1, 10):
        inner = mail(f"Level {level}.", subject=f"Level {level}", attached=[("", inner, "")])
    corpus = loaded(tmp_path / "a", m__eml=inner)
    assert len(corpus.documents) == 5
    assert ["more than 5 deep" in reason for reason in reasons(corpus).values()] == [True]


@pytest.mark.slow
def test_more_attachments_than_any_mail_has(tmp_path):
    part = b"--x\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=%d.txt\r\n\r\nNote %d.\r\n"
    data = b"From: a@b.example\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n"
    data += b"".join(part % (number, number) for number in range(1_200)) + b"--x--"
    corpus = loaded(tmp_path / "a", m__eml=data)
    assert len(corpus.documents) == 1_001
    assert "first 1,000 of 1,200" in reasons(corpus)["m.eml/further attachments"]


def test_quoted_text_is_told_once_and_stays_where_it_answers():
    texts = {"a": FIRST, "b": REPLY, "c": THIRD, "d": f"> {FEE}\n\nYes, that is right.\n"}
    changed = told_once(texts)
    assert {name: text for name, (text, _) in changed.items()} == {
        "b": "Thanks. Who tells the branches about it?",
        "c": "I do, on Monday at the meeting.",
    }
    assert set(changed["c"][1]) == {"a", "b"}


def test_what_nobody_else_tells_is_kept():
    assert told_once({"b": REPLY, "x": "Nothing of that."}) == {}
    assert told_once({"b": REPLY, "c": THIRD})["c"][0] == "I do, on Monday at the meeting."


def test_quotes_of_other_programs():
    outlook = "Fine.\n\n-----Original Message-----\nFrom: A\nSent: Monday\nTo: B\nSubject: C\n\nWords."
    assert [part.quoted for part in segments(outlook)] == [False, True]
    assert [part.quoted for part in segments("No quote.\nFrom: here to there.\nMore.")] == [False]


def test_a_reloaded_thread_tells_again_what_is_gone(tmp_path):
    before = loaded(tmp_path / "a", a__eml=mail(FIRST), b__eml=mail(REPLY, subject="Re"))
    reply = before.documents[1]
    assert FEE not in reply.text
    assert reply.notes == ("left out: what it quotes at its end; it stands in a.eml (14 words)",)
    (tmp_path / "a" / "a.eml").unlink()
    [alone] = load_corpus(tmp_path / "a", before=before).documents
    assert FEE in alone.text


def test_an_outlook_message_is_read_like_any_mail(tmp_path):
    data = outlook_file(
        subject="Gebühren Łódź",
        body="The fee is 45 euros.",
        sender="Änne Müller",
        address="anne@bank.example",
        to="Ben Ito; Cleo",
        sent=datetime(2026, 5, 1, 8, tzinfo=UTC),
        attached=(
            ("fees.doc", (FILES / "fees.doc").read_bytes()),
            ("inner", {"subject": "Inner", "body": "Inside.", "attached": (("deep.txt", b"Deep text."),)}),
        ),
    )
    corpus = loaded(tmp_path / "a", m__msg=data)
    assert [document.id for document in corpus.documents] == [
        "m.msg",
        "m.msg/fees.doc",
        "m.msg/inner.eml",
        "m.msg/inner.eml/deep.txt",
    ]
    first = corpus.documents[0]
    assert (first.title, first.text) == ("Gebühren Łódź", "The fee is 45 euros.")
    assert first.metadata["from"] == "Änne Müller <anne@bank.example>"
    assert first.metadata["to"] == "Ben Ito, Cleo"
    assert first.metadata["date"] == "2026-05-01"


def test_outlook_bodies_of_other_kinds():
    rtf = b"{\\rtf1\\ansi Text in RTF.\\par}"
    plain = struct.pack("<IIII", len(rtf) + 12, len(rtf), 0x414C454D, 0) + rtf
    assert read(outlook_file(subject="R", rtf=plain), ".msg").text == "Text in RTF."
    assert read(outlook_file(subject="H", html=b"<p>Fee: <b>45</b></p>"), ".msg").text == "Fee: 45"
    assert read(outlook_file(subject="E", body="Größe", page=1252), ".msg").text == "Größe"
    with pytest.raises(UnreadableFile, match="encrypted"):
        read(outlook_file(subject="S", kind="IPM.Note.SMIME"), ".msg")


def test_compressed_rtf_as_its_specification_shows_it():
    # MS-OXRTFCP, section 4.1.1
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    assert unpacked_rtf(packed) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    assert unpacked_rtf(b"short") == b""
