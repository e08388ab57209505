"""Answers that arrive are waited for, and no longer once they cannot come."""

import threading

import pytest

from core.runs.scores.arriving import ArrivingAnswers, Left


def waited(wait):
    """What became of a wait in another thread: None while it waits."""
    ended = []

    def run():
        try:
            wait()
            ended.append("there")
        except Left:
            ended.append("left")

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, ended


def test_cases_contexts_and_the_end_are_waited_for():
    answers = ArrivingAnswers({"a"})
    answers.wait_for(["a"])
    cases, of_cases = waited(lambda: answers.wait_for(["a", "b"]))
    contexts, of_contexts = waited(answers.wait_for_contexts)
    answers.add(["b"], contexts=False)
    cases.join(60)
    assert (of_cases, of_contexts) == (["there"], [])
    answers.complete()
    contexts.join(60)
    assert of_contexts == ["there"]
    ArrivingAnswers(contexts=True).wait_for_contexts()


def test_who_waits_is_told_that_no_more_comes():
    answers = ArrivingAnswers()
    ends = [waited(wait) for wait in (lambda: answers.wait_for(["a"]), answers.wait_for_contexts)]
    answers.leave()
    for thread, ended in ends:
        thread.join(60)
        assert ended == ["left"]
    with pytest.raises(Left):
        answers.wait_for(["a"])
