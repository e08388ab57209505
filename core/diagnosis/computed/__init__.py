"""What an answer is computed from: the rows that documents have to state before anybody could compute it."""
