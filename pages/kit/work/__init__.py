"""Work that goes on while a page is open: its panel, runs of other windows, and what failed."""
