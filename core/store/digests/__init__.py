"""Digests of rows: what each write left in the tables, sealed in the audit trail.

Every table whose rows are evidence is covered. The writing connection notes which of their rows its statements touch,
reads them back before it commits, and stores a digest of each beside the audit entry, which seals them all. So a row
that was changed, added or deleted in any other way no longer fits, and can be named with who wrote it last.
"""
