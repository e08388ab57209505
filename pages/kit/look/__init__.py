"""How things look: colours and templates, charts, tables, the figures under a title, how numbers are written."""
