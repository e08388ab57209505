"""How an answer is laid out: tables, lists, labels and formulas, read as plain lines."""
