"""The quality of documents before anybody asks them: stale pages, pages that contradict, pages that repeat."""
