"""A build whose worker is killed: its documents are those of one that was not, and no answer is asked for again."""

import pytest

from core.domain.jobs import JobState
from core.domain.llm import Endpoint
from core.domain.sources.projects import SourceKind
from core.knowledge.building import Build, build_documents, start_documents
from core.store import sources
from core.store.models import endpoints
from tests.support.processes.killed_job import killed_and_resumed
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR

AT_ONCE = 2


def stored(store, project_id):
    """The documents of the project's corpus, and how many corpora it has."""
    with store.read() as connection:
        every = [source for source in sources.all(connection, project_id) if source.kind is SourceKind.CORPUS]
        return [(item.id, item.text, item.format) for item in sources.documents(connection, every[0].id)], len(every)


@pytest.mark.slow
def test_nothing_is_lost_and_nothing_committed_is_asked_again(store, bank):
    with LlmServer(lambda body: body["messages"][-1]["content"], hold_after=7) as server:
        with store.write(ACTOR, "test.endpoint", project_id=bank) as connection:
            where = Endpoint(
                id="end_1",
                project_id=bank,
                name="Held",
                base_url=server.base_url,
                concurrency=AT_ONCE,
                timeout_s=600,
                deadline_s=600,
            )
            endpoints.put(connection, where)
        build = Build(method="llm", model=server.spec(), send_rows=True)
        job = start_documents(store, bank, build, actor=ACTOR)
        ended = killed_and_resumed(store, job, server, at_once=AT_ONCE)
        assert ended.state is JobState.FINISHED, ended.error
        documents, corpora = stored(store, bank)
        assert (len(documents), corpora) == (18, 1)
        assert {writer for _, _, writer in documents} == {"model"}
        sent = len(server.bodies)
        # The same build without a kill, from the ledger: equal documents for nothing.
        build_documents(store, bank, build, actor=ACTOR)
        assert stored(store, bank)[0] == documents
        assert len(server.bodies) == sent
