"""Templates and wordings by a model on the Templates page: the form, the job, what was requested and delivered."""

import pytest

from core import jobs
from core.domain.jobs import JobState
from core.domain.testset.templates import TemplateStatus
from core.llm.spending import prices
from core.store import jobs as job_rows
from core.store.testset import templates
from core.testset.templates.generating import KIND, generate_job, start_generation
from core.testset.templates.llm_requests import Generation
from core.testset.templates.review import propose_text_templates, save_sql_template, set_sql_status
from tests.core.testset.grounded.llm.script import part, rejected, user
from tests.pages.clicks import as_viewer, captions, holding, keys
from tests.pages.test_set.test_templates import connected  # noqa: F401
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.small_bank import ACTOR, said

CITY = "SELECT city FROM branch WHERE name = '[branch.name]'"
MARKED = "SELECT *street* FROM branch WHERE name = '[branch.name]'"
SHORT = "City of branch '[branch.name]'"
OTHER = "Where is branch '[branch.name]'?"


def script(body):
    question = part(body, "question")
    if question:
        return {"sql": "" if question == OTHER else CITY, "reason": "It could be its *street* or its city."}
    if part(body, "query"):
        return {"wordings": [SHORT, OTHER]}
    return {"templates": [CITY, MARKED] if part(body, "tables") == "branch" and not rejected(body) else []}


@pytest.fixture
def server():
    with LlmServer(script) as started:
        yield started


def by_model(app, server):
    """Chooses the language model and says which."""
    app.segmented_control(key="writer").set_value("llm").run()
    app.text_input(key="generate_url").set_value(server.base_url)
    app.text_input(key="generate_model").set_value("m").run()
    return app


def done(store, project, generation, job_id="job_done"):
    """The job of a generation, done in this process."""
    job = jobs.Job(id=job_id, project_id=project.id, kind=KIND, actor=ACTOR, params=generation.as_params())
    with store.write(ACTOR, "job.start", project_id=project.id) as connection:
        job_rows.add(connection, job)
        job_rows.claim(connection, job.id, job.worker)
    assert generate_job(jobs.JobContext(store, job))
    with store.pulse() as connection:
        assert job_rows.close(connection, job.id, "", JobState.FINISHED)


def approved(store, project):
    saved = save_sql_template(store, project.id, CITY, actor=ACTOR)
    assert set_sql_status(store, project.id, [saved.id], TemplateStatus.APPROVED, actor=ACTOR) == []
    return saved


def test_rules_are_the_default_and_a_model_says_what_it_needs(open_page, store, connected):  # noqa: F811
    app = open_page("templates", project=connected.id)
    assert app.segmented_control(key="writer").value == "rules"
    assert "propose_sql" in keys(app)
    assert "generate_sql" not in keys(app)
    app.segmented_control(key="writer").set_value("llm").run()
    assert not app.exception
    assert "propose_sql" not in keys(app)
    # Two single tables and one pair, five templates of each.
    assert "3 table sets, 15 templates requested: 3 to 6 model calls" in captions(app)
    assert "Rows are not" in captions(app)
    assert "Give the model and its address" in captions(app)
    app.button(key="generate_sql").click().run()
    assert "choose Rules above" in said(app)
    assert jobs.list_jobs(store, connected.id) == []


