"""Links by which people join with the roles that an admin named: of one address, or for several."""
