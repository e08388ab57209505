"""The commands together, and how a failure is reported: exit code 2, one sentence, one remedy, no traceback.

The command modules import what is heavy inside each command, so that ``--help`` and a mistyped option answer at once.
"""

from __future__ import annotations

import sys
from functools import cache

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException
from typer.main import get_group

from core import __version__
from core.cli import audit, profiles, projects
from core.cli.analysis import diagnosis, judge_tests, planted, robustness, safety
from core.cli.databases import commands, files, knowledge
from core.cli.decisions import criteria, findings
from core.cli.documents import commands as documents
from core.cli.documents import exchange, matching
from core.cli.output import INTERRUPTED, refuse, tell
from core.cli.people import calibrate, labels
from core.cli.questions import commands as questions
from core.cli.runs import commands as runs
from core.cli.runs import comparison, report, scores, targets
from core.cli.topics import commands as topics
from core.cli.weakness import commands as weakness
from core.domain.errors import PlumblineError

app = typer.Typer(
    name="plumbline",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Proves whether a closed-domain RAG system can be trusted.",
)
for module in (
    projects,
    commands,
    files,
    knowledge,
    documents,
    matching,
    topics,
    questions,
    runs,
    targets,
    scores,
    diagnosis,
    planted,
    comparison,
    report,
    robustness,
    weakness,
    safety,
    criteria,
    findings,
    labels,
    calibrate,
    exchange,
    judge_tests,
    profiles,
    audit,
):
    module.register(app)


@app.command()
def version() -> None:
    """Prints the version."""
    typer.echo(__version__)


def main() -> None:
    """Runs the command line."""
    try:
        code = _command()(standalone_mode=False)
    except PlumblineError as error:
        refuse(error.message, error.hint)
    except TyperException as error:
        # Without a command the help has been printed and there is nothing to add.
        refuse(error.format_message(), "See the command's --help." if error.format_message() else "")
    except OSError as error:
        file = f"{error.filename}: " if error.filename else ""
        refuse(f"{file}{error.strerror or error}.", "Check the path, its permissions and the space left.")
    except _database_errors() as error:
        reason = str(getattr(error, "orig", error)).strip().splitlines()[0]
        refuse(f"The store cannot be used: {reason}.", "Check its file or server, then try again.")
    if code == INTERRUPTED:
        tell("Stopped.")
    sys.exit(code if isinstance(code, int) else 0)


@cache
def _command() -> TyperGroup:
    """All commands, put together once in a process."""
    return get_group(app)


def _database_errors() -> tuple[type[Exception], ...]:
    from sqlalchemy.exc import DBAPIError  # only when something went wrong

    return (DBAPIError,)


__all__ = ["app", "main"]
