"""Plumbline's entry: navigation, sign-in, theme; nothing else."""

import streamlit as st

from pages.kit import frame, navigation, sidebar

frame.configure(frame.PRODUCT)
current = st.navigation(
    [
        st.Page(spec.path, title=spec.title, url_path=spec.url_path or None, default=not spec.url_path)
        for spec in navigation.PAGES
    ],
    position="hidden",
)
sidebar.draw()
current.run()
