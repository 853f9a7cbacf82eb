"""Who had a part in what, and what people contributed, as rows."""
