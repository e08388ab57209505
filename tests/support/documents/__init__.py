"""Pages of documents about databases, which know what they say, and folders of documents by subject."""
