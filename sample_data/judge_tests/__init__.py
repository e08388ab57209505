"""Unit tests of judges, about a harbour that does not exist; `python -m sample_data.judge_tests.build` writes them."""
