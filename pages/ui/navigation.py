"""The pages in workflow order: where each lives, what it is called, the question it answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
"""The folder of ``app.py``."""

ICON: Final = ROOT / "pages" / "ui" / "static" / "icon.png"
"""The page icon: a local PNG, since a named icon would be fetched from outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSpec:
    """One page.

    Attributes:
        key: Its stable name in code.
        section: The part of the workflow it belongs to.
        file: Its file, relative to ``app.py``.
        title: Its name in the sidebar.
        question: What it answers; the title on the page.
        about: One sentence for the hover.
        url_path: Its address below the app's own; empty for the page the app opens with.
    """

    key: str
    section: str
    file: str
    title: str
    question: str
    about: str
    url_path: str

    @property
    def path(self) -> Path:
        """Its absolute path."""
        return ROOT / self.file


PAGES: Final = (
    PageSpec(
        key="overview",
        section="Set up",
        file="pages/set_up/overview.py",
        title="Overview",
        question="Where does this validation stand?",
        about="What the project has, what comes next, and the figures of the latest run.",
        url_path="",
    ),
    PageSpec(
        key="connect",
        section="Set up",
        file="pages/set_up/connect.py",
        title="Connect",
        question="What do we know for certain?",
        about="Connect the database that holds the truth and the documents the system reads.",
        url_path="connect",
    ),
    PageSpec(
        key="models",
        section="Set up",
        file="pages/set_up/models.py",
        title="Models",
        question="Which language models may Plumbline ask, and what did they say?",
        about="Endpoints, the prompts they are asked with, what they cost, and every call with its reply. Optional.",
        url_path="models",
    ),
    PageSpec(
        key="templates",
        section="Test set",
        file="pages/test_set/templates.py",
        title="Templates",
        question="Which questions can the database answer?",
        about="Review SQL templates and their wordings; every question of the test set comes from one of each.",
        url_path="templates",
    ),
    PageSpec(
        key="topics",
        section="Test set",
        file="pages/test_set/topics.py",
        title="Topics",
        question="What do the documents speak of?",
        about="Groups of passages that say similar things; questions from documents are drawn from each of them.",
        url_path="topics",
    ),
    PageSpec(
        key="questions",
        section="Test set",
        file="pages/test_set/questions.py",
        title="Questions",
        question="Which questions do the documents answer?",
        about="Questions written from passages of every topic, examined by checks and reviewed by a person.",
        url_path="questions",
    ),
    PageSpec(
        key="test_set",
        section="Test set",
        file="pages/test_set/test_set.py",
        title="Test set",
        question="What will be asked?",
        about="Fill the approved templates with the database's values, look at the questions, freeze them.",
        url_path="test-set",
    ),
    PageSpec(
        key="run",
        section="Evaluate",
        file="pages/evaluate/run.py",
        title="Run",
        question="What does the system answer?",
        about="Put a frozen test set to a system and judge its answers.",
        url_path="evaluate",
    ),
    PageSpec(
        key="results",
        section="Evaluate",
        file="pages/evaluate/results.py",
        title="Results",
        question="Which answers are wrong?",
        about="Every answer with its reference, its passages and the rule that judged it.",
        url_path="results",
    ),
    PageSpec(
        key="label",
        section="People",
        file="pages/people/label.py",
        title="Label",
        question="Would a person agree?",
        about="Put answers of a run to people, one at a time and blind, and see how far they agree.",
        url_path="label",
    ),
    PageSpec(
        key="calibrate",
        section="People",
        file="pages/people/calibrate.py",
        title="Calibrate",
        question="What does a score promise?",
        about="Turn scores into the chance that a person would agree, say how sure that is, and send the doubtful "
        "answers to people.",
        url_path="calibrate",
    ),
    PageSpec(
        key="diagnose",
        section="Analyse",
        file="pages/analyse/diagnose.py",
        title="Diagnose",
        question="Which module is broken?",
        about="Whether errors come from the knowledge, the retrieval or the language model, with intervals.",
        url_path="diagnose",
    ),
    PageSpec(
        key="weakness",
        section="Analyse",
        file="pages/analyse/weakness.py",
        title="Weakness",
        question="Where is it weak?",
        about="Topics, types and their combinations that are answered worse than the rest, shown by tests.",
        url_path="weakness",
    ),
    PageSpec(
        key="three_way",
        section="Analyse",
        file="pages/analyse/three_way.py",
        title="Know, read, retrieve",
        question="Does it know, read or retrieve?",
        about="The same questions without documents, with the gold documents and live, and a check of the test data.",
        url_path="know-read-retrieve",
    ),
    PageSpec(
        key="judges",
        section="Analyse",
        file="pages/analyse/judges.py",
        title="Judges",
        question="Which judge can be trusted?",
        about="Precision and recall of every judge of a run against verdicts that are taken for true.",
        url_path="judges",
    ),
    PageSpec(
        key="exchange",
        section="Report",
        file="pages/report/exchange.py",
        title="Import and export",
        question="What did other tools measure, and who needs ours?",
        about="Files of Ragas, DeepEval, GroUSE, TruLens, MLflow, RAGChecker, GRAMMAR and InspectorRAGet, in and out.",
        url_path="exchange",
    ),
)
"""Every page, in the order of the work."""


def spec(page: str) -> PageSpec:
    """The page of that key or file.

    Args:
        page: A key ("run") or the page's ``__file__``.

    Raises:
        KeyError: No page has that key or file; a mistake in the code.
    """
    for candidate in PAGES:
        if page == candidate.key or (page.endswith(".py") and Path(page).resolve() == candidate.path):
            return candidate
    raise KeyError(page)
