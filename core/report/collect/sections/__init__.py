"""The sections of a report, each made from what was gathered; nothing here reads the store."""
