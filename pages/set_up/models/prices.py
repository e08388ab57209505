"""Prices on the Models page: the user's own table, by hand or from CSV."""

from __future__ import annotations

from zlib import crc32

import pandas as pd
import streamlit as st

from core.domain.llm import Price
from core.domain.sources.projects import Role
from core.llm.spending import prices
from core.store.database import Store
from core.store.models import prices as model_prices
from core.store.models import reads
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables

TITLES = ("Model", "Input, per million tokens", "Output, per million tokens", "Currency")


def draw(page: Page) -> None:
    """The table, which can be edited, and what it still lacks."""
    price_table = _price_table(page)
    used_models = _used_models(page.store, page.project.id)
    unpriced = [model for model in used_models if model not in price_table]
    page.context(numbers.count(len(price_table), "model", "models") + " with a price")
    st.caption(
        "Plumbline brings no prices: they change, and yours may differ. Without a price the cost of a call is "
        "unknown; it never counts as zero. Amounts are kept digit by digit; all are in one currency. A call keeps "
        "the cost it had when it was made; one that had no price then is priced by this table."
    )
    if unpriced:
        model_names = ", ".join(unpriced[:8]) + (" and more" if len(unpriced) > 8 else "")
        st.info(errors.plain(f"Asked so far and without a price: {model_names}."))
    if not price_table and not page.may(Role.VALIDATOR):
        st.caption("There is no price yet. A validator of the project can enter them here.")
        return
    if page.may(Role.VALIDATOR):
        _edit(page, price_table, unpriced)
        _upload(page)
    else:
        tables.plain(_frame(list(price_table.values()), []), key="prices")
    if price_table:
        st.download_button(
            "Download CSV",
            prices.as_csv(price_table),
            "prices.csv",
            "text/csv",
            key="download_prices",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
        )


def _edit(page: Page, price_table: dict[str, Price], unpriced: list[str]) -> None:
    # The key changes with the stored table, so that what is shown is always what is stored plus this person's edits.
    digest = crc32(prices.as_csv(price_table) + "\n".join(unpriced).encode())
    edited = st.data_editor(
        _frame(list(price_table.values()), unpriced),
        key=f"prices_{digest:08x}",
        num_rows="dynamic",
        hide_index=True,
        width="stretch",
        column_config={
            TITLES[0]: st.column_config.TextColumn(required=True, max_chars=prices.LONGEST_NAME),
            TITLES[1]: st.column_config.TextColumn(help="Written like 2.50.", max_chars=40),
            TITLES[2]: st.column_config.TextColumn(help="Written like 10.", max_chars=40),
            TITLES[3]: st.column_config.TextColumn(help="The same for all.", max_chars=prices.LONGEST_CURRENCY),
        },
    )
    if st.button("Save prices", key="save_prices", type="primary"):
        with errors.shown():
            saved = prices.save(page.store, page.project.id, _read(edited), actor=page.actor)
            state.say(
                f"{numbers.count(len(saved), 'price')} saved, for new calls and for those without a price so far."
            )
            st.rerun()


def _upload(page: Page) -> None:
    with st.expander("Import from CSV", key="import_prices"):
        st.caption(f"Columns {', '.join(prices.COLUMNS)}. The table is replaced.")
        upload = st.file_uploader("Price table", type=["csv"], key="prices_file", label_visibility="collapsed")
        if upload is not None and st.button("Replace the table", key="replace_prices"):
            with errors.shown():
                price_table = prices.read_csv(upload.getvalue())
                prices.save(page.store, page.project.id, price_table, actor=page.actor)
                state.say(f"{numbers.count(len(price_table), 'price')} imported.")
                st.rerun()


def _frame(price_list: list[Price], unpriced: list[str]) -> pd.DataFrame:
    """The stored prices, and a row to fill for each model that was asked without one."""
    currency = price_list[0].currency if price_list else ""
    rows = [
        (price.model, f"{price.input_per_million:f}", f"{price.output_per_million:f}", price.currency)
        for price in price_list
    ]
    rows += [(model, "", "", currency) for model in unpriced]
    return pd.DataFrame(rows, columns=list(TITLES), dtype="str")


def _read(edited: pd.DataFrame) -> list[Price]:
    """The prices of an edited table; a row without both amounts is one nobody has filled."""
    rows = edited.fillna("").astype(str).to_numpy().tolist()
    filled = [row for row in rows if row[1].strip() or row[2].strip()]
    return [prices.price_of(*row) for row in filled]


def _price_table(page: Page) -> dict[str, Price]:
    with page.store.read() as connection:
        return model_prices.all(connection, page.project.id)


@cache.read("calls", "prices")
def _used_models(store: Store, project_id: str) -> list[str]:
    """Every model the project has asked."""
    with store.read() as connection:
        return reads.values(connection, project_id)["model"]
