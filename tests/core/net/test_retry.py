"""Another attempt: after which statuses, and how long the wait for it is."""

import asyncio
import time
from email.utils import formatdate

import pytest

from core.domain.errors import NoReply
from core.domain.llm import Endpoint, Message
from core.llm.calls.transport import OpenAiTransport
from core.net.pacing import Pace
from core.net.retry import FIRST_WAIT, LONGEST_PAUSE, LONGEST_WAIT, RETRIED, pause, retry_after
from core.targets.over_http.client import HttpClient
from core.targets.over_http.config import check_config
from tests.support.servers.answer_server import AnswerServer, Reply

STATUSES = [400, 401, 403, 404, 408, 409, 410, 422, 423, 425, 429, 451, 500, 501, 502, 503, 504, 505, 520, 524, 529]


@pytest.mark.slow
def test_models_and_targets_are_asked_again_after_the_same_statuses(impatient):
    async def fault(url, code):
        transport = OpenAiTransport(Endpoint(id="", project_id="", name="e", base_url=url))
        try:
            return (await transport.send("m", (Message("user", "Q?"),), {}))[0]
        finally:
            await transport.close()

    models, targets = set(), set()
    for code in STATUSES:
        with AnswerServer(lambda request, code=code: Reply(status=code)) as server:
            if asyncio.run(fault(server.url, code)).again:
                models.add(code)
            asked = len(server.requests)
            with pytest.raises(NoReply) as refused:
                HttpClient(check_config(server.config(retries=1))).send("Q?", "c", Pace())
            if len(server.requests) == asked + 2:
                targets.add(code)
            assert refused.value.status == code
    assert models == targets == RETRIED & set(STATUSES)
    assert 409 in targets


@pytest.mark.parametrize("failures", [1, 6, 1_100, 100_000])
def test_a_pause_is_drawn_from_nothing_to_its_most_which_doubles_to_an_end(failures):
    most = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(failures - 1, 40))
    drawn = [pause(failures, None) for _ in range(400)]
    assert 0 <= min(drawn) < 0.1 * most
    assert 0.9 * most < max(drawn) <= most
    assert 0.4 * most < sum(drawn) / len(drawn) < 0.6 * most


@pytest.mark.parametrize("failures", [1, 5, 2_000])
def test_a_pause_is_what_the_endpoint_asks_for_and_hardly_more(failures):
    drawn = [pause(failures, 7.0) for _ in range(50)]
    assert 7.0 <= min(drawn) <= max(drawn) <= 7.1
    assert len(set(drawn)) > 1, "not all come back at once"
    assert pause(failures, 1e9) <= LONGEST_PAUSE + 0.1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "nan"}, 0.0),
        ({"retry-after": "Mon, 01 Jan 2001 00:00:00 GMT"}, 0.0),
        ({"retry-after": "Mon, 99 Jan 2001 00:00:00 GMT"}, None),
        ({"retry-after": "Mon, 01 Jan 2024 00:00:00 +99999999999999999999"}, None),
    ],
)
def test_retry_after_is_read_in_every_form_and_never_trusted(headers, seconds):
    assert retry_after(headers) == seconds


def test_retry_after_as_a_date_counts_from_now():
    assert 0 < retry_after({"retry-after": formatdate(time.time() + 30, usegmt=True)}) <= 30


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"x-ratelimit-reset-requests": "20ms", "x-ratelimit-remaining-requests": "0"}, 0.02),
        ({"x-ratelimit-reset-tokens": "1m6.5s", "x-ratelimit-remaining-tokens": "0"}, 66.5),
        ({"x-ratelimit-reset-tokens": "6m0s", "x-ratelimit-remaining-tokens": "149984"}, None),
        ({"x-ratelimit-reset": "12"}, 12.0),
        ({"ratelimit-reset": "5", "retry-after": "2"}, 2.0),
        ({"x-ratelimit-reset-requests": "soon", "x-ratelimit-remaining-requests": "0"}, None),
        ({"x-ratelimit-reset": "1000"}, 1000.0),
        ({"x-ratelimit-reset": "1000000001"}, 0.0),
        (
            {
                "anthropic-ratelimit-tokens-reset": "2020-01-01T00:00:00Z",
                "anthropic-ratelimit-tokens-remaining": "0",
            },
            0.0,
        ),
    ],
)
def test_a_limit_that_is_used_up_says_when_it_begins_anew(headers, seconds):
    assert retry_after(headers) == seconds
