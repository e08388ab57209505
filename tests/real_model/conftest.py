"""A real small language model, where there is one: PLUMBLINE_TEST_MODEL names its address or a Python that has it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.support.application.server import free_port
from tests.support.models.real_model import MODEL, NotThere, serving

VARIABLE = "PLUMBLINE_TEST_MODEL"


@pytest.fixture(scope="session")
def real_spec() -> Iterator[str]:
    """``MODEL@BASE_URL`` of the model; skips the test where there is none."""
    place = os.environ.get(VARIABLE, "")
    if not place:
        pytest.skip(f"{VARIABLE} is not set: `make test-real` builds a small model's server and sets it")
    if place.startswith("http"):
        yield f"{MODEL}@{place}"
        return
    try:
        with serving(place, free_port()) as url:
            yield f"{MODEL}@{url}"
    except NotThere as error:
        pytest.skip(str(error))
