"""What Alembic runs; the store hands over its open transaction."""

from alembic import context

from core.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
context.run_migrations()
