"""Two raters label by keyboard in two browsers, one goes offline and comes back; then a second look and calibration."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.calibration.report import Decision
from core.calibration.service.cases.results import calibrated_cases
from core.domain.results.labels import Criterion, LabelRound, Part
from core.domain.sources.projects import Project
from core.labelling.criteria import ensure_default_criteria
from core.labelling.rating.tasks import labels_of_task, progress, tasks
from core.labelling.rounds import create_round, list_rounds
from core.labelling.sampling.records import Drawn
from core.project.service import create_project
from core.store.database import Store
from core.store.people import calibrations
from core.store.people import labels as label_table
from tests.support.application import server
from tests.support.application.screen import click, fill, settle
from tests.support.runs import scored_run
from tests.support.small_bank import ACTOR

pytestmark = [pytest.mark.journey, pytest.mark.slow]

CASES, UNLABELLED = 30, 20
DISPUTED = "case-7"
HOSTILE = "<img src=http://evil.test/a.png onerror=alert(1)> <script>alert(1)</script> **bold** [l](http://evil.test)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A server with a round of thirty cases for two raters."""

    address: str
    store: Store
    project: Project
    round: LabelRound
    criterion: Criterion

    def link(self, rater: str) -> str:
        return f"{self.address}/label?project={self.project.id}&round={self.round.id}&rater={rater}"

    def values(self, rater: str) -> dict[str, float | None]:
        """What the rater said, by case."""
        found = {}
        for task in tasks(self.store, self.round.id, rater):
            said = labels_of_task(self.store, self.round.id, rater, task.case_id, occurrence=task.occurrence)
            if said:
                found[task.case_id] = said[self.criterion.id].value
        return found


@pytest.fixture
def setting(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Setting]:
    """The second passage of each case has 100 words, or as many as the test wants."""
    words = getattr(request, "param", 100)
    data = tmp_path / "data"
    data.mkdir()
    with Store.open(f"sqlite:///{data / 'plumbline.sqlite'}") as store:
        project = create_project(store, "Loans assistant", ACTOR)
        rows = [
            scored_run.Row(
                question=f"What is fee number {place}?",
                answer=f"Fee {place} is 5 percent. {HOSTILE}",
                passages=(f"Fee {place} is 5 percent of the loan. {HOSTILE}", "Word " * words),
                # Odd answers are good and score high; those that nobody labels lie in between.
                support=((0.85 if place % 2 else 0.15) + place / 500 if place < CASES else 0.5,),
            )
            for place in range(CASES + UNLABELLED)
        ]
        run = scored_run.add_run(store, project.id, rows)
        criterion = ensure_default_criteria(store, project.id, actor=ACTOR)[0]
        made = create_round(
            store,
            run.id,
            name="Pilot",
            criteria=[criterion.id],
            raters=["Ada", "Grace"],
            items=[Drawn(case_id=f"case-{place}") for place in range(CASES)],
            actor=ACTOR,
        )
        with server.running(data, sample=False) as address:
            yield Setting(address=address, store=store, project=project, round=made, criterion=criterion)


def wanted(place: int, rater: str) -> int:
    """What a rater says of a case: even ones are incorrect, odd ones correct; Grace differs on one."""
    value = place % 2
    return 1 - value if rater == "Grace" and f"case-{place}" == DISPUTED else value


def number(page: Page) -> int:
    """The number of the fee that is asked for."""
    words = page.locator(".pl-question .pl-text").inner_text()
    return int(re.search(r"\d+", words)[0])  # type: ignore[index]


def done(page: Page, count: int) -> None:
    """Waits until so many cases are done and the next one is there."""
    expect(page.locator(".st-key-label_edge")).to_contain_text(f"{count} of {CASES} done")


def label(page: Page, rater: str, first: int, last: int) -> None:
    """Labels by keyboard: the first level has the key 1, the second the key 2."""
    for count in range(first, last):
        settle(page)
        place = number(page)
        page.keyboard.press(str(wanted(place, rater) + 1))
        done(page, count + 1)
        if count + 1 < CASES:
            expect(page.locator(".pl-question .pl-text")).not_to_have_text(f"What is fee number {place}?")


