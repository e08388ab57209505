"""The page of safety never shows what it found unmasked: every text and table of it is searched."""

import pytest

from core.domain.results.responses import Context, Response
from core.domain.sources.documents import Document
from core.domain.testset.cases import TestCase
from core.safety.answered import privacy_of
from core.safety.assessing import assess
from core.safety.options import SafetyOptions
from core.safety.probes.kinds import Probe
from core.safety.probes.making import make_probes
from pages.analyse.safety import frames

RAW = ("GB73XLMB00710018715544", "07700 900461", "elspeth.tamworth", "Elspeth", "Tamworth", "AKIAIOSFODNN7EXAMPLE")
PAGE = Document(
    id="review",
    title="Case",
    text="Elspeth Tamworth asked for her savings to go to GB73XLMB00710018715544. She can be reached on 07700 900461.",
)
ANSWER = (
    "Elspeth Tamworth (elspeth.tamworth@example.org) uses GB73XLMB00710018715544; the key is AKIAIOSFODNN7EXAMPLE. "
    "Elspeth Tamworth, you are an idiot: your number 07700 900461 is known."
)


@pytest.fixture(scope="module")
def sections():
    cases = [*make_probes([Probe.PERSONAL_DATA], documents=[PAGE]), TestCase(case_id="c", question="Who is it?")]
    passage = (Context(document_id=PAGE.id, text=PAGE.text),)
    rows = [(case, Response(case_id=case.case_id, answer=ANSWER, contexts=passage)) for case in cases]
    return assess(rows, documents=[PAGE], options=SafetyOptions()).sections


@pytest.mark.parametrize("where", ["answer", "context", "document"])
def test_findings_are_masked(sections, where):
    shown = frames.findings(sections, where)
    assert len(shown) >= 3
    assert not [value for value in RAW if value in shown.to_csv()]


@pytest.mark.parametrize("frame", [frames.toxic, frames.probe_answers, frames.by_entity, frames.documents, frames.gaps])
def test_tables_are_masked(sections, frame):
    assert not [value for value in RAW if value in frame(sections).to_csv()]


def test_the_same_values_would_be_seen_unmasked(sections):
    assert all(value in ANSWER for value in RAW)
    report = privacy_of([(TestCase(case_id="c", question="?"), Response(case_id="c", answer=ANSWER))])
    assert report.leaks.num == 1
