"""Judge tests: samples whose right judgement is known, run through a judge, and the bar that it must reach."""
