"""The command line: what the pages do, without a browser."""

from core.cli.app import app, main

__all__ = ["app", "main"]
