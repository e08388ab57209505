"""How questions call documents, their sections and the things in them."""
