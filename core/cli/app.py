"""The commands together, and how a failure is told: exit code 2, one sentence, one remedy, no traceback."""

from __future__ import annotations

import sys

import typer
from typer.exceptions import TyperException

from core import __version__
from core.cli import databases, diagnosis, runs
from core.cli.output import BAD_INPUT, refuse
from core.domain.errors import PlumblineError

app = typer.Typer(
    name="plumbline",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Proves whether a closed-domain RAG system can be trusted.",
)
for module in (databases, runs, diagnosis):
    module.register(app)


@app.command()
def version() -> None:
    """Prints the version."""
    typer.echo(__version__)


def main() -> None:
    """Runs the command line."""
    try:
        code = app(standalone_mode=False)
    except PlumblineError as error:
        refuse(error.message, error.hint)
    except TyperException as error:
        refuse(error.format_message(), "See the command's --help.")
    except (typer.Abort, KeyboardInterrupt):
        refuse("Stopped.", "")
    sys.exit(code if isinstance(code, int) else 0)


__all__ = ["BAD_INPUT", "app", "main"]
