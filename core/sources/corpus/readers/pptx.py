"""PowerPoint files: slide by slide, titles as headings, tables as rows, the speaker's notes below."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any

from core.domain.errors import UnreadableFile
from core.sources.corpus.containers.office import check_office, core_fields
from core.sources.corpus.parsing import Parsed, reads
from core.sources.corpus.pdf.page_texts import joined_pages
from core.sources.corpus.tabular.tables import table_block, table_lines

DEEPEST = 20
"""Groups within groups that are followed."""


@reads("pptx", ".pptx", version=2)
def read_pptx(data: bytes) -> tuple[Parsed, ...]:
    """The text of each slide from top to bottom; a page is a slide, the title comes from the properties or slide 1."""
    from pptx import Presentation
    from pptx.exc import PythonPptxError

    notes = check_office(data, "PowerPoint file", "PPTX")
    try:
        show = Presentation(io.BytesIO(data))
        titles, slides = [], []
        for slide in show.slides:
            title = " ".join(slide.shapes.title.text_frame.text.split()) if slide.shapes.title else ""
            titles.append(title)
            slides.append("\n\n".join([f"## {title}"] * bool(title) + list(_slide(slide))))
        metadata = core_fields(show.core_properties)
        title = (show.core_properties.title or "").strip()
    except (PythonPptxError, SyntaxError, KeyError, ValueError, AttributeError) as error:
        raise UnreadableFile(f"it is damaged or no PowerPoint file ({error})", "Save it again as PPTX.") from None
    text, pages = joined_pages(slides)
    return (
        Parsed(
            text=text,
            title=_own(title) or next(filter(None, titles), ""),
            pages=pages,
            metadata=metadata,
            notes=notes,
        ),
    )


def _own(title: str) -> str:
    """The title, unless it is the one that every new file has."""
    return "" if title.casefold() in ("powerpoint presentation", "presentation") else title


def _slide(slide: Any) -> Iterator[str]:
    title = slide.shapes.title
    skip = None if title is None else title.shape_id
    named = "" if title is None else " ".join(title.text_frame.text.split())
    yield from _shapes((shape for shape in slide.shapes if shape.shape_id != skip), 0, named)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        speaker_notes = slide.notes_slide.notes_text_frame.text.strip()
        if speaker_notes:
            yield f"Notes: {_lines(speaker_notes)}"


def _shapes(shapes: Iterable[Any], depth: int, title: str) -> Iterator[str]:
    for shape in sorted(shapes, key=lambda shape: (shape.top or 0, shape.left or 0)):
        if hasattr(shape, "shapes"):
            if depth < DEEPEST:
                yield from _shapes(shape.shapes, depth + 1, title)
        elif getattr(shape, "has_table", False) and shape.has_table:
            rows = [["" if cell.is_spanned else cell.text for cell in row.cells] for row in shape.table.rows]
            headed = bool(shape.table.first_row) and len(rows) > 1
            yield "\n".join(table_block(rows, title=title) if headed else table_lines(rows, headed=False))
        elif shape.has_text_frame:
            paragraphs = [_lines(paragraph.text) for paragraph in shape.text_frame.paragraphs]
            lines = [text for text in paragraphs if text]
            if len(lines) > 1:
                yield "\n".join(f"- {text}" for text in lines)
            elif lines:
                yield lines[0]


def _lines(text: str) -> str:
    return " ".join(text.replace("\v", " ").split())
