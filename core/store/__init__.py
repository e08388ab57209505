"""The store: schema, migrations, and one module of functions per group of tables."""
