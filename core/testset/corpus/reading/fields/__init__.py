"""Fields of forms, ``Key: value``: read line by line, from tables that are forms, and over a whole collection."""
