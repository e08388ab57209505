"""The validation report: gathered from the store as a record, written as HTML, PDF, DOCX, XLSX and JSON."""
