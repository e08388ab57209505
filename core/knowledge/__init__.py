"""Documents made from database rows, so that a system can be tested where only a database exists (appendix H)."""

from core.knowledge.records import Fact, Record, Unwritten, read_records, writable_tables
from core.knowledge.sentences import rule_text

__all__ = ["Fact", "Record", "Unwritten", "read_records", "rule_text", "writable_tables"]
