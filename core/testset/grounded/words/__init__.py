"""English words and names as noun phrases; knows no statement and no template."""
