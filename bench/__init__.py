"""Benchmarks, each beside a peer or a limit in the same run; started by hand or by ``make bench``, never as a test."""
