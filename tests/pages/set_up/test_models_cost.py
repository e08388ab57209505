"""What a run will cost on the Run page: one line, a table, a budget."""

from streamlit.testing.v1 import AppTest

from core.llm.spending.estimates import Between, CallPart
from core.runs.planning.plan import RunPlan
from pages.kit.models import cost


def part(model="m", *, money=None, purpose="judge", **more):
    return CallPart(
        purpose=purpose,
        model=model,
        base_url="http://llm.example/v1",
        calls=Between(low=10, high=30),
        prompt_tokens=Between(low=1_000, high=9_000),
        completion_tokens=Between(low=100, high=1_000),
        money=money,
        currency="EUR" if money else "",
        measured=0,
        seconds=None,
        at_once=8,
        notes=("A note.",),
        **more,
    )


def planned(*parts, seconds=None, untimed="nobody knows"):
    return RunPlan(cases=10, seconds=seconds, seconds_per_case=None, probed=0, parts=parts, untimed=untimed)


def panel():
    """The panel alone on a page; the plan is in the session."""
    import streamlit as st

    from pages.kit.models import cost

    st.session_state["options"] = cost.cost_panel(None, st.session_state["plan"])


def drawn(plan):
    app = AppTest.from_function(panel, default_timeout=120)
    app.session_state["plan"] = plan
    return app.run()


def test_a_plan_in_one_line_says_what_is_not_known():
    priced = part(money=Between(low=0.5, high=2.0))
    assert cost.summary(planned(priced, seconds=90.0)) == (
        "10 to 30 model calls, 1,100 to 10,000 tokens, 0.50 to 2.00 EUR; about 2 minutes."
    )
    line = cost.summary(planned(priced, part("other", purpose="target")))
    assert "0.50 to 2.00 EUR (1 of 2 priced)" in line
    assert "no time known" in line
    assert "cost unknown" in cost.summary(planned(part()))


def test_a_run_without_a_model_has_no_panel():
    app = drawn(planned())
    assert app.session_state["options"] == {}
    assert not app.number_input


def test_a_budget_is_given_in_money_or_calls():
    app = drawn(planned(part(money=Between(low=0.5, high=2.0))))
    assert app.session_state["options"] == {}
    assert app.number_input(key="cost_budget").label == "Stop after spending (EUR)"
    app.number_input(key="cost_budget").set_value(1.5)
    app.number_input(key="cost_budget_calls").set_value(0).run()
    # No call at all is a limit, too.
    assert app.session_state["options"] == {"budget": 1.5, "budget_calls": 0}


def test_without_a_price_only_calls_can_be_limited():
    app = drawn(planned(part(money=Between(low=0.5, high=2.0)), part("other")))
    assert app.number_input(key="cost_budget").disabled
    assert any("No price is known for other" in item.value for item in app.caption)
    app.number_input(key="cost_budget_calls").set_value(20).run()
    assert app.session_state["options"] == {"budget_calls": 20}
