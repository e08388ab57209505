"""Models of one kind that a process has loaded: each once, as long as its files stay the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

from core.encoders.hub import model_folder

Model = TypeVar("Model")


class LoadedModels(Generic[Model]):
    """Loads models by name or folder, and keeps them; safe to use from several threads.

    Args:
        load: Makes a model of its title and its folder.
        what: What a folder is to hold, such as ``an NLI model``, for messages.
        remedy: What to do where there is none.
    """

    def __init__(self, load: Callable[[str, Path], Model], *, what: str, remedy: str) -> None:
        self._load = load
        self._what, self._remedy = what, remedy
        self._models: dict[tuple[object, ...], Model] = {}
        self._lock = Lock()

    def open(self, spec: str) -> Model:
        """The model of a name or a folder.

        A name is looked for among the models fetched before; only when it is not there is it fetched, if that is
        allowed.

        Raises:
            InvalidInput: It is not here and cannot be fetched, or it cannot be used.
        """
        with self._lock:
            title, folder = model_folder(spec.strip(), what=self._what, remedy=self._remedy)
            files = sorted(path for path in folder.iterdir() if path.is_file())
            key = (title, folder, *((path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files))
            if key not in self._models:
                self._models[key] = self._load(title, folder)
            return self._models[key]
