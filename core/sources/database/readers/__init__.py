"""One reader per kind of database: it reflects tables and runs statements that were checked before.

`opening` chooses one; it is not imported here, because the choice needs SQLAlchemy and an SQLite file does not.
"""

from core.sources.database.readers.protocol import Reader, Rows, Statement, statement_of

__all__ = ["Reader", "Rows", "Statement", "statement_of"]
