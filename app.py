"""Plumbline's entry: navigation, sign-in, theme; nothing else."""

import streamlit as st

from pages.kit import frame, navigation, sidebar
from pages.kit.look import reveal

frame.configure(frame.PRODUCT)
pages = {
    spec.key: st.Page(spec.path, title=spec.title, url_path=spec.url_path or None, default=not spec.url_path)
    for spec in navigation.PAGES
}
current = st.navigation(list(pages.values()), position="hidden")
sidebar.draw(pages)
current.run()
reveal.draw(current.url_path)
