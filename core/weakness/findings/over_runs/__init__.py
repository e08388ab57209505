"""One finding over several runs: threads, merges, retests."""
