"""A worker process for tests of jobs: the real path, with kinds made for being stopped and killed."""

from __future__ import annotations

import logging
import sys
import time

from sqlalchemy import text

from core.domain.errors import InvalidInput
from core.domain.results.responses import Response
from core.jobs import JobContext, execute, job
from core.settings import settings
from core.store.database import Store
from core.store.results import runs

COMMAND = (sys.executable, "-m", "tests.support.processes.worker")


@job("test.count")
def count(context: JobContext) -> None:
    """Answers `total` cases one by one, each committed by itself; a resumed worker does those that are left.

    After `pause_after` cases, where that is given, the first worker does no more until it is asked to stop.

    Each attempt to answer is written to the worker's log, so that a test can see what was done twice.
    """
    run_id, total = str(context.params["run_id"]), int(str(context.params["total"]))
    pause_after = context.params.get("pause_after") if context.job.attempts == 1 else None
    with context.store.read() as connection:
        done = runs.answered_ids(connection, run_id)
    for number in range(total):
        case_id = f"c{number}"
        if case_id in done:
            continue
        while len(done) == pause_after and not context.should_stop():
            time.sleep(0.02)
        if context.should_stop():
            return
        print("asked", case_id, flush=True)
        response = Response(case_id=case_id, answer=f"answer {number} of attempt {context.job.attempts}")
        with context.store.write(context.actor, "run.answer", subject=run_id) as connection:
            runs.save_responses(connection, run_id, [response])
        done.add(case_id)
        context.progress("Counting", len(done), total)


@job("test.exhaust")
def exhaust(context: JobContext) -> bool:
    """Asks for more memory than any machine has the first time, and is done the second time."""
    context.progress("Scoring", 3, 9)
    return context.job.attempts > 1 or bool(bytearray(2**62))


@job("test.refuse")
def refuse(context: JobContext) -> None:
    """Fails with an error of ours."""
    raise InvalidInput(f"The value {context.params['value']} is no good.", "Give another one.")


@job("test.crash")
def crash(context: JobContext) -> None:
    """Fails with an error nobody expected."""
    raise ZeroDivisionError("division by nothing")


@job("test.leave")
def leave(context: JobContext) -> bool:
    """Says itself whether all is done."""
    return bool(context.params["complete"])


@job("test.silent")
def silent(context: JobContext) -> None:
    """Works until it is asked to stop and reports nothing."""
    while not context.should_stop():
        time.sleep(0.02)


def main() -> None:
    """Does the job named on the command line, as ``python -m core worker`` does."""
    logging.basicConfig()
    with Store.open(settings().database_url) as store:
        with store.read() as connection:
            connection.execute(text("SELECT 1"))
        execute(store, sys.argv[1])


if __name__ == "__main__":
    main()
