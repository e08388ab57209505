"""CSV files and workbooks as a database: types and keys are guessed, a person confirms them, SQLite is written."""
