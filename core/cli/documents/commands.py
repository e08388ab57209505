"""The command on documents: which files of a folder are read, which are skipped and why, and the chunks."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, FailUnder, emit, progress_line
from core.domain.errors import InvalidInput

if TYPE_CHECKING:
    from core.sources.corpus.duplicates import Duplicates

SHOWN = 20
"""Number of skipped files and of remarks that are printed; JSON has all."""


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("corpus")(corpus)


def corpus(
    place: Annotated[Path, typer.Argument(metavar="PLACE", help="A folder, a zip archive or one file.")],
    tokens: Annotated[int | None, typer.Option(help="Largest chunk in tokens; by default the encoder's limit.")] = None,
    overlap: Annotated[int | None, typer.Option(help="Tokens repeated from the previous chunk; 32 by default.")] = None,
    encoder: Annotated[str, typer.Option(metavar="SPEC", help="minilm, or a sentence-transformers model.")] = "",
    out: Annotated[Path | None, typer.Option(metavar="F.jsonl", help="File for the chunks.")] = None,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Reads documents and splits them into chunks; lists what is skipped and why. Nothing is stored."""
    from core.encoders.tokens import open_counter
    from core.sources.corpus import load_corpus
    from core.sources.corpus.chunks.chunking import chunk_corpus, chunking_for
    from core.sources.corpus.duplicates import find_duplicates
    from core.sources.corpus.loading import REPEATS
    from core.sources.corpus.pdf import ocr

    counter = open_counter(encoder)
    chunking = chunking_for(counter, tokens=tokens, overlap=overlap)
    progress = progress_line()
    loaded = load_corpus(place, progress=progress)
    if not loaded.documents:
        reasons = "; ".join(f"{item.path}: {item.reason}" for item in loaded.skipped[:3])
        raise InvalidInput(
            f"No document could be read in {place}{f' ({reasons})' if reasons else ''}.", "Choose other documents."
        )
    chunks = list(chunk_corpus(loaded.documents, counter, chunking, progress=progress))
    if out is not None:
        out.write_text("".join(json.dumps(asdict(chunk), ensure_ascii=False) + "\n" for chunk in chunks), "utf-8")
    duplicates = find_duplicates(loaded.documents, loaded.skipped)
    left_out = [item for item in loaded.skipped if not item.reason.startswith(REPEATS)]
    notes = [{"document": document.id, "note": note} for document in loaded.documents for note in document.notes]
    remarks = [note for note in notes if not note["note"].startswith(REPEATS)]
    document = {
        "documents": len(loaded.documents),
        "formats": dict(Counter(item.format for item in loaded.documents)),
        "words": sum(len(item.text.split()) for item in loaded.documents),
        "fingerprint": loaded.fingerprint,
        "chunks": len(chunks),
        "chunking": asdict(chunking),
        "skipped": [asdict(item) for item in loaded.skipped],
        "duplicates": [
            {"kept": group.kept, "same": list(group.same), "near": [{"id": name, "share": n} for name, n in group.near]}
            for group in duplicates
        ],
        "notes": notes,
        "ocr": ocr.state(),
        **({"path": str(out)} if out else {}),
    }
    formats = ", ".join(
        f"{name} {count:,}" for name, count in Counter(item.format for item in loaded.documents).items()
    )
    lines = [
        f"{_counted(len(loaded.documents), 'document')} ({formats})",
        f"{_counted(len(chunks), 'chunk')} of up to {chunking.tokens:,} tokens{f' in {out}' if out else ''}",
        f"{len(left_out):,} left out",
        *_first([f"  {item.path}: {item.reason}" for item in left_out]),
        *([f"{len(duplicates):,} {_texts(len(duplicates))} told by several documents"] if duplicates else []),
        *_first([f"  {group.kept}: {_told(group)}" for group in duplicates]),
        _counted(len(remarks), "remark"),
        *_first([f"  {note['document']}: {note['note']}" for note in remarks]),
    ]
    emit(document, as_json=as_json, lines=lines, fail_under=fail_under)


def _counted(count: int, thing: str) -> str:
    return f"{count:,} {thing if count == 1 else f'{thing}s'}"


def _texts(count: int) -> str:
    return "text is" if count == 1 else "texts are"


def _told(group: Duplicates) -> str:
    parts = [f"the same text in {', '.join(group.same[:SHOWN])}"] if group.same else []
    parts += [f"nearly the same in {', '.join(name for name, _ in group.near[:SHOWN])}"] if group.near else []
    return "; ".join(parts)


def _first(lines: list[str]) -> list[str]:
    more = len(lines) - SHOWN
    return lines if more <= 0 else [*lines[:SHOWN], f"  and {more:,} more; --json lists all"]
