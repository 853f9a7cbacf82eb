"""How solvers do in each field of physics, beside a frozen panel."""
