"""Documents: a folder of files to one corpus."""

from core.sources.corpus.folder import load_corpus

__all__ = ["load_corpus"]