def test_two_raters_label_thirty_cases_and_nothing_is_lost_offline(
    setting: Setting, visit: Callable[[str], Page]
) -> None:
    ada, grace = visit(setting.link("Ada")), visit(setting.link("Grace"))
    for page in (ada, grace):
        done(page, 0)
        expect(page.get_by_role("button", name="Incorrect")).to_be_visible()
    label(ada, "Ada", 0, 10)
    label(grace, "Grace", 0, 10)

    # Grace goes offline in the middle and presses on; Ada does not notice.
    grace.context.set_offline(True)
    expect(grace.get_by_text("You are offline.")).to_be_visible()
    shown = number(grace)
    grace.keyboard.press(str(wanted(shown, "Grace") + 1))
    label(ada, "Ada", 10, 20)
    assert len(setting.values("Grace")) == 10
    done(grace, 10)
    # Back again: what she pressed is kept, and once.
    grace.context.set_offline(False)
    done(grace, 11)
    expect(grace.get_by_text("You are offline.")).to_be_hidden()
    assert setting.values("Grace")[f"case-{shown}"] == float(wanted(shown, "Grace"))
    grace.reload()
    done(grace, 11)
    expect(grace.get_by_role("button", name="Incorrect")).to_be_visible()
    label(grace, "Grace", 11, CASES)

    # Ada closes the browser and goes on in another one where she left off.
    ada.close()
    again = visit(setting.link("Ada"))
    done(again, 20)
    expect(again.get_by_role("button", name="Incorrect")).to_be_visible()
    label(again, "Ada", 20, CASES)
    for page in (again, grace):
        expect(page.get_by_text("All your cases are done")).to_be_visible()
    for rater in ("Ada", "Grace"):
        assert setting.values(rater) == {f"case-{place}": float(wanted(place, rater)) for place in range(CASES)}
    assert {one.rater: (one.done, one.of) for one in progress(setting.store, setting.round.id)} == {
        "Ada": (CASES, CASES),
        "Grace": (CASES, CASES),
    }

    # A validator looks twice at the one case where they differ.
    lead = visit(f"{setting.address}/label?project={setting.project.id}&view=second&case={DISPUTED}")
    expect(lead.get_by_text("1 case with different labels, 1 not adjudicated")).to_be_visible()
    opened = lead.locator(".st-key-dispute_open")
    expect(opened).to_contain_text("fee number 7?")
    click(opened.get_by_text("1 Correct", exact=True).last)
    fill(opened.get_by_label("Reason (required)"), "The passage says five percent.")
    click(opened.get_by_role("button", name="Decide"))
    expect(lead.get_by_text(f"Case {DISPUTED} is decided: 1 Correct.")).to_be_visible()
    with setting.store.read() as connection:
        looks = label_table.adjudications_of(connection, setting.round.run_id, setting.criterion.id)
    assert {case_id: look.value for case_id, look in looks.items()} == {DISPUTED: 1.0}

    # Thirty labels promise 80%: the clear answers are decided, those in between go to people in a new round.
    lead.goto(f"{setting.address}/calibrate?project={setting.project.id}&columns=groundedness&alpha=0.2")
    click(lead.get_by_role("button", name="Calibrate", exact=True))
    expect(lead.get_by_text("Coverage, promised 80%")).to_be_visible()
    with setting.store.read() as connection:
        (calibrated,) = calibrations.of_run(connection, setting.round.run_id)
    click(lead.get_by_text("Decide", exact=True).first)
    expect(lead.get_by_role("button", name="Open a label round")).to_be_enabled()
    decisions = [one.decision for one in calibrated_cases(setting.store, calibrated.id).cases]
    assert {Decision.ACCEPT, Decision.REJECT, Decision.HUMAN} == set(decisions)
    assert decisions.count(Decision.HUMAN) >= UNLABELLED
    click(lead.get_by_role("button", name="Open a label round"))
    expect(lead).to_have_url(re.compile("/label.*round="))
    queued = next(one for one in list_rounds(setting.store, setting.project.id) if one.id != setting.round.id)
    with setting.store.read() as connection:
        items = label_table.items(connection, queued.id)
    assert {item.case_id for item in items} == {f"case-{place}" for place in range(CASES, CASES + UNLABELLED)}
    assert all(item.part is Part.TARGETED for item in items)
    expect(lead.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.parametrize("setting", [20_000], indirect=True)
def test_keys_are_letters_while_somebody_types_and_marks_are_kept(
    setting: Setting, visit: Callable[[str], Page]
) -> None:
    page = visit("about:blank")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(setting.link("Ada"))
    done(page, 0)
    field = page.get_by_label("Comment on Correct (optional)")
    field.click()
    page.keyboard.type("12 sux")
    expect(field).to_have_value("12 sux")
    # Words are marked with the mouse and the key E, outside the field.
    page.locator(".pl-head").first.click()
    settle(page)
    answer = page.locator(".pl-answer .pl-text")
    answer.evaluate(
        "box => { const range = document.createRange(); range.setStart(box.firstChild, 0); "
        "range.setEnd(box.firstChild, 4); const all = document.getSelection(); all.removeAllRanges(); "
        "all.addRange(range) }"
    )
    page.keyboard.press("e")
    expect(answer.locator("mark")).to_have_text(re.compile("^Fee"))
    assert setting.values("Ada") == {}
    case_id = f"case-{number(page)}"
    page.keyboard.press("2")
    done(page, 1)
    said = labels_of_task(setting.store, setting.round.id, "Ada", case_id)[setting.criterion.id]
    assert (said.value, said.comment) == (1.0, "12 sux")
    assert [(span.where, span.start, span.end) for span in said.spans] == [("answer", 0, 3)]
    # Undo asks the same case again and keeps nothing of the answer; the texts of a model were never markup.
    page.keyboard.press("u")
    done(page, 0)
    assert f"case-{number(page)}" == case_id
    # Of a long text the beginning is there at once, the rest after a click.
    passage = page.locator(".pl-passage").last
    assert len(passage.locator(".pl-text").inner_text()) == 8_000
    passage.get_by_role("button", name="Show all 100,000 characters").click()
    assert len(passage.locator(".pl-text").evaluate("box => box.textContent")) == 100_000
    main = page.get_by_test_id("stMain")
    assert main.locator(".pl-reading img, .pl-reading script, .pl-reading a").count() == 0
    expect(answer).to_contain_text("<img src=http://evil.test/a.png onerror=alert(1)>")
    assert [url for url in asked if "evil" in url] == []
