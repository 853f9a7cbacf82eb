"""What the people of an organisation were shown of a version before they handed in."""
