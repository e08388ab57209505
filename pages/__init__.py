"""The screens; pages live in folders by section, never directly here."""
