"""What is opened once in a process: models take long to load and are shared by threads."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import ParamSpec, TypeVar

Spec = ParamSpec("Spec")
Model = TypeVar("Model")


def opened_once(open_model: Callable[Spec, Model]) -> Callable[Spec, Model]:
    """A function that opens a model once for the same arguments; threads that ask meanwhile wait for it.

    `functools.cache` would open it again in each thread that asks while it is being opened. What fails is tried again.

    Args:
        open_model: Opens a model.
    """
    models: dict[Hashable, Model] = {}
    opening = Lock()

    @wraps(open_model)
    def opened(*args: Spec.args, **kwargs: Spec.kwargs) -> Model:
        key = (args, tuple(kwargs.items()))
        with opening:
            if key not in models:
                models[key] = open_model(*args, **kwargs)
            return models[key]

    return opened
