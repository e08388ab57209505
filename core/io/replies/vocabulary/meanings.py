"""What a name means where no list has it: by how it ends, and in the languages of Europe and East Asia.

The lists in `names` are the names of systems whose documentation we know. A home-made service calls the same things
``systemMessage``, ``scored_chunks`` or ``quellen``; such names count after the known ones.
"""

from __future__ import annotations

from typing import Final

from core.io.replies.vocabulary import foreign_nouns
from core.io.replies.vocabulary.names import ANSWERS, DECLINED, FILES, PASSAGES, SCORES, TEXTS, TITLES

_ANSWER_ENDS: Final = ("answer", "response", "reply", "completion", "answertext", "responsetext", "replytext")
_NO_ANSWER: Final = (
    *("expected", "gold", "correct", "reference", "truth", "groundtruth", "ideal", "target", "example", "sample"),
    *("user", "human", "client", "previous", "prior", "last", "suggested", "candidate", "http", "error", "status"),
    *("has", "is", "can", "no", "wrong", "raw", "tool", "search", "retriev"),
)
"""How names begin of answers that the system did not give here."""

_PASSAGE_ENDS: Final = (
    *("documents", "docs", "chunks", "passages", "contexts", "sources", "citations", "references", "attributions"),
    *("snippets", "excerpts", "nodes", "hits", "matches", "results", "evidence", "evidences", "footnotes", "quotes"),
    *("segments", "paragraphs", "quotelist", "sourcelist", "chunklist", "doclist", "documentlist", "refs"),
)
_FILE_ENDS: Final = (
    "filename",
    "filepath",
    "sourcefile",
    "docname",
    "documentname",
    "sourcename",
    "path",
    "uri",
    "url",
)
_NO_FILE: Final = (
    *("signed", "download", "thumb", "image", "icon", "logo", "avatar", "favicon", "preview", "api", "base", "self"),
    *("callback", "feedback", "next", "prev", "repo", "json", "x"),
)
"""How names begin of addresses that name no document a person knows."""

_SAYING: Final = ("assistant", "bot", "chatbot", "ai", "systemmessage", "assistantmessage", "botmessage", "aimessage")
_WHOLE: Final = (
    "generated",
    "prediction",
    "raw",
    "html",
    "markdown",
    "speech",
    "utterance",
    "displaytext",
    "resulttext",
)
_FOUND: Final = frozenset(
    {
        *("found", "answered", "isanswered", "hasanswer", "answerfound", "answervalid", "validanswer", "canswer"),
        *("canbeanswered", "cananswer", "answerable", "isanswerable", "resolved", "hasresult", "hasresults", "inscope"),
        *foreign_nouns.FOUND,
    }
)


def answer_rank(name: str) -> int | None:
    """How surely a name is that of an answer, 0 for the surest; None where it is none.

    >>> answer_rank("answer"), answer_rank("openairesponse") is not None, answer_rank("expectedanswer")
    (0, True, None)
    """
    if name in ANSWERS:
        return ANSWERS.index(name)
    if name in foreign_nouns.ANSWERS:
        return len(ANSWERS)
    if name.startswith("@") and name.endswith("answers"):  # the extracts of a search
        return len(ANSWERS)
    if name.endswith(_ANSWER_ENDS) and not name.startswith(_NO_ANSWER):
        return len(ANSWERS) + 1
    if name in _SAYING:
        return len(ANSWERS) + 2
    return None


def is_whole(name: str) -> bool:
    """Whether a name is that of what is shown to a person, where nothing is called an answer."""
    return name in _WHOLE


def passages_rank(name: str) -> int | None:
    """How surely a name is that of what was retrieved, 0 for the surest; None where it is none.

    >>> passages_rank("contexts"), passages_rank("sourceattributions") is not None, passages_rank("answer")
    (0, True, None)
    """
    if name in PASSAGES:
        return PASSAGES.index(name)
    if name in foreign_nouns.PASSAGES:
        return len(PASSAGES)
    if name.endswith(_PASSAGE_ENDS):
        return -1 if "retrieved" in name else len(PASSAGES) + 1
    return None


def is_known_place(name: str) -> bool:
    """Whether a name alone says that passages stand there, in whatever language."""
    return name in PASSAGES or name in foreign_nouns.PASSAGES


def is_file_name(name: str) -> bool:
    """Whether a name ends as that of a file or an address, and of none that only serves the page around it."""
    return name in foreign_nouns.FILES or (name.endswith(_FILE_ENDS) and not name.startswith(_NO_FILE))


def says_declined(name: str, value: bool) -> bool | None:
    """Whether a truth under a name says that the system declined; None where it says nothing of it.

    >>> says_declined("noanswer", True), says_declined("answervalid", False), says_declined("cached", True)
    (True, True, None)
    """
    if name in DECLINED or name in foreign_nouns.DECLINED:
        return value
    return not value if name in _FOUND else None


TEXT_NAMES: Final = (*TEXTS, *foreign_nouns.TEXTS)
FILE_NAMES: Final = (*FILES, *foreign_nouns.FILES)
TITLE_NAMES: Final = (*TITLES, *foreign_nouns.TITLES)
SCORE_NAMES: Final = (*SCORES, *foreign_nouns.SCORES)
