"""Tables of PDF pages: with rules, and of aligned figures."""
