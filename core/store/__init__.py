"""The store: tables, migrations, and one module of functions for each group of tables."""
