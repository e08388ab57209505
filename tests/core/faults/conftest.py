"""A set-up that a trial works on: a target that searches documents, the rules as its judge."""

from collections.abc import Callable
from functools import partial

import pytest

from core.encoders.cache import MemoryCache
from core.encoders.embedding import open_encoder
from core.judging import open_judge
from core.runs.stages.unstored import answers_of, verdicts_of
from core.targets import open_target


def going_on() -> bool:
    return False


@pytest.fixture
def set_up() -> Callable[..., tuple]:
    """``ask, judge = set_up("bm25", k=1)``."""

    def made(target: str, k: int | None = None):
        rules = open_judge("match")
        # As in a run: what one fault's documents have in common with another's is encoded once.
        encoder = partial(open_encoder, cache=MemoryCache())

        def ask(corpus, cases):
            opened = open_target(target, corpus, k=k, encoder=encoder)
            return answers_of(opened, cases, progress=lambda *_: None, should_stop=going_on)

        def judge(cases, responses):
            return verdicts_of(rules, cases, responses, should_stop=going_on)

        return ask, judge

    return made
