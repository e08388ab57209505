"""The long patterns: compiled when first needed, once for all who judge."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor

from core.judging.match.abstention import gaps


def test_threads_that_begin_to_judge_together_compile_the_patterns_once(monkeypatch):
    """25 callers of a judge's model used to spend four seconds on it, each for itself."""
    compiled, real = [], re.compile
    monkeypatch.setattr(gaps, "_patterns", {})
    monkeypatch.setattr(re, "compile", lambda text, flags=0: compiled.append(text) or real(text, flags))
    gathered = threading.Barrier(8)

    def judges(number):
        gathered.wait()
        return gaps.find_gap("i could not find this in the documents.")[0]

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(judges, range(8))) == {"i could not"}
    assert compiled.count(gaps.ASSISTANT) == 1
    assert compiled.count(gaps.IMPERSONAL) == 1
