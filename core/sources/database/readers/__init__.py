"""One reader per kind of database: it reflects tables and runs statements that were checked before."""

from core.sources.database.readers.opening import open_reader
from core.sources.database.readers.protocol import Reader, Rows, Statement, statement_of

__all__ = ["Reader", "Rows", "Statement", "open_reader", "statement_of"]
