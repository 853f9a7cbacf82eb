"""How admins change pipelines, their stages and questions."""
