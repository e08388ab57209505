"""What a job's function is given, and the pulse it sends while it works."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping

from sqlalchemy.exc import DBAPIError

from core.domain.errors import PlumblineError
from core.domain.jobs import Job, Progress
from core.store import jobs
from core.store.database import Store

BEAT_SECONDS = 1.0
"""A worker shows at least this often that it lives."""

REPORT_SECONDS = 0.25
"""Progress is written at most this often."""

LONGEST_ITEM = 200
"""Characters kept of the name of what a job is at."""

log = logging.getLogger(__name__)


class JobContext:
    """A job seen from inside its worker; every method may be called from any thread and costs next to nothing.

    Attributes:
        store: Where the work is.
        job: The job as it was when this worker took it.
        actor: Who started it.
        params: What it was started with.

    Args:
        stop: What a wish to stop sets; its own where none is given.
        clock: Tells the time that progress is dated with, in seconds since 1970.
    """

    def __init__(
        self,
        store: Store,
        job: Job,
        stop: threading.Event | None = None,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store = store
        self.job = job
        self.actor = job.actor
        self.params: Mapping[str, object] = job.params
        self.stop_seen = False
        self._clock = clock
        self._stop = stop or threading.Event()
        self._lost = threading.Event()
        self._lock = threading.Lock()
        self._report: dict[str, object] = {}
        self._stage: str | None = None
        self._news = False

    def progress(self, stage: str, done: int, total: int, item: str = "") -> None:
        """Says how far the work is; the pulse writes it down within a quarter of a second.

        Args:
            stage: What is done now.
            done: Items done.
            total: Items in all.
            item: What it is at, such as a file's name. The rate is that of the stage, whatever the item.
        """
        now = self._clock()
        with self._lock:
            if self._stage != stage:
                self._stage = stage
                self._report = {"stage_first": done, "stage_since": now}
            text = jobs.stage_text(stage, item[:LONGEST_ITEM])
            self._report |= {"stage": text, "done": done, "total": total, "reported": now}
            self._news = True

    def should_stop(self) -> bool:
        """Whether to leave at the next safe point: somebody asked, or another worker has the job now."""
        if self._stop.is_set() or self._lost.is_set():
            self.stop_seen = True
            return True
        return False

    @property
    def lost(self) -> bool:
        """Whether another worker has the job; then nothing more may be said about it."""
        return self._lost.is_set()

    @property
    def latest(self) -> Progress | None:
        """How far the work was when it was last reported, None before."""
        with self._lock:
            report = dict(self._report)
        if self._stage is None:
            return None
        return Progress(stage=self._stage, done=int(str(report["done"])), total=int(str(report["total"])))

    @property
    def has_news(self) -> bool:
        """Whether progress was reported that is not written down yet."""
        return self._news

    def beat(self) -> None:
        """Writes the heartbeat and the latest progress, and reads whether to stop."""
        with self._lock:
            report = dict(self._report) if self._news else None
            self._news = False
        with self.store.pulse() as connection:
            stop_requested = jobs.beat(connection, self.job.id, self.job.worker.token, time.time(), report=report)
        if stop_requested is None:
            self._lost.set()
        elif stop_requested:
            self._stop.set()

    def beat_until(self, done: threading.Event) -> None:
        """Sends the pulse until the work is done; a store that is busy for a while delays it, no more."""
        last = time.monotonic()
        while not done.wait(REPORT_SECONDS):
            if not self._news and time.monotonic() - last < BEAT_SECONDS:
                continue
            try:
                self.beat()
            except (PlumblineError, DBAPIError) as error:
                log.warning("Job %s could not report (%s); the pulse goes on.", self.job.id, error)
            last = time.monotonic()
