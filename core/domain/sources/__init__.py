"""What a project and its sources hold: documents and their ids, chunks, topics, a database's schema, evidence."""
