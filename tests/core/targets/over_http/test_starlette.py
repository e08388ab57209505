"""A service written with Starlette, as those of FastAPI are: a stream of events, and a job in the background."""

from __future__ import annotations

import asyncio
import json
import threading
import time

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from core.targets import open_target
from core.targets.over_http.config import check_config
from core.targets.over_http.file import save_config

SOURCES = [{"page_content": "The fee is 12 EUR.", "metadata": {"source": "fees.md"}}]
JOBS: dict[str, object] = {}
WAIT_S = 60.0


async def stream(request):
    asked = (await request.json())["question"]

    async def events():
        yield f"event: context\ndata: {json.dumps(SOURCES)}\n\n"
        for piece in ("You asked: ", asked):
            yield f"event: token\ndata: {json.dumps(piece)}\n\n"
            await asyncio.sleep(0)
        yield "event: end\ndata: [DONE]\n\n"

    return StreamingResponse(events(), media_type="text/event-stream")


async def submit(request):
    job_id, asked = f"job-{len(JOBS)}", (await request.json())["question"]
    JOBS[job_id] = None

    def work():
        JOBS[job_id] = {"answer": f"You asked: {asked}", "source_documents": SOURCES}

    return JSONResponse({"job_id": job_id}, status_code=202, background=BackgroundTask(work))


async def state(request):
    result = JOBS[request.path_params["job_id"]]
    return JSONResponse({"status": "running" if result is None else "done", "result": result})


@pytest.fixture(scope="module")
def service():
    routes = [
        Route("/stream", stream, methods=["POST"]),
        Route("/jobs", submit, methods=["POST"]),
        Route("/jobs/{job_id}", state),
    ]
    config = uvicorn.Config(Starlette(routes=routes), host="127.0.0.1", port=0, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + WAIT_S
    while not server.started:
        assert time.monotonic() < until, "uvicorn does not start"
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(WAIT_S)


def test_a_stream_and_a_job_of_a_real_framework_are_read(service, tmp_path, monkeypatch):
    monkeypatch.delenv("PLUMBLINE_ALLOWED_HOSTS", raising=False)
    request = {"question": "{{question}}"}
    job = {"id": "$.job_id", "url": f"{service}/jobs/{{{{job_id}}}}", "status": "$.status", "every_s": 0.01}
    for document in (
        {"url": f"{service}/stream", "request": request},
        {"url": f"{service}/jobs", "request": request, "job": job},
    ):
        path = save_config(check_config(document), tmp_path)
        response = open_target(f"http:{path}", None).answer("c", "What is the fee?")
        assert response.answer == "You asked: What is the fee?"
        assert [(item.document_id, item.text) for item in response.contexts] == [("fees.md", "The fee is 12 EUR.")]
