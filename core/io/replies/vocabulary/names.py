"""How the systems of others call an answer, a passage, its id and its score.

Names count without regard to letter case and signs between words: ``sourceDocuments`` is ``source_documents``. They are
those of the public documentation of LangChain and LangServe, LlamaIndex, Haystack, Dify, RAGFlow, AnythingLLM,
PrivateGPT, Open WebUI, Flowise, Azure OpenAI, Vertex AI Search, Amazon Bedrock, Cohere, OpenAI, Perplexity, Vectara and
Elastic; `tests/golden/replies` has one reply of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final
from unicodedata import combining, normalize

from core.io.replies.vocabulary import foreign_nouns

_SIGNS = re.compile(r"[\s_\-.]+")
_PREFIX = re.compile(r"^[a-z][\w-]{0,15}:(?=[a-z])")
_ATTRIBUTES: Final = frozenset(
    {"docref", "documentref", "documentid", "docid", "source", "href", "uri", "file", "filename", "id"}
)

ANSWERS: Final = (
    "answer",
    "gptresponse",
    "generatedanswer",
    "answertext",
    "textresponse",
    "generatedtext",
    "outputtext",
    "outputvalue",
    "actualoutput",
    "modelresponse",
    "finalanswer",
    "groupedresult",
    "result",
    "response",
    "answers",
    "replies",
    "reply",
    "completion",
    "generation",
)
"""Names that only an answer has, the surest first."""

ENVELOPES: Final = (
    "final",
    "choices",
    "candidates",
    "messages",
    "activities",
    "output",
    "outputs",
    "message",
    "summary",
    "text",
    "content",
)
"""Names that hold an answer where nothing is called one."""

DELTAS: Final = ("delta", "deltatext", "token", "generationchunk", "chunk", "completion")
"""Names of a piece of an answer, in an event of a stream only."""

PASSAGES: Final = (
    "contexts",
    "retrievedcontexts",
    "retrievedcontext",
    "retrievalcontext",
    "sourcedocuments",
    "retrieveddocuments",
    "sourcenodes",
    "documents",
    "context",
    "passages",
    "retrievedchunks",
    "chunks",
    "searchresults",
    "retrieverresources",
    "references",
    "reference",
    "sources",
    "retrievedreferences",
    "docs",
    "hits",
    "matches",
    "results",
    "nodes",
    "citations",
    "citation",
    "annotations",
    "annotation",
    "retrieved",
)
"""Names of what was retrieved, the surest first; what is only cited comes last."""

PASSAGE_IDS: Final = ("documentids", "retrieveddocumentids", "retrieveddocids", "retrievedids", "docids", "sourceids")
CHUNK_IDS: Final = ("chunkids", "retrievedchunkids", "retrievedcontextids")
PASSAGE_SCORES: Final = ("contextscores", "scores")

TEXTS: Final = (
    "documentcontent",
    "text",
    "content",
    "pagecontent",
    "chunk",
    "chunktext",
    "passagetext",
    "citedtext",
    "snippet",
    "passage",
    "excerpt",
    "quote",
    "body",
    "chunkcontents",
    "blurb",
    "value",
)
"""Names of the text of a passage."""

DOCUMENTS: Final = (
    *foreign_nouns.DOCUMENTS,
    "documentid",
    "docid",
    "refdocid",
    "docuri",
    "dockey",
    "docref",
    "documentref",
)
"""Names of the id of the document a passage is from."""

FILES: Final = (
    "source",
    "filename",
    "filepath",
    "file",
    "path",
    "documentname",
    "docname",
    "sourceuri",
    "uri",
    "url",
    "weburl",
    "link",
    "document",
    "slug",
    "doc",
    "xamzbedrockkbsourceuri",
)
"""Names of the file or the address a passage is from."""

KEYS: Final = ("sourceid", "id", "key", "fileid", "pid", "docno", "articleid", "pageid", "reference", "ref")
TITLES: Final = ("title", "documenttitle", "doctitle", "name")

CHUNKS: Final = ("chunkid", "segmentid", "nodeid", "id")
SCORES: Final = (
    "score",
    "similarity",
    "similarityscore",
    "relevancescore",
    "relevance",
    "@searchscore",
    "rerankscore",
    "rerankerscore",
    "documentscore",
    "confidence",
    "@searchrerankerscore",
)

DECLINED: Final = (
    *("abstained", "noanswer", "noresult", "noresults", "declined", "refused", "blocked", "isblocked", "isrefusal"),
    *("outofscope", "isoutofscope", "unanswerable", "isfallback"),
)
WHY_DECLINED: Final = ("answerskippedreasons", "refusal")
"""Names under which a system says why it gives no answer; where there is nothing, it gave one."""
STATES: Final = (
    "status",
    "answerstatus",
    "state",
    "answerstate",
    "resulttype",
    "reason",
    "outcome",
    "code",
    *foreign_nouns.STATES,
)
"""Names under which a system says in a word how it went."""

ENDINGS: Final = ("finishreason", "stopreason", "guardrailaction", "blockreason")
"""Names under which a service says why a reply ended."""
STOPPED: Final = frozenset({"guardrailintervened", "intervened", "refusal"})
"""Words of an ending after which the text, if there is one, is what the service says in place of an answer."""
BLOCKED: Final = STOPPED | {
    "contentfilter",
    "contentfiltered",
    "safety",
    "recitation",
    "prohibitedcontent",
    "blocklist",
    "spii",
}
"""Words of an ending after which there may be no text at all."""

PENDING: Final = frozenset(
    {"queued", "pending", "processing", "running", "inprogress", "accepted", "submitted", "started"}
)
"""Words of a state in which there is no answer yet."""

DECLINING: Final = re.compile(
    r"no[_ -]?(relevant[_ -]?)?(answer|results?|content|context|documents?)([_ -]?found)?|abstain(ed)?|declin(e|ed)"
    r"|refus(e|ed|al)|unanswer(able|ed)|not[_ -]?answer(able|ed)|cannot[_ -]?answer|out[_ -]?of[_ -]?(scope|domain)"
    r"|(keine|sans|sin|senza|sem|geen)[_ -]?(antwort|reponse|respuesta|risposta|resposta|antwoord)",
    re.IGNORECASE,
)
"""Whole words that say so."""

TOKENS: Final = ("totaltokens", "tokens", "tokencount", "totaltokencount")
LATENCIES: Final = ("latencys", "latencyseconds")
ERRORS: Final = ("error", "errormessage")

ASKED: Final = frozenset(
    {
        "question",
        "query",
        "queries",
        "input",
        "inputs",
        "request",
        "prompt",
        "userinput",
        "chathistory",
        "history",
        "usage",
        "intermediatesteps",
        "reasoning",
        "reasoningcontent",
        "thinking",
        "thoughts",
        "embedding",
        "followups",
        "suggestedquestions",
        "relatedquestions",
        "logprobs",
        "docaggs",
        "savedict",
        "arguments",
        "toolinput",
        "renderedprompt",
        "prefill",
        "usermessage",
        "followupprompts",
        *foreign_nouns.QUESTIONS,
    }
)
"""Names of what is no answer: what was asked, how it was thought about, what it cost."""

DEEPEST: Final = 8


def word(name: str) -> str:
    """A name as it is compared: without accents, and without the prefix and the mark of an attribute that XML has.

    >>> word("sourceDocuments"), word("@search.score"), word("Réponse"), word("ns2:Answer"), word("@docRef")
    ('sourcedocuments', '@searchscore', 'reponse', 'answer', 'docref')
    """
    plain = _SIGNS.sub("", _PREFIX.sub("", str(name).casefold()))
    if plain.startswith("@") and plain[1:] in _ATTRIBUTES:
        plain = plain[1:]
    if plain.isascii():
        return plain
    return "".join(sign for sign in normalize("NFKD", plain) if not combining(sign)).replace("ł", "l").replace("ø", "o")


def walk(value: object) -> Iterator[tuple[int, str, str, object]]:
    """Every named value inside a reply, what is nearest first, with its depth, its path and its name.

    What was asked is not entered.

    >>> [(path, name) for _, path, name, _ in walk({"a": {"B": 1}, "query": {"text": "x"}})]
    [('$.a', 'a'), ('$.query', 'query'), ('$.a.B', 'b')]
    """
    level: list[tuple[str, object]] = [("$", value)]
    for depth in range(DEEPEST):
        inside: list[tuple[str, object]] = []
        for path, container in level:
            if isinstance(container, Mapping):
                for name, item in container.items():
                    called = word(name)
                    yield depth, f"{path}.{name}", called, item
                    if called not in ASKED:
                        inside.append((f"{path}.{name}", item))
            elif isinstance(container, list):
                inside += [(f"{path}[{place}]", item) for place, item in enumerate(container[:MOST_ENTERED])]
        level = inside
        if not level:
            return


MOST_ENTERED: Final = 50
