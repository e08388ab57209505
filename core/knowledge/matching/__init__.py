"""Which documents belong to which records, where the documents' ids are not those of the records."""
