"""Is everything as it was written? Rows and entries checked against what each write left."""

from pages.kit import frame
from pages.report.audit import view

page = frame.begin(__file__)
checked = view.checked(page)
view.context(page, checked)
view.verdict(page, checked)
view.check(page, primary=checked is None)
view.anchored(page)
view.trail(page)
