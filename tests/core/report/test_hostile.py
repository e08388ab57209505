"""Hostile texts show as texts in every format, and nobody's data and no secret is in any of them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from io import BytesIO
from xml.etree import ElementTree

import docx
import openpyxl
import pytest

from core.criteria.service import criterion, save_criteria
from core.domain.errors import InvalidInput
from core.domain.sources.profiles import ProjectProfile, Risk, SystemUnderTest
from core.project.profiles import project_profile, save_profile
from core.report.cases import case_rows
from core.report.collecting import ReportOptions, collect
from core.report.record import as_text
from core.report.render.docx import as_docx
from core.report.render.html import as_html
from core.report.render.junit import Check, as_junit, changes_as_junit
from core.report.render.xlsx import as_xlsx
from core.report.snapshots import comment
from core.weakness.findings.cases import write_finding
from core.weakness.findings.service import change_finding
from tests.support.runs.reported_run import HOSTILE, PRIVATE, SENTENCES
from tests.support.small_bank import ACTOR

DAY = ReportOptions(date="2026-11-23")


class Tags(HTMLParser):
    """The elements of a page with their attributes, and its texts outside scripts."""

    def __init__(self):
        super().__init__()
        self.tags, self.texts, self._within = [], [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._within = tag

    def handle_endtag(self, tag):
        self._within = ""

    def handle_data(self, data):
        if self._within not in ("script", "style"):
            self.texts.append(data)


@pytest.fixture
def content(store, hostile):
    comment(store, hostile.id, "results", f"{HOSTILE[0]} {HOSTILE[5]} {SENTENCES['card']}", actor=ACTOR)
    return collect(store, hostile.id, DAY)


def files(store, run, content):
    """Every text that leaves, by format."""
    rows = list(case_rows(store, run.id))
    book = openpyxl.load_workbook(BytesIO(as_xlsx(content, rows)))
    cells = [str(cell) for sheet in book for line in sheet.iter_rows(values_only=True) for cell in line if cell]
    document = docx.Document(BytesIO(as_docx(content, pictures=False)))
    words = [paragraph.text for paragraph in document.paragraphs]
    words += [cell.text for table in document.tables for line in table.rows for cell in line.cells]
    return {
        "html": as_html(content),
        "json": as_text(content),
        "xlsx": "\n".join(cells),
        "docx": "\n".join(words),
        "junit": as_junit(run.id, rows).decode(),
    }


@pytest.mark.slow
def test_no_secret_and_nobody_s_data_is_in_any_file(store, hostile, content):
    for name, text in files(store, hostile, content).items():
        for kind, value in PRIVATE.items():
            assert value not in text, f"{kind} in {name}"
            assert value.replace(" ", "") not in text, f"{kind} in {name}"
        assert "user:" not in text
        assert "llm.example/v1" in text or name in ("junit", "xlsx")


def test_html_has_only_its_own_elements_and_asks_nobody(content):
    page = as_html(content)
    tags = Tags()
    tags.feed(page)
    names = [tag for tag, _ in tags.tags]
    assert names.count("script") == 3
    assert not {"img", "iframe", "object", "embed", "link", "base", "form", "b", "u"} & set(names)
    for _, attributes in tags.tags:
        assert not [name for name in attributes if name.startswith("on")]
        assert all(
            not str(attributes.get(name, "#")).startswith(("http", "//", "javascript")) for name in ("href", "src")
        )
    said = " ".join(tags.texts)
    for text in HOSTILE[:4]:
        assert text in said
    assert "\u202e" not in page
    assert "⟨U+202E⟩" in said
    policy = next(one["content"] for tag, one in tags.tags if one.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    assert "connect-src 'none'" in policy
    assert "unsafe-inline" not in re.search("script-src[^;]*", policy)[0]


def test_no_cell_of_the_workbook_is_a_formula(store, hostile, content):
    book = openpyxl.load_workbook(BytesIO(as_xlsx(content, case_rows(store, hostile.id))))
    assert book.sheetnames == ["Figures", "Findings", "Cases"]
    for sheet in book:
        for line in sheet.iter_rows():
            assert all(cell.data_type != "f" for cell in line)
    owners = [line[6] for line in book["Findings"].iter_rows(min_row=2, values_only=True)]
    assert owners == ["'=cmd|' /C calc'!A0"]
    assert book["Cases"].max_row == 1 + len(HOSTILE) + len(SENTENCES)


def test_junit_counts_right_wrong_and_not_judged(store, hostile):
    root = ElementTree.fromstring(as_junit(hostile.id, case_rows(store, hostile.id)))
    [suite] = root
    tests = list(suite)
    assert (int(root.get("tests")), len(tests)) == (13, 13)
    failed = [test for test in tests if test.find("failure") is not None]
    skipped = [test for test in tests if test.find("skipped") is not None]
    assert (len(failed), len(skipped)) == (int(root.get("failures")), int(root.get("skipped"))) == (6, 2)
    assert "Right answer: Reference" in failed[0].find("failure").text
    reasons = {test.get("name")[:3]: test.find("skipped").get("message") for test in skipped}
    assert reasons == {"c03": "target failed", "c04": "not judged"}


def test_criteria_are_tests_too():
    rows = [
        {"text": "Accuracy: at least 0.9", "value": 0.5, "verdict": "not met", "entered": "locked", "reason": ""},
        {
            "text": "Recall: at least 0.9",
            "value": None,
            "verdict": "cannot be told",
            "entered": "locked",
            "reason": "No.",
        },
        {"text": "Fine", "value": 1.0, "verdict": "met", "entered": "locked", "reason": ""},
    ]
    root = ElementTree.fromstring(as_junit("run_1", [], rows))
    assert {name: root.get(name) for name in ("tests", "failures", "skipped")} == {
        "tests": "3",
        "failures": "1",
        "skipped": "1",
    }


def test_junit_of_two_runs_fails_what_became_wrong(store, hostile):
    rows = list(case_rows(store, hostile.id))
    right = [replace(row, verdict="correct") if row.verdict == "incorrect" else row for row in rows]
    other = replace(rows[0], question="Another question")
    missed = Check(name="delta=0", of="thresholds", outcome="failure", message=f"below {HOSTILE[5]}", type="missed")
    tree = ElementTree.fromstring(changes_as_junit("run_a", "run_b", right, [*rows[1:], other], [missed]))
    cases, thresholds = tree.findall("testsuite")
    wrong = sum(row.verdict == "incorrect" for row in rows[1:])
    assert (cases.get("tests"), cases.get("failures")) == (str(len(rows) - 1), str(wrong))
    assert {one.get("type") for one in cases.iter("failure")} == {"became wrong"}
    assert thresholds.find("testcase/failure").get("message") == "below paid ⟨U+202E⟩0001 EUR"
    # Wrong in both is no regression, and no pass.
    again = ElementTree.fromstring(changes_as_junit("run_a", "run_b", rows, rows))
    assert again.get("failures") == "0"
    assert sum(one.get("message") == "wrong before and after" for one in again.iter("skipped")) == sum(
        row.verdict == "incorrect" for row in rows
    )


def test_what_people_write_on_every_page_is_text_in_every_file_and_nothing_of_it_is_lost(store, hostile):
    def written(where):
        return f"{where} starts {' '.join(HOSTILE)} {where} ends"

    profile = ProjectProfile(
        purpose=written("purpose"),
        scope=written("scope"),
        intended_use=written("use"),
        system=SystemUnderTest(
            name="<b>Bot</b>", version="=1+1", owner="@SUM(A1)", model="![m](x)", description=written("system")
        ),
        users=written("users"),
        risks=(Risk(name="<i>Risk</i> \u202eksiR", description=written("risk")),),
    )
    save_profile(store, hostile.project_id, profile, actor=ACTOR)
    note = f"<b>why</b> {HOSTILE[4]}"
    save_criteria(store, hostile.project_id, [criterion("accuracy", 0.9, note=note)], actor=ACTOR)
    found = write_finding(store, hostile.id, f"=1+1 {HOSTILE[1]}", ["c00"], actor=ACTOR)
    change_finding(store, found.id, owner="+49 \u202e <b>x</b>", comment=written("decision"), actor=ACTOR)
    for section in ("purpose", "results", "sign_off"):
        comment(store, hostile.id, section, written(f"on {section}"), actor=ACTOR)
    content = collect(store, hostile.id, DAY)
    tags = Tags()
    said = files(store, hostile, content)
    tags.feed(said["html"])
    assert not {"img", "b", "i", "a"} & {
        tag for tag, attributes in tags.tags if not attributes.get("href", "").startswith("#")
    }
    said["html"] = " ".join(tags.texts)
    said["json"] = json.dumps(json.loads(said["json"]), ensure_ascii=False)
    for name in ("html", "json", "docx"):
        text = " ".join(said[name].replace('\\"', '"').split())
        assert "\u202e" not in text, name
        for where in (
            "purpose",
            "scope",
            "use",
            "system",
            "users",
            "risk",
            "on purpose",
            "on results",
            "on sign_off",
            "decision",
        ):
            between = text.partition(f"{where} starts ")[2].partition(f" {where} ends")[0]
            assert between, f"{where} in {name}"
            for one in HOSTILE:
                assert " ".join(one.replace("\u202e", "⟨U+202E⟩").split()) in between, f"{one} of {where} in {name}"
        assert "<i>Risk</i> ⟨U+202E⟩ksiR" in text
        assert note in text
        assert f"=1+1 {HOSTILE[1]}" in text


@pytest.mark.parametrize("length", [20_000])
def test_a_text_too_long_is_refused_by_its_length_and_what_was_there_stays(store, hostile, length):
    save_profile(store, hostile.project_id, ProjectProfile(purpose="Decide."), actor=ACTOR)
    with pytest.raises(InvalidInput, match="20,000"):
        save_profile(store, hostile.project_id, ProjectProfile(purpose="x" * length), actor=ACTOR)
    with pytest.raises(InvalidInput, match="20,000"):
        comment(store, hostile.id, "results", "x" * length, actor=ACTOR)
    with pytest.raises(InvalidInput, match="20,000"):
        write_finding(store, hostile.id, "x" * length, [], actor=ACTOR)
    assert project_profile(store, hostile.project_id).purpose == "Decide."
