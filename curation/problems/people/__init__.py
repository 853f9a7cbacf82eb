"""Who had a part in what, what people contributed, and who must not judge what."""
