"""The files of the server that a person may name."""

from __future__ import annotations

import errno
from pathlib import Path

from sqlalchemy import make_url

from core.data_folder import OF_PROJECTS, OWN, holds, within
from core.domain.errors import Forbidden, InvalidInput
from core.installation import SAMPLE_DATA as SAMPLE
from core.settings import STORE_FILE, settings
from core.sources.database.address import read_address
from core.store.database import Store


def check_place(path: Path, project_id: str) -> None:
    """Refuses a path that a person of a project may not read.

    Nobody may load the data folder, a folder around it, what Plumbline keeps in it, or the files of another project.
    Where people sign in they may not read the server's files outside the data folder either. The sample data are always
    allowed.

    Args:
        path: A file or folder, by whatever name: links, ``..`` and letter case are looked through.
        project_id: The project it is for.

    Raises:
        InvalidInput: No file can have that path.
        Forbidden: The path lies elsewhere, or is Plumbline's own.
    """
    _require_path(path)
    config = settings()
    _refuse_own(path, project_id, config.data)
    if not config.require_login:
        return
    real = path.resolve()
    if not any(real.is_relative_to(folder.resolve()) for folder in (config.data, SAMPLE)):
        raise Forbidden(
            f"{path.name} lies outside the data folder of this server.",
            "Upload it, or ask the server's administrator to put it into the data folder.",
        )


def check_address(url: str, store: Store, project_id: str) -> None:
    """Refuses the file of an SQLite address where it may not be read; other databases have permissions of their own.

    Plumbline's own store is refused before anything opens it: closing a second handle on the file would drop the locks
    that this process holds on it, and with them its last writes.

    Raises:
        Forbidden: The file is of another project, or lies outside the data folder of a server where people sign in.
        InvalidInput: It is no database address, or the store itself.
        DestinationRefused: It names a server that may not be called.
    """
    address = read_address(url)
    if address.kind == "sqlite" and address.url.database:
        path = Path(address.url.database.removeprefix("file:"))
        _require_path(path)
        if _is_store(path, store):
            raise InvalidInput(
                f"{path.name} is the store in which Plumbline keeps its own records.",
                "Connect the database that holds the facts your system should know.",
            )
        check_place(path, project_id)


def _require_path(path: Path) -> None:
    """Refuses what the system takes for no path at all; whether something is there does not matter."""
    try:
        path.lstat()
    except ValueError:
        raise InvalidInput("The path has a character that no path has.", "Type it again.") from None
    except OSError as error:
        if error.errno in (errno.ENAMETOOLONG, errno.ELOOP):
            shown = str(path)[:60]
            raise InvalidInput(f"No file can have the path {shown}...: {error.strerror}.", "Check the path.") from None


def _refuse_own(path: Path, project_id: str, data: Path) -> None:
    inside = within(path, data)
    if inside is None:
        if data.exists() and holds(path, data):
            raise Forbidden(
                f"{path.name or path} has Plumbline's own data folder in it.",
                "Choose the folder that holds the documents and nothing else.",
            )
        return
    # Names are compared without letter case: the disk may not tell them apart.
    first = inside[0].casefold() if inside else ""
    own_store = first.startswith(STORE_FILE)
    of_project = first in OF_PROJECTS and len(inside) > 1 and inside[1].casefold() == project_id.casefold()
    if not inside or own_store or (first in OWN and not of_project):
        raise Forbidden(
            f"{path.name} belongs to Plumbline's own records or to another project.",
            "Upload the file to this project, or ask for it to be put into another folder.",
        )


def _is_store(path: Path, store: Store) -> bool:
    """Whether it is the store's file under any name, links included; nothing is opened."""
    own = make_url(store.url)
    if own.get_backend_name() != "sqlite" or not own.database or not path.exists():
        return False
    return any(
        store_file.exists() and path.samefile(store_file)
        for store_file in (Path(own.database), *_beside(Path(own.database)))
    )


def _beside(path: Path) -> tuple[Path, ...]:
    return tuple(path.with_name(path.name + ending) for ending in ("-wal", "-shm"))
