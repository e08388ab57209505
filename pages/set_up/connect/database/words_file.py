"""The words of a database as a file: taken away, edited elsewhere, brought back, a glossary laid over them."""

from __future__ import annotations

from pathlib import PurePath

import streamlit as st

from core.domain.errors import InvalidInput
from core.domain.sources.projects import Source
from core.domain.sources.schema import Schema
from core.domain.sources.semantics import SemanticLayer
from core.sources.database.semantics.applying import layer_of, refuse_unknown
from core.sources.database.semantics.editing import changed_fields, joined
from core.sources.database.semantics.files import LARGEST_FILE, layer_csv, layer_yaml, parse_layer
from core.sources.service import say_semantics
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers


def draw(page: Page, source: Source, schema: Schema, said: SemanticLayer) -> None:
    """Downloads of what stands now, and a form that lays a file over what was said."""
    with st.expander("Download the words, or read a glossary", key="words_file"):
        layer = layer_of(schema)
        with st.container(horizontal=True):
            st.download_button(
                "Download as YAML", layer_yaml(layer), "words.yaml", "application/yaml", key="words_yaml"
            )
            st.download_button("Download as CSV", layer_csv(layer), "words.csv", "text/csv", key="words_csv")
        file = st.file_uploader(
            "A glossary: YAML or CSV as downloaded here, or JSON with column descriptions",
            type=["yaml", "yml", "csv", "json"],
            key=state.fresh("glossary"),
        )
        if file is not None:
            with errors.shown():
                _offer(page, source, schema, said, file.name, file.getvalue())


def _offer(page: Page, source: Source, schema: Schema, said: SemanticLayer, name: str, data: bytes) -> None:
    """What a file would change, before it does."""
    added = _read(name, data)
    refuse_unknown(schema, added)
    layer = joined(said, added)
    changes = changed_fields(said, layer)
    if not changes:
        st.info(f"{errors.plain(name)} changes nothing.", icon=":material/info:")
        return
    columns = sum(len(table.columns) for table in added.tables)
    st.markdown(
        f"{errors.plain(name)} names {numbers.count(len(added.tables), 'table')} and "
        f"{numbers.count(columns, 'column')}; {numbers.count(changes, 'field')} would change."
    )
    if st.button("Use this glossary", key="use_glossary"):
        say_semantics(page.store, source.id, layer, actor=page.actor)
        state.renew("glossary")
        state.say(f"{errors.plain(name)}: {numbers.count(changes, 'field')} changed.")
        st.rerun()


def _read(name: str, data: bytes) -> SemanticLayer:
    if len(data) > LARGEST_FILE:
        raise InvalidInput(f"{name} has more than 5 MB.", "Give a glossary of tables and columns only.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{name} is no text in UTF-8.", "Save it as UTF-8 and upload it again.") from error
    return parse_layer(text, PurePath(name).suffix.lower().replace(".yml", ".yaml"), name=name)
