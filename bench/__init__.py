"""Speed, each beside a peer or a limit in the same run; by hand or by ``make bench``, never a timed test."""
