"""How far judges agree with people."""