@pytest.mark.slow
def test_a_model_writes_in_a_worker_and_a_reload_shows_what_it_delivered(open_page, store, connected, server):  # noqa: F811
    app = by_model(open_page("templates", project=connected.id), server)
    app.multiselect(key="llm_sizes").set_value([1])
    app.number_input(key="llm_per_set").set_value(2)
    app.text_area(key="llm_sql_criteria").set_value("Branches first.").run()
    assert f"2 table sets, 4 templates requested: 2 to 4 model calls to 127.0.0.1:{server.port}" in captions(app)
    app.button(key="generate_sql").click().run()
    assert not app.exception
    [job] = jobs.list_jobs(store, connected.id)
    assert app.query_params["job"] == job.id
    ended = jobs.wait(store, job.id, seconds=60)
    assert ended.state is JobState.FINISHED, ended.error
    assert any("Branches first." in user(body) for body in server.bodies)
    app.run()
    assert app.expander(key="generated").label == "Written last by a model: 1 of 4 templates requested"
    assert holding(app, "Why fewer")["Delivered"].tolist() == [0, 1]
    [item] = holding(app, "Proposal").to_dict("records")
    assert (item["Proposal"], item["Check"], item["Asked"], item["For"]) == (MARKED, "parses", "at first", "branch")
    assert holding(app, "SQL")["From"].tolist() == ["llm"]
    again = open_page("templates", project=connected.id)
    assert again.expander(key="generated").label == "Written last by a model: 1 of 4 templates requested"


@pytest.mark.slow
def test_wordings_in_a_form_of_ones_own_with_flags_beside_them(open_page, store, connected, server):  # noqa: F811
    approved(store, connected)
    app = by_model(open_page("templates", project=connected.id, view="text"), server)
    app.multiselect(key="llm_forms").set_value(["short", "pirate"])
    app.run()
    app.text_input(key="about_pirate").set_value("Like a sailor.")
    app.toggle(key="llm_round_trip").set_value(True).run()
    # One template in two forms, three wordings each: two calls, four at most, and six to turn back.
    assert "2 pairs of template and form, 6 wordings requested: 8 to 10 model calls" in captions(app)
    app.button(key="generate_text").click().run()
    assert not app.exception
    [job] = jobs.list_jobs(store, connected.id)
    assert job.params["forms"] == {"short": "", "pirate": "Like a sailor."}
    assert job.params["round_trip"] is True
    jobs.stop(store, job.id, ACTOR)
    jobs.wait(store, job.id, seconds=60)


@pytest.mark.slow
def test_a_wording_that_cannot_be_turned_back_is_flagged_on_its_card(open_page, store, connected, server):  # noqa: F811
    approved(store, connected)
    done(store, connected, Generation(what="text", model=server.spec(), forms={"short": ""}, n=3, round_trip=True))
    app = open_page("templates", project=connected.id, view="text", job="job_done")
    assert not app.exception
    assert "It could not be turned back into SQL: It could be its *street* or its city." in said(app)
    assert "1 of 2 gave equal results, 1 flagged for review, 0 without a usable reply" in said(app)
    assert app.expander(key="generated").label == "Written last by a model: 2 of 3 wordings requested"
    # A flag does not keep it from approval; it is only not approved unseen.
    assert "Approve 1 passing draft" in app.button(key="approve_all_text").label
    with store.read() as connection:
        flagged = next(text for text in templates.text(connection, connected.id) if text.text == OTHER)
    app.button(key=f"approve_{flagged.id}").click().run()
    with store.read() as connection:
        assert [text.id for text in templates.text(connection, connected.id, status=TemplateStatus.APPROVED)] == [
            flagged.id
        ]


@pytest.mark.slow
def test_drafts_are_turned_back_later(open_page, store, connected, server):  # noqa: F811
    approved(store, connected)
    propose_text_templates(store, connected.id, forms=("short",), n=2, actor=ACTOR)
    server.script = lambda body: {"sql": CITY.replace("city", "manager"), "reason": ""}
    done(store, connected, Generation(what="round_trip", model=server.spec()))
    app = by_model(open_page("templates", project=connected.id, view="text"), server)
    assert app.expander(key="generated").label == "Last round trip: 2 of 2 wordings flagged"
    assert "Results differ for 6 of 6 sampled placeholder values" in said(app)
    # The statement of the chosen template stands above those of the wordings.
    assert [item.value for item in app.code] == [CITY, *[CITY, CITY.replace("city", "manager")] * 2]
    assert app.button(key="turn_back").label == "Turn 2 drafts back into SQL"


