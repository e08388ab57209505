"""Real data that lies beside the checkout and is never copied into it."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def shared(path: str) -> Path:
    """The path of a shared file or folder; skips the test where it is absent."""
    found = SHARED / path
    if not found.exists():
        pytest.skip(f"the shared data set {path} is not beside this checkout")
    return found
