"""What the sample project is for: its profile, and criteria that are locked before its run."""

from __future__ import annotations

from core.criteria.service import criteria_changes, criterion, lock_criteria, save_criteria
from core.domain.sources.profiles import Materiality, ProjectProfile, Risk, SystemUnderTest
from core.project.profiles import project_profile, save_profile
from core.store.database import Store

PROFILE = ProjectProfile(
    purpose="Decide whether branch staff may use the assistant for questions on products, fees and branches.",
    scope="Facts that stand in the bank's product, fee and branch documents, asked in English, in short and in long "
    "wordings. Advice, complaints and questions about a client's own account are left out.",
    intended_use="Staff look up a fact and read the passage beside it before they tell a client. It must not be used "
    "by clients themselves, nor for decisions on credit.",
    system=SystemUnderTest(
        name="Branch assistant",
        version="0.3 (pilot)",
        owner="Retail Banking, Digital Channels",
        model="None: it answers with the best passage",
        description="Keyword search over the bank's documents, one passage (k = 1), answered with the sentence that "
        "matches best.",
    ),
    users="About 400 staff of 60 branches; their clients are affected by what they are told.",
    risks=(
        Risk(
            name="Wrong rate or fee quoted",
            materiality=Materiality.HIGH,
            description="A client is told a wrong price, relies on it, and the bank has to stand by it.",
        ),
        Risk(
            name="Outdated or missing document",
            materiality=Materiality.MEDIUM,
            description="The fact is not in the documents, and the assistant answers all the same.",
        ),
        Risk(
            name="Answer hangs on the wording",
            materiality=Materiality.MEDIUM,
            description="A long question gets another answer than a short one, so staff lose trust.",
        ),
        Risk(
            name="Slow answers at the counter",
            materiality=Materiality.LOW,
            description="Staff go back to the manual; nobody is harmed.",
        ),
    ),
)

CRITERIA = (
    criterion("accuracy", 0.8, bound="lower bound", note="What staff reach with the manual."),
    criterion("knowledge_gap", 0.1, note="More cannot be mended by the assistant's owner."),
    criterion("retrieval", 0.1, bound="upper bound", note="Retrieval is what the pilot is to improve."),
    criterion("flip_rate", 0.15, note="Staff ask the same thing in many ways."),
)


def ensure_purpose(store: Store, project_id: str, actor: str) -> None:
    """Writes the profile and the locked criteria of the sample project, where nobody ever wrote any."""
    if not project_profile(store, project_id).changed_at:
        save_profile(store, project_id, PROFILE, actor=actor)
    if not criteria_changes(store, project_id):
        save_criteria(store, project_id, CRITERIA, actor=actor)
        lock_criteria(store, project_id, actor=actor)
