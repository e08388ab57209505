"""Chains, retrievers and engines of the real LangChain and the real LlamaIndex as targets; no model is called."""

from __future__ import annotations

import sys

import pytest

from core.domain.errors import InvalidInput
from core.domain.results.responses import Context
from core.targets import open_target

pytestmark = pytest.mark.slow  # the libraries take one and three seconds to import

LANGCHAIN = """
from operator import itemgetter
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough

class Fees(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        return [
            Document(id="0e6b2b34-6d3a-4fd0-9d3a-0f5f2f2b7a10", page_content="The fee is 12 EUR.",
                     metadata={"source": "fees.md", "page": 2, "policy_no": "P-7"}),
            Document(page_content="Fees are due in March.", metadata={"source": "dates.md", "policy_no": "P-9"}),
        ]

retriever = Fees()
model = FakeListChatModel(responses=["12 EUR a year."])
prompt = ChatPromptTemplate.from_template("{context} {input}")
# What create_retrieval_chain builds: {"input"} in, {"input", "context", "answer"} out.
retrieval_chain = RunnablePassthrough.assign(context=itemgetter("input") | retriever).assign(
    answer=prompt | model | StrOutputParser()
)
lcel = {"context": retriever, "input": RunnablePassthrough()} | prompt | model | StrOutputParser()
to_message = {"context": retriever, "input": RunnablePassthrough()} | prompt | model
retrieval_qa = RunnableLambda(lambda asked: {
    "query": asked["query"], "result": "12 EUR a year.", "source_documents": retriever.invoke(asked["query"])})
def with_scores(question): return {"answer": "12", "context": [(d, 0.9) for d in retriever.invoke(question)]}
async def later(question): return await retrieval_chain.ainvoke({"input": question})
"""

LLAMAINDEX = """
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.schema import NodeRelationship, NodeWithScore, RelatedNodeInfo, TextNode

class Fees(BaseRetriever):
    def _retrieve(self, query_bundle):
        named = TextNode(text="The fee is 12 EUR.", id_="n1", metadata={"file_name": "fees.pdf", "page_label": "2"})
        named.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id="0e6b2b34-6d3a-4fd0-9d3a-0f5f2f2b7a10")
        bare = TextNode(text="Fees are due in March.", id_="n2")
        bare.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id="dates.pdf")
        return [NodeWithScore(node=named, score=0.9), NodeWithScore(node=bare, score=0.5)]

retriever = Fees()
def engine_of(streaming):
    synthesizer = get_response_synthesizer(llm=MockLLM(max_tokens=4), streaming=streaming)
    return RetrieverQueryEngine(retriever=retriever, response_synthesizer=synthesizer)
engine, streaming = engine_of(False), engine_of(True)
"""


@pytest.fixture(autouse=True)
def modules(tmp_path, monkeypatch):
    (tmp_path / "a_langchain_rag.py").write_text(LANGCHAIN, encoding="utf-8")
    (tmp_path / "a_llamaindex_rag.py").write_text(LLAMAINDEX, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delenv("PLUMBLINE_REQUIRE_LOGIN", raising=False)
    yield
    for name in ("a_langchain_rag", "a_llamaindex_rag"):
        sys.modules.pop(name, None)


FEES = Context(document_id="fees.md", text="The fee is 12 EUR.", chunk_id="0e6b2b34-6d3a-4fd0-9d3a-0f5f2f2b7a10")
DATES = Context(document_id="dates.md", text="Fees are due in March.")


def answered(spec):
    return open_target(f"python:{spec}", None).answer("c", "What is the fee?")


def test_langchain_results_are_read_as_they_are():
    for name in ("retrieval_chain", "retrieval_qa?input=query", "later", "retrieval_chain.invoke?input=input"):
        response = answered(f"a_langchain_rag:{name}")
        assert (response.answer, response.contexts) == ("12 EUR a year.", (FEES, DATES)), name
    for name in ("lcel", "to_message", "lcel.stream"):
        response = answered(f"a_langchain_rag:{name}")
        assert (response.answer, response.contexts) == ("12 EUR a year.", ()), name
    streamed = answered("a_langchain_rag:retrieval_chain.stream?input=input")
    assert (streamed.answer, streamed.contexts) == ("12 EUR a year.", (FEES, DATES))
    rated = answered("a_langchain_rag:with_scores")
    assert [context.score for context in rated.contexts] == [0.9, 0.9]


def test_a_langchain_retriever_gives_passages_and_no_answer():
    response = answered("a_langchain_rag:retriever")
    assert (response.answer, response.contexts) == (None, (FEES, DATES))
    assert response.error == "It retrieves passages and gives no answer."
    named = answered("a_langchain_rag:retriever?id=policy_no")
    assert named.document_ids == ("P-7", "P-9")


def test_llamaindex_responses_are_read_as_they_are():
    expected = (
        Context(document_id="fees.pdf", text="The fee is 12 EUR.", score=0.9, chunk_id="n1"),
        Context(document_id="dates.pdf", text="Fees are due in March.", score=0.5, chunk_id="n2"),
    )
    for name in ("engine", "engine.query", "streaming", "engine.aquery"):
        response = answered(f"a_llamaindex_rag:{name}")
        assert response.contexts == expected, name
        assert response.answer.startswith("text"), name
    assert answered("a_llamaindex_rag:retriever").contexts == expected


def test_an_option_that_is_not_known_is_refused():
    with pytest.raises(InvalidInput, match="has the option 'ids', and only input and id are known"):
        open_target("python:a_langchain_rag:lcel?ids=x", None)
