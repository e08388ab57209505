"""Databases of tests: files, servers, large schemas, and statements that none should run."""
