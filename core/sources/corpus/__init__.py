"""Documents: a folder, an archive or files to one corpus."""

from core.sources.corpus.loading import load_corpus

__all__ = ["load_corpus"]
