"""Files in and out: one reader of rows, one table of column names."""
