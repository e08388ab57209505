"""Where everything is kept: tables, migrations, one module of functions for each group of tables."""
