"""Which cases are labelled: draws, their sizes and chances, the deal to raters."""
