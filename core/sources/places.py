"""Which files of the server a person may name."""

from __future__ import annotations

from pathlib import Path

from core.domain.errors import Forbidden
from core.settings import settings
from core.sources.database.address import read_address

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"


def check_place(path: Path) -> None:
    """Refuses a path outside the data folder where people sign in: the server's files are not theirs to read.

    On a machine of one's own every path is fine. The sample data are always fine.

    Raises:
        Forbidden: The path lies elsewhere.
    """
    config = settings()
    if not config.require_login:
        return
    real = path.resolve()
    if not any(real.is_relative_to(folder.resolve()) for folder in (config.data, SAMPLE)):
        raise Forbidden(
            f"{path.name} lies outside the data folder of this server.",
            "Upload it, or ask whoever runs the server to put it into the data folder.",
        )


def check_address(url: str) -> None:
    """The same for the file of an SQLite address; other databases have permissions of their own.

    Raises:
        Forbidden: The file lies elsewhere.
        InvalidInput: It is no database address.
    """
    address = read_address(url)
    if address.get_backend_name() == "sqlite" and address.database:
        check_place(Path(address.database.removeprefix("file:")))
