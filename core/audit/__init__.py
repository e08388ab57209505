"""What the audit trail proves: rows and entries checked against it, and its heads kept where Plumbline cannot write."""
