"""One case of a run, opened: its answer, the verdict, its scores with what stands behind them, and changes by hand."""