@pytest.mark.slow
def test_a_viewer_sees_what_was_written_and_asks_no_model(open_page, finished, bank, monkeypatch, server):
    done(finished, bank, Generation(what="sql", model=server.spec(), sizes=(1,), per_set=1))
    app = as_viewer(open_page("templates", project=bank.id), finished, bank, monkeypatch)
    # Rules pass over the city, which the names of all branches hold.
    assert app.expander(key="generated").label == "Written last by a model: 1 of 2 templates requested"
    assert "generate_sql" not in keys(app)
    assert not [item for item in app.segmented_control if item.key == "writer"]


def test_what_had_no_reply_is_told_with_its_remedy(open_page, store, connected, server):  # noqa: F811
    fine = server.script
    server.script = lambda body: Fault(status=400) if part(body, "tables") == "account" else fine(body)
    done(store, connected, Generation(what="sql", model=server.spec(), sizes=(1,), per_set=1))
    app = open_page("templates", project=connected.id, job="job_done")
    assert not app.exception
    label = "Written last by a model: 1 of 2 templates requested, 1 table set without a usable reply"
    assert app.expander(key="generated").label == label
    assert "1 of 2 table sets had no usable reply" in said(app)
    assert "Ask again with the same settings" in said(app)
    assert "HTTP 400" in holding(app, "Why fewer")["Why fewer"].iloc[0]


@pytest.mark.slow
def test_a_job_that_had_no_reply_at_all_shows_why_and_can_be_resumed(open_page, store, connected):  # noqa: F811
    with LlmServer(lambda body: Fault(status=401)) as server:
        generation = Generation(what="sql", model=server.spec(), sizes=(1,))
        job = start_generation(store, connected.id, generation, actor=ACTOR)
        assert jobs.wait(store, job.id, seconds=120).state is JobState.FAILED
    app = open_page("templates", project=connected.id)
    assert not app.exception
    assert "No usable reply for 2 of 2 table sets" in said(app)
    assert "its key or the model's name on the Models page" in said(app) + captions(app)
    assert any(button.label == "Resume" for button in app.button)


def test_the_same_request_again_says_how_to_get_other_templates(open_page, store, connected, server):  # noqa: F811
    generation = Generation(what="sql", model=server.spec(), sizes=(1,), per_set=1)
    done(store, connected, generation)
    done(store, connected, generation, "job_again")
    app = open_page("templates", project=connected.id, job="job_again")
    assert app.expander(key="generated").label == "Written last by a model: 0 of 2 templates requested"
    assert "The same request was made before" in said(app)


@pytest.mark.slow
def test_a_budget_stops_the_job_until_it_is_raised(open_page, store, connected, server):  # noqa: F811
    prices.save(store, connected.id, [prices.price_of("m", "1000", "0", "EUR")], actor=ACTOR)
    app = by_model(open_page("templates", project=connected.id), server)
    parts = holding(app, "Tokens sent")
    assert list(parts["Purpose"]) == ["SQL templates"]
    # Three table sets once or twice, and a call or two that find out how the model is held to a form.
    assert parts["Calls"][0] == "4 to 8"
    assert parts["Cost"][0].endswith(" EUR")
    assert server.bodies == []
    app.number_input(key="sql_cost_budget_calls").set_value(2).run()
    app.button(key="generate_sql").click().run()
    assert not app.exception
    (job,) = jobs.list_jobs(store, connected.id)
    assert job.params["budget_calls"] == 2
    assert jobs.wait(store, job.id, seconds=300).state is JobState.FAILED
    app.run()
    assert "The budget of 2 calls is used up" in said(app)
    assert "2 model calls" in captions(app)
    assert "EUR" in captions(app)
    app.number_input(key=f"raise_{job.id}_calls").set_value(50)
    app.button(key="change_budget").click().run()
    assert not app.exception
    assert jobs.get(store, job.id).params["budget_calls"] == 50
