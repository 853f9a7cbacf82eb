"""What people rule on answers that judges left in doubt."""
