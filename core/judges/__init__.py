"""Which judge can be trusted: judges compared with verdicts that are taken for true."""
