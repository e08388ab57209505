"""The words around a value: whether they change what it means, and whether it stands where the question is answered."""
