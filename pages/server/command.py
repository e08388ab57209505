"""The command ``plumbline``: every command of the engine, and ``run``, which opens the app.

The engine knows nothing of the screens, so that ``python -m core`` has no ``run``; it is added here.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from core.cli import app
from core.cli import main as main

HOST = "localhost"


@app.command()
def run(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for every interface.")] = HOST,
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="First port to try; 8501, or PLUMBLINE_PORT.", show_default=False),
    ] = None,
    sample: Annotated[bool, typer.Option("--sample/--no-sample", help="Build the sample project if missing.")] = True,
) -> None:
    """Opens the app: serves it until Ctrl-C. Its records go to the folder "data" here, or to PLUMBLINE_DATA."""
    from pages.server.serve import serve

    sys.exit(serve(host=host, port=port, sample=sample))


if __name__ == "__main__":
    main()
