"""Open formats of documents: OpenDocument, RTF, EPUB and XML."""
