"""Which questions do the documents answer? Write them for each topic, review them, see what was turned down and why."""

import streamlit as st

from core.domain.sources.projects import Role, SourceKind
from core.domain.testset.question_drafts import DraftStatus
from pages.kit import frame, project_reads, state
from pages.kit.look import numbers
from pages.test_set.questions import checks, reads, review, write
from pages.test_set.questions import list as question_list

page = frame.begin(__file__)
source = project_reads.source(page.store, page.project.id, SourceKind.CORPUS)
if source is None:
    frame.empty(
        "No documents are loaded.",
        "Questions are written from passages of the documents that the system under test reads.",
        "connect",
        "Load documents",
    )
    st.stop()
counts = reads.counts(page.store, page.project.id)
if not reads.has_topics(page.store, page.project.id):
    frame.empty(
        "No topics were found in the documents yet.",
        "Questions are drawn from every topic, so that none is forgotten; find the topics first.",
        "topics",
        "Find topics",
    )
    st.stop()
may_write = page.may(Role.VALIDATOR)
waiting, approved = counts[DraftStatus.DRAFT], counts[DraftStatus.APPROVED]
page.context(
    f"corpus {source.name}",
    f"{numbers.count(waiting, 'question')} to review",
    f"{approved:,} approved",
    f"{counts[DraftStatus.TURNED_DOWN]:,} turned down by the checks",
)
busy = write.watch(page)
written = sum(counts.values()) > 0
view = state.switch(
    "Part",
    ["review", "list", "checks", "write"] if may_write else ["review", "list", "checks"],
    "view",
    default="review" if written or not may_write else "write",
    name={
        "review": f"Review {waiting:,}",
        "list": "All questions",
        "checks": "What the checks found",
        "write": "Write questions",
    }.__getitem__,
    label_visibility="collapsed",
)
if view == "write":
    write.draw(page, busy=busy, first=not written)
elif not written:
    st.info("No question is written yet.")
elif view == "list":
    question_list.draw(page, may_write)
elif view == "checks":
    checks.draw(page)
else:
    write.shortfall(page)
    review.draw(page, may_write)
