"""Invitations by e-mail: each signs one person up, with the roles that an admin named."""
