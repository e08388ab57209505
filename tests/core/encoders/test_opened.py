"""What is opened once in a process."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from core.domain.errors import InvalidInput
from core.encoders.opened import opened_once


def test_threads_that_ask_meanwhile_get_what_the_first_opened() -> None:
    asked, go_on, opened = Event(), Event(), []

    @opened_once
    def open_model(name: str) -> object:
        opened.append(name)
        asked.set()
        go_on.wait(10)
        return object()

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(open_model, "one")
        assert asked.wait(10)
        second = threads.submit(open_model, "one")
        go_on.set()
        assert first.result(10) is second.result(10)
    assert opened == ["one"]
    assert open_model("two") is not open_model("one")


def test_what_could_not_be_opened_is_tried_again() -> None:
    tries = iter([InvalidInput("There is no such model.", "Install it."), None])

    @opened_once
    def open_model() -> str:
        if error := next(tries):
            raise error
        return "model"

    with pytest.raises(InvalidInput):
        open_model()
    assert open_model() == "model"
